import type { Font } from "./types";

/** Height of the plan in px, and the rows as offsets from the main line. */
export const HEIGHT = 276;
export const MAIN_Y = 130;
export const ROWS = { unknown: -84, loop: -44, main: 0, fail: [44, 64, 84], end: [106, 126] } as const;
export const HEAD_TEXT_Y = 13;
export const HEAD_LINE_Y = 21;

/** Left end of the main line, and what is kept free right of the last station for its name. */
export const START_X = 6;
export const RIGHT_PAD = 44;

/** Smallest distance to the station before, and the share of the spare width, by what the distance has to hold. */
export const GAPS = {
  first: { min: 28, weight: 0.6 },
  inSection: { min: 66, weight: 1 },
  newSection: { min: 62, weight: 1 },
  afterEnds: { min: 78, weight: 1.2 },
  overLoop: { min: 296, weight: 3.6 },
  afterLoop: { min: 112, weight: 1.8 },
  last: { min: 90, weight: 1 },
} as const;

/** Distances of a siding: where it leaves its station, its level end, and where it leaves a loop station up and down. */
export const TURNOUT = 15;
export const TURNOUT_WITH_LANE = 26;
/** What a return lane takes from the distance to the next station, beside its wider turnout. */
export const LANE_ROOM = 8;
export const LEVEL = 14;
/** The level end under a current lamp that has other sidings below it: the lamp must not stand on their track. */
export const LEVEL_CURRENT = 30;
export const LOOP_UP = 12;
export const LOOP_DROP = 24;
export const LOOP_FOOT = 26;

/** The heads, in no order: a section opens at the first of its steps on the main line and goes on until another opens. */
export const SECTIONS: readonly { key: string; opens: readonly number[] }[] = [
  { key: "approval", opens: [10401] },
  { key: "create", opens: [10001] },
  { key: "checks", opens: [10005] },
  { key: "robots", opens: [10101] },
  { key: "merge", opens: [10102] },
  { key: "effective", opens: [10109] },
];

/** Events that cannot come while there is no merge request. */
export const NEEDS_MR: ReadonlySet<string> = new Set(["head_moved", "remote_merged", "remote_closed"]);
/** The unforeseen error: it leads out of every running step and says nothing about where a step belongs. */
export const SAFETY_NET = "step_failed";
/** Which button causes which event. */
export const ACTION_OF: Readonly<Record<string, string>> = {
  resume: "resume",
  retry_approval: "retry-approval",
  close: "close",
};
/** An event that leads from this many stations or more to one step is a general one: it shapes no line. */
export const GENERAL = 4;

export const FONTS: Readonly<Record<Font, { size: number; mono: boolean; weight: number }>> = {
  cd: { size: 10, mono: true, weight: 600 },
  nm: { size: 11, mono: false, weight: 600 },
  nmq: { size: 11, mono: false, weight: 400 },
  tm: { size: 10, mono: false, weight: 400 },
  end: { size: 10, mono: false, weight: 600 },
  ev: { size: 10.5, mono: true, weight: 600 },
  now: { size: 12, mono: false, weight: 700 },
  nowcd: { size: 11.5, mono: true, weight: 700 },
  now2: { size: 11, mono: false, weight: 400 },
  hd: { size: 11, mono: false, weight: 600 },
  hd2: { size: 10.5, mono: false, weight: 400 },
  cnt: { size: 11.5, mono: false, weight: 700 },
};
