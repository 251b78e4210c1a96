import type { Operation, Workflow } from "../api/types";
import { shapeOf } from "./chart";
import { rootOf } from "./heads";
import type { Point, Walked } from "./types";

export const MINI = { width: 328, height: 92, y: 40, left: 12, right: 307 } as const;
const LOOP_RISE = 16;

/** The small plan: the main line, the loop, and the current step where it hangs. */
export interface Mini {
  xs: number[];
  codes: number[];
  /** How far the main line is walked, as an index; -1 for not at all. */
  reached: number;
  loop: { points: Point[]; middle: number; walked: boolean } | null;
  lamp: Point;
  /** Track from the main line to a lamp that stands beside it. */
  siding: Point[];
}

/** Lays out the small plan: the same shape as the big one, with even distances and the current step only. */
export function miniPlan(chart: Workflow, operation: Operation, walked: readonly Walked[]): Mini | null {
  const shape = shapeOf(chart, operation.flow_order);
  const codes = shape.main;
  if (codes.length < 2) return null;
  const xs = stationsAt(codes, shape.loop?.leaves ?? null);
  const xOf = (code: number) => xs[codes.indexOf(code)] ?? MINI.left;
  const current = operation.step.code;
  const visited = new Set([current, ...walked.map((move) => move.to)]);
  const reached = Math.max(
    -1,
    ...[...visited].map((code) => codes.indexOf(rootOf(code, shape) ?? Number.NaN)).filter((index) => index >= 0),
  );
  const loop = shape.loop && loopAt(xOf(shape.loop.returns) + 7, xOf(shape.loop.leaves) - 7);
  const base = {
    xs,
    codes,
    reached,
    loop: loop && { ...loop, walked: shape.loop?.codes.some((code) => visited.has(code)) === true },
  };
  if (codes.includes(current)) return { ...base, lamp: { x: xOf(current), y: MINI.y }, siding: [] };
  if (shape.loop?.codes.includes(current) && loop) {
    return { ...base, lamp: { x: loop.middle, y: MINI.y - LOOP_RISE }, siding: [] };
  }
  const root = rootOf(current, shape) ?? lastRoot(walked, shape) ?? codes[0] ?? current;
  const from = { x: xOf(root) + 7, y: MINI.y };
  const up = operation.outlook === "unknown";
  const run = up ? 24 : 26;
  const bend = { x: from.x + run, y: MINI.y + (up ? -run : run) };
  return { ...base, lamp: { x: bend.x + 10, y: bend.y }, siding: [from, bend, { x: bend.x + 8, y: bend.y }] };
}

/** A close hangs from no station: it is shown where the request was before. */
function lastRoot(walked: readonly Walked[], shape: ReturnType<typeof shapeOf>): number | null {
  return walked.map((move) => rootOf(move.to, shape)).findLast((root) => root !== null) ?? null;
}

function stationsAt(codes: readonly number[], leaves: number | null): number[] {
  const weights = codes.map((code, index) => {
    if (index === 0) return 0;
    if (code === leaves) return 2.2;
    return index >= codes.length - 2 ? 1.45 : 1;
  });
  const unit = (MINI.right - MINI.left) / weights.reduce<number>((sum, weight) => sum + weight, 0);
  let x: number = MINI.left;
  return weights.map((weight) => {
    x += weight * unit;
    return x;
  });
}

function loopAt(left: number, right: number) {
  const y = MINI.y - LOOP_RISE;
  const points = [
    { x: right, y: MINI.y },
    { x: right - 9, y },
    { x: left + 9, y },
    { x: left, y: MINI.y },
  ];
  return { points, middle: (left + right) / 2 };
}
