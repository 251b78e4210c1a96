import type { ChartShape, Hung } from "./chart";
import { columnsOf } from "./columns";
import {
  LEVEL,
  LEVEL_CURRENT,
  LOOP_DROP,
  LOOP_FOOT,
  LOOP_UP,
  MAIN_Y,
  ROWS,
  START_X,
  TURNOUT,
  TURNOUT_WITH_LANE,
} from "./table";
import type { Point } from "./types";

/** Where a step stands, and for one that hangs off a line the track that leads to it. */
export interface Stand {
  code: number;
  at: Point;
  row: string;
  sort: "main" | "loop" | Hung["sort"];
  parent: number | null;
  on: Hung["on"] | null;
  /** From the turnout to the stop, both included; empty for a station. */
  track: Point[];
  /** Where the vertical drop leaves the loop, for a siding that hangs below the main line under a loop station. */
  drop: Point | null;
}

export interface Frame {
  stands: Map<number, Stand>;
  endX: number;
  /** The loop from its right foot to its left one, without its stations. */
  loop: Point[];
}

const LOOP_Y = MAIN_Y + ROWS.loop;

/** Places every step for a width; `lane` is the station that a return lane leads to, `current` the step that needs room. */
export function frameOf(shape: ChartShape, width: number, lane: number | null, current: number | null): Frame {
  const stands = new Map<number, Stand>();
  const xs = columnsOf(shape, width, lane);
  for (const [index, code] of shape.main.entries()) {
    stands.set(code, station(code, { x: xs[index] ?? 0, y: MAIN_Y }, "main"));
  }
  const loop = placeLoop(shape, stands);
  const spurs = shape.hung.filter((hung) => hung.sort === "spur");
  for (const [index, spur] of spurs.entries()) placeSpur(spur, index, stands);
  placeHung(shape, stands, lane, current);
  return { stands, endX: xs.at(-1) ?? START_X, loop };
}

function station(code: number, at: Point, row: "main" | "loop"): Stand {
  return { code, at, row, sort: row, parent: null, on: null, track: [], drop: null };
}

/** The loop's stations stand evenly between its corners, the first to be walked on the right. */
function placeLoop(shape: ChartShape, stands: Map<number, Stand>): Point[] {
  if (!shape.loop) return [];
  const right = stands.get(shape.loop.leaves)?.at.x ?? 0;
  const left = stands.get(shape.loop.returns)?.at.x ?? 0;
  const rise = MAIN_Y - LOOP_Y;
  const corner = LOOP_FOOT + rise;
  const inset = corner + Math.min(45, Math.max(25, 25 + ((right - left - 298) * 20) / 121));
  const { codes } = shape.loop;
  const span = right - left - 2 * inset;
  for (const [index, code] of codes.entries()) {
    const x = codes.length === 1 ? right - inset - span / 2 : right - inset - (span * index) / (codes.length - 1);
    stands.set(code, station(code, { x, y: LOOP_Y }, "loop"));
  }
  return [
    { x: right - LOOP_FOOT, y: MAIN_Y },
    { x: right - corner, y: LOOP_Y },
    { x: left + corner, y: LOOP_Y },
    { x: left + LOOP_FOOT, y: MAIN_Y },
  ];
}

/** A line of its own on the ends row, under the station that leads to it last. */
function placeSpur(spur: Hung, index: number, stands: Map<number, Stand>) {
  const from = spur.parent === null ? START_X : (stands.get(spur.parent)?.at.x ?? START_X);
  const at = { x: from + 28 + index * 150, y: MAIN_Y + ROWS.end[0] };
  stands.set(spur.code, { ...spur, at, row: "e1", track: [], drop: null });
}

