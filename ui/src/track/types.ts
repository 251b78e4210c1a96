import type { Outlook, Workflow } from "../api/types";

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** One move of a request as the history tells it, oldest first; `at` in ms since 1970, `ms` spent in the step it left. */
export interface Walked {
  from: number | null;
  to: number;
  event: string;
  at: number;
  ms: number | null;
}

/** A move that can happen next; `action` names the button where it is the person's own. */
export interface Possible {
  event: string;
  to: number;
  own: boolean;
  action: string | null;
}

/** The kinds of lettering on the plan; each has one size, see `FONTS`. */
export type Font = "cd" | "nm" | "nmq" | "tm" | "end" | "ev" | "now" | "nowcd" | "now2" | "hd" | "hd2" | "cnt";

/** Width of a text in px when it is set in that lettering. */
export type Measure = (text: string, font: Font) => number;

/** Everything on the plan that is said in a language. */
export interface Words {
  section(key: string, fallback: string): string;
  /** Short name of a step; `name` is the engine's, for a step that has no words yet. */
  name(code: number, name: string): string;
  outlook(outlook: Outlook): string;
  /** Clock time without seconds, for a station. */
  clock(at: number): string;
  /** "since 13:31:47", for the current step. */
  since(at: number): string;
  span(ms: number): string;
  /** How many rebases are done. */
  rebases(count: number): string;
  /** The rebase under way is the n-th. */
  rebaseNow(n: number): string;
  /** Where a close began, beside its station. */
  cameFrom(code: number): string;
}

export interface PlanInput {
  chart: Workflow;
  order: "approval-first" | "mr-first";
  width: number;
  walked: readonly Walked[];
  current: number | null;
  enteredAt: number | null;
  /** What is said beside the current step after the time, such as the error in a few words. */
  note: string | null;
  possible: readonly Possible[];
  words: Words;
  measure: Measure;
}

export type Shape = "ring" | "dot" | "square" | "diamond" | "bar" | "final" | "tick";

export interface Node {
  code: number;
  name: string;
  outlook: Outlook;
  row: string;
  x: number;
  y: number;
  shape: Shape;
  walked: boolean;
  current: boolean;
  ring: "own" | "other" | null;
  /** Events that lead here now. */
  events: Possible[];
  visits: number;
  /** Steps that a track leads to from here without another between. */
  links: number[];
}

/** A piece of track as it is drawn; `edge` is the move that went over it last, as "10101-10102". */
export interface Piece {
  key: string;
  points: Point[];
  look: "main" | "side" | "loop" | "walk" | "thru" | "can";
  thick: number;
  butt: boolean;
  own: boolean;
  outlook: Outlook | null;
  edge: string | null;
  action: string | null;
}

export interface Text {
  text: string;
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  font: Font;
  look: string;
  code: number | null;
  action: string | null;
  box: Box;
}

export interface Head {
  key: string;
  x0: number;
  x1: number;
  state: "passed" | "current" | "ahead";
  outlook: Outlook | null;
  texts: Text[];
}

/** A plan that is placed and only has to be drawn. */
export interface Plan {
  width: number;
  height: number;
  heads: Head[];
  quiet: Piece[];
  walked: Piece[];
  possible: Piece[];
  /** Tips of the arrows of the person's own lanes: the point, and the direction in degrees. */
  arrows: { at: Point; angle: number; action: string | null }[];
  chevron: { at: Point; walked: boolean } | null;
  nodes: Node[];
  texts: Text[];
}
