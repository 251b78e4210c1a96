import type { Frame } from "./frame";
import { placeOf, type Stretch, startPlace } from "./network";

const PASSING_COST = 2000;

/** A way through the network: its stretches, and the steps whose stations it passes without calling at them. */
export interface Way {
  stretches: Stretch[];
  passes: number[];
}

interface Places {
  /** The track at each place. */
  track: Map<string, Stretch[]>;
  /** The step whose station or stop a place is. */
  steps: Map<string, number>;
}

/**
 * Finds ways over the track: the shortest, which goes past a station only where it must. A drop from the loop leads to
 * its own siding and nowhere else.
 */
export function wayFinder(frame: Frame, stretches: readonly Stretch[]) {
  const steps = new Map([...frame.stands.values()].map((stand) => [placeOf(stand), stand.code]));
  const track = new Map<string, Stretch[]>();
  for (const stretch of stretches) {
    for (const place of [stretch.a, stretch.b]) track.set(place, [...(track.get(place) ?? []), stretch]);
  }
  const known = new Map<string, Way | null>();
  return (a: number | null, b: number): Way | null => {
    const key = `${a}-${b}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const from = a === null ? startPlace : placeAt(frame, a);
    const to = placeAt(frame, b);
    const way = from && to ? trace(from, to, cheapest(from, to, b, { track, steps })) : null;
    const found = way && { stretches: way, passes: passed(way, steps) };
    known.set(key, found);
    return found;
  };
}

function placeAt(frame: Frame, code: number): string | null {
  const stand = frame.stands.get(code);
  return stand ? placeOf(stand) : null;
}

const otherEnd = (stretch: Stretch, place: string) => (stretch.a === place ? stretch.b : stretch.a);

/** For each place the stretch by which it is reached at the least cost. */
function cheapest(from: string, to: string, code: number, { track, steps }: Places): Map<string, Stretch> {
  const cost = new Map([[from, 0]]);
  const via = new Map<string, Stretch>();
  const open = new Set([from]);
  const costOf = (place: string) => cost.get(place) ?? Number.POSITIVE_INFINITY;
  for (let place = nearest(open, costOf); place !== undefined && place !== to; place = nearest(open, costOf)) {
    open.delete(place);
    for (const stretch of track.get(place) ?? []) {
      if (stretch.sort === "drop" && stretch.code !== code) continue;
      const other = otherEnd(stretch, place);
      const sum = costOf(place) + lengthOf(stretch) + (other !== to && steps.has(other) ? PASSING_COST : 0);
      if (sum >= costOf(other)) continue;
      cost.set(other, sum);
      via.set(other, stretch);
      open.add(other);
    }
  }
  return via;
}

function nearest(open: Set<string>, costOf: (place: string) => number): string | undefined {
  let best: string | undefined;
  for (const place of open) if (best === undefined || costOf(place) < costOf(best)) best = place;
  return best;
}

/** The stretches from end to end, each turned so that its points run the way it is walked. */
function trace(from: string, to: string, via: Map<string, Stretch>): Stretch[] | null {
  const way: Stretch[] = [];
  for (let place = to; place !== from; ) {
    const stretch = via.get(place);
    if (!stretch) return null;
    const start = otherEnd(stretch, place);
    way.unshift(
      stretch.a === start ? stretch : { ...stretch, a: start, b: place, points: [...stretch.points].reverse() },
    );
    place = start;
  }
  return way;
}

const passed = (way: readonly Stretch[], steps: Map<string, number>): number[] =>
  way.slice(0, -1).flatMap((stretch) => steps.get(stretch.b) ?? []);

function lengthOf({ points }: Stretch): number {
  return points.slice(1).reduce((sum, b, index) => {
    const a = points[index] ?? b;
    return sum + Math.hypot(b.x - a.x, b.y - a.y);
  }, 0);
}
