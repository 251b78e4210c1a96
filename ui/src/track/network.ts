import type { ChartShape } from "./chart";
import type { Frame, Stand } from "./frame";
import { MAIN_Y, START_X } from "./table";
import type { Point } from "./types";

/** A stretch of track between two places, as it is drawn. */
export interface Stretch {
  id: string;
  a: string;
  b: string;
  points: Point[];
  sort: "main" | "loop" | "side" | "drop" | "spur";
  /** The step that a siding or a drop leads to. */
  code: number | null;
}

const at = (point: Point) => `${point.x},${point.y}`;

/** All track there is on the plan, cut at stations, turnouts and corners. */
export function networkOf(shape: ChartShape, frame: Frame): Stretch[] {
  const out: Stretch[] = [];
  const stands = [...frame.stands.values()];
  out.push(...mainStretches(stands, frame));
  out.push(...loopStretches(shape, stands, frame));
  for (const stand of stands) {
    if (stand.track.length < 2) continue;
    const first = stand.track[0] ?? stand.at;
    out.push({
      id: `side ${stand.code}`,
      a: at(first),
      b: at(stand.at),
      points: stand.track,
      sort: stand.on === "spur" ? "spur" : "side",
      code: stand.code,
    });
    if (stand.drop) {
      out.push({
        id: `drop ${stand.code}`,
        a: at(stand.drop),
        b: at(first),
        points: [stand.drop, first],
        sort: "drop",
        code: stand.code,
      });
    }
    if (stand.on === "spur" && stand.sort !== "end") out.push(...spurTurnout(stand, frame));
  }
  return out;
}

/** The place of a step in the network. */
export const placeOf = (stand: Stand) => at(stand.at);
export const startPlace = at({ x: START_X, y: MAIN_Y });

function mainStretches(stands: Stand[], frame: Frame): Stretch[] {
  const xs = new Set([START_X, frame.endX]);
  for (const stand of stands) {
    if (stand.row === "main") xs.add(stand.at.x);
    const first = stand.track[0];
    if (first && first.y === MAIN_Y) xs.add(first.x);
  }
  for (const foot of [frame.loop[0], frame.loop.at(-1)]) if (foot) xs.add(foot.x);
  return between(
    [...xs].sort((a, b) => a - b).map((x) => ({ x, y: MAIN_Y })),
    "main",
  );
}

function loopStretches(shape: ChartShape, stands: Stand[], frame: Frame): Stretch[] {
  const [foot, corner, corner2, foot2] = frame.loop;
  if (!shape.loop || !foot || !corner || !corner2 || !foot2) return [];
  const y = corner.y;
  const xs = new Set<number>();
  for (const stand of stands) {
    if (stand.row === "loop") xs.add(stand.at.x);
    const first = stand.drop ?? stand.track[0];
    if (first && first.y === y) xs.add(first.x);
  }
  const level = [...xs].sort((a, b) => b - a).map((x) => ({ x, y }));
  const head = level[0];
  const tail = level.at(-1);
  if (!head || !tail) return [{ id: "loop", a: at(foot), b: at(foot2), points: frame.loop, sort: "loop", code: null }];
  return [
    { id: "loop in", a: at(foot), b: at(head), points: [foot, corner, head], sort: "loop", code: null },
    ...between(level, "loop"),
    { id: "loop out", a: at(tail), b: at(foot2), points: [tail, corner2, foot2], sort: "loop", code: null },
  ];
}

/** The piece from a spur's station to the turnout of a siding on it; it lies on the spur's own line. */
function spurTurnout(stand: Stand, frame: Frame): Stretch[] {
  const spur = stand.parent === null ? undefined : frame.stands.get(stand.parent);
  const first = stand.track[0];
  if (!spur || !first) return [];
  return [
    {
      id: `spur ${stand.code}`,
      a: at(spur.at),
      b: at(first),
      points: [spur.at, first],
      sort: "spur",
      code: stand.code,
    },
  ];
}

function between(points: Point[], sort: "main" | "loop"): Stretch[] {
  return points.slice(1).flatMap((b, index) => {
    const a = points[index];
    return a ? [{ id: `${sort} ${index}`, a: at(a), b: at(b), points: [a, b], sort, code: null }] : [];
  });
}
