import type { Box, Point } from "./types";

/** Something that takes room: a box, or a line with half its thickness. */
export type Solid = { box: Box } | { a: Point; b: Point; r: number };

export interface Owned {
  owner: string;
  solid: Solid;
}

export const boxesMeet = (a: Box, b: Box) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;

export const grow = (box: Box, by: number): Box => ({
  x0: box.x0 - by,
  y0: box.y0 - by,
  x1: box.x1 + by,
  y1: box.y1 + by,
});

/** Whether a line crosses a box, its ends included (Liang and Barsky). */
export function lineMeetsBox(a: Point, b: Point, box: Box): boolean {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  let from = 0;
  let to = 1;
  for (const [p, q] of [
    [-dx, a.x - box.x0],
    [dx, box.x1 - a.x],
    [-dy, a.y - box.y0],
    [dy, box.y1 - a.y],
  ] as const) {
    if (p === 0) {
      if (q <= 0) return false;
      continue;
    }
    const t = q / p;
    if (p < 0) from = Math.max(from, t);
    else to = Math.min(to, t);
  }
  return from < to;
}

/** Whether two lines cross or touch. */
export function linesMeet(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point) => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  const within = (p: Point, q: Point, r: Point) =>
    Math.min(p.x, q.x) <= r.x && r.x <= Math.max(p.x, q.x) && Math.min(p.y, q.y) <= r.y && r.y <= Math.max(p.y, q.y);
  const [s1, s2, s3, s4] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (s1 !== s2 && s3 !== s4) return true;
  return (
    (s1 === 0 && within(a, b, c)) ||
    (s2 === 0 && within(a, b, d)) ||
    (s3 === 0 && within(c, d, a)) ||
    (s4 === 0 && within(c, d, b))
  );
}

export const segmentsOf = (points: readonly Point[]): [Point, Point][] =>
  points.slice(1).flatMap((b, index) => {
    const a = points[index];
    return a ? [[a, b] as [Point, Point]] : [];
  });

export function solidMeetsBox(solid: Solid, box: Box): boolean {
  return "box" in solid ? boxesMeet(solid.box, box) : lineMeetsBox(solid.a, solid.b, grow(box, solid.r));
}

/** What is on the plan already; a text may stand only where it meets none of it. */
export class Space {
  private items: Owned[] = [];

  addBox(owner: string, box: Box) {
    this.items.push({ owner, solid: { box } });
  }

  addLine(owner: string, points: readonly Point[], thick: number) {
    for (const [a, b] of segmentsOf(points)) this.items.push({ owner, solid: { a, b, r: thick / 2 } });
  }

  remove(owner: string) {
    this.items = this.items.filter((item) => item.owner !== owner);
  }

  /** Whether a line of that thickness meets anything but what the named owners put there. */
  lineIsFree(points: readonly Point[], thick: number, but: ReadonlySet<string>): boolean {
    const others = this.items.filter((item) => !but.has(item.owner));
    return segmentsOf(points).every(([a, b]) =>
      others.every(({ solid }) =>
        "box" in solid ? !lineMeetsBox(a, b, grow(solid.box, thick / 2)) : !linesMeet(a, b, solid.a, solid.b),
      ),
    );
  }

  /** Who is met by a box that is kept `margin` px away from everything. */
  met(box: Box, margin = 1): Set<string> {
    const wide = grow(box, margin);
    return new Set(this.items.filter((item) => solidMeetsBox(item.solid, wide)).map((item) => item.owner));
  }

  isFree(box: Box, margin = 1): boolean {
    const wide = grow(box, margin);
    return !this.items.some((item) => solidMeetsBox(item.solid, wide));
  }
}
