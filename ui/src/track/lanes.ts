import type { Frame, Stand } from "./frame";
import type { Space } from "./geometry";
import type { Point } from "./types";

/** One of the person's own moves as a dashed lane: its line, the tip of its arrow, and where its event may be written. */
export interface Lane {
  points: Point[];
  tip: Point;
  /** Direction of the arrow in degrees, 0 to the right. */
  angle: number;
  spots: { x: number; y: number; anchor: "start" | "end" }[];
}

/** Back along the siding to the station it hangs from, 7 px beside its track. */
export function returnLane(stand: Stand): Lane | null {
  const turnout = stand.track[0];
  if (!turnout || stand.track.length < 3) return null;
  const { x, y } = stand.at;
  if (y > turnout.y) {
    const end = { x: turnout.x - 2, y: turnout.y + 9 };
    return {
      points: [{ x: x - 11, y: y + 9 }, { x: end.x + (y - turnout.y), y: y + 9 }, end],
      tip: { x: turnout.x - 8.5, y: turnout.y + 3 },
      angle: -135,
      spots: [
        { x: x - 20, y: y + 22, anchor: "end" },
        { x: x - 20, y: y + 34, anchor: "end" },
        { x: x + 20, y: y + 29, anchor: "start" },
      ],
    };
  }
  const rise = turnout.y - y;
  const end = { x: turnout.x + 20, y: turnout.y - 9 };
  return {
    points: [{ x: x - 3, y: y + 11 }, { x: end.x + (rise - 20), y: y + 11 }, end],
    tip: { x: turnout.x + 14, y: turnout.y - 3.5 },
    angle: 135,
    spots: [
      { x: end.x + 20, y: turnout.y - 12, anchor: "start" },
      { x: end.x + 34, y: turnout.y - 26, anchor: "start" },
    ],
  };
}

/** Down from the stop and along the ends row to the station of the spur, or just above that row where it is taken. */
export function endsLane(stand: Stand, spur: Stand, space: Space): Lane | null {
  if (stand.sort !== "failed" || stand.at.y >= spur.at.y - 20 || stand.at.x > spur.at.x - 60) return null;
  const but = new Set([`side ${stand.code}`, `stop ${stand.code}`]);
  const { x, y } = stand.at;
  for (const row of [spur.at.y, spur.at.y - 13]) {
    const points: Point[] = [
      { x, y: y + 15 },
      { x, y: row - 10 },
      { x: x + 10, y: row },
    ];
    if (row !== spur.at.y) points.push({ x: spur.at.x - 36, y: row });
    if (row !== spur.at.y) points.push({ x: spur.at.x - 23, y: spur.at.y });
    points.push({ x: spur.at.x - 16, y: spur.at.y });
    if (!space.lineIsFree(points, 4, but)) continue;
    const along = [22, 60, 120, 200].filter((dx) => x + dx < spur.at.x - 50);
    const spots = [
      ...along.map((dx) => ({ x: x + dx, y: row - 6, anchor: "start" as const })),
      { x: x + 12, y: row + 15, anchor: "start" as const },
    ];
    return { points, tip: { x: spur.at.x - 8, y: spur.at.y }, angle: 0, spots };
  }
  return null;
}

/** The station of the line that runs by itself on the ends row, where a step leads to one. */
export function spurOf(frame: Frame, code: number): Stand | null {
  const stand = frame.stands.get(code);
  return stand?.sort === "spur" ? stand : null;
}