function placeHung(shape: ChartShape, stands: Map<number, Stand>, lane: number | null, current: number | null) {
  const taken = new Map<string, number>();
  const count = (key: string) => {
    const n = taken.get(key) ?? 0;
    taken.set(key, n + 1);
    return n;
  };
  const firstFails = shape.hung.filter(
    (h) => h.sort === "failed" && h.on === "main" && h.parent === shape.main[0],
  ).length;
  for (const hung of shape.hung) {
    if (hung.sort === "spur") continue;
    const n = count(`${hung.parent} ${hung.sort}`);
    if (hung.on === "start") stands.set(hung.code, fromStart(hung, Math.min(2, firstFails + n)));
    else if (hung.on === "spur") stands.set(hung.code, fromSpur(hung, n, stands, shape));
    else {
      const below = shape.hung.some((h) => h.parent === hung.parent && h.sort === "failed" && h.code > hung.code);
      const level = hung.code === current && below && hung.sort === "failed" ? LEVEL_CURRENT : LEVEL;
      stands.set(hung.code, fromLine(hung, n, stands, lane === hung.parent ? TURNOUT_WITH_LANE : TURNOUT, level));
    }
  }
}

/** Rows of a sort, nearest to the line first; one too many stands on the last row, its turnout further on. */
function rowFor(sort: Hung["sort"], n: number): { dy: number; row: string; shift: number } {
  if (sort === "unknown") return { dy: ROWS.unknown, row: "unk", shift: n * 40 };
  const rows: readonly number[] = sort === "end" ? ROWS.end : ROWS.fail;
  const index = Math.min(n, rows.length - 1);
  return { dy: rows[index] ?? 0, row: `${sort === "end" ? "e" : "f"}${index + 1}`, shift: (n - index) * 40 };
}

function fromLine(hung: Hung, n: number, stands: Map<number, Stand>, turnout: number, level: number): Stand {
  const parent = hung.parent === null ? undefined : stands.get(hung.parent);
  const px = parent?.at.x ?? START_X;
  const { dy, row, shift } = rowFor(hung.sort, n);
  const inLoop = hung.on === "loop";
  const up = dy < 0;
  const away = inLoop ? (up ? LOOP_UP : LOOP_DROP) : turnout;
  const from = { x: px + away + shift, y: inLoop && up ? LOOP_Y : MAIN_Y };
  const y = MAIN_Y + dy;
  const bend = { x: from.x + Math.abs(y - from.y), y };
  const at = { x: bend.x + level, y };
  const drop = inLoop && !up ? { x: from.x, y: LOOP_Y } : null;
  return { ...hung, at, row, track: [from, bend, at], drop };
}

/** The request that never got onto the line: straight down from its start, then to the right. */
function fromStart(hung: Hung, index: number): Stand {
  const y = MAIN_Y + (ROWS.fail[index] ?? ROWS.fail[2]);
  const at = { x: START_X + 26, y };
  const track = [{ x: START_X, y: MAIN_Y }, { x: START_X, y: y - 10 }, { x: START_X + 10, y }, at];
  return { ...hung, at, row: `f${index + 1}`, track, drop: null };
}

function fromSpur(hung: Hung, n: number, stands: Map<number, Stand>, shape: ChartShape): Stand {
  const spur = hung.parent === null ? undefined : stands.get(hung.parent);
  const from = spur?.at ?? { x: START_X, y: MAIN_Y };
  if (hung.sort === "end") {
    const after = shape.main.at(-2);
    const beyond = (after === undefined ? 0 : (stands.get(after)?.at.x ?? 0)) + 5;
    const at = { x: Math.max(from.x + 112, beyond) + n * 90, y: from.y };
    return { ...hung, at, row: "e1", track: [from, at], drop: null };
  }
  const turnout = { x: from.x + 12 + n * 40, y: from.y };
  const y = MAIN_Y + ROWS.end[1];
  const bend = { x: turnout.x + (y - from.y), y };
  const at = { x: bend.x + LEVEL, y };
  return { ...hung, at, row: "e2", track: [turnout, bend, at], drop: null };
}
