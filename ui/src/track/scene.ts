import { type ChartShape, linksOf } from "./chart";
import type { Frame, Stand } from "./frame";
import type { Saying } from "./labels";
import { MAIN_Y, ROWS } from "./table";
import type { Node, Piece, PlanInput, Point, Possible, Shape } from "./types";
import type { WalkedTrack } from "./walk";

/** Half of the main line and the 3 px that a drop keeps from it. */
const UNDER = 5.5;

/** Everything about one plan that its drawing and its lettering ask for. */
export interface Scene {
  input: PlanInput;
  shape: ChartShape;
  frame: Frame;
  rounds: { done: number; under: boolean };
  chevron: { at: Point; walked: boolean } | null;
  /** Sidings that start at the current step and can be walked next. */
  dashed: Set<number>;
  eventsFor(code: number): Possible[];
  walkedSide(code: number): boolean;
  saying(stand: Stand): Saying;
  nodeOf(stand: Stand, ticked: boolean): Node;
  tickOf(stand: Stand): Point[];
  dashedTrack(): Piece[];
  drawnWalk(): Piece[];
}

export function sceneOf(input: PlanInput, shape: ChartShape, frame: Frame, walked: WalkedTrack): Scene {
  const { current } = input;
  const visits = new Map<number, { count: number; lastAt: number }>();
  for (const move of input.walked) {
    visits.set(move.to, { count: (visits.get(move.to)?.count ?? 0) + 1, lastAt: move.at });
  }
  const sides = new Set(walked.pieces.map((piece) => piece.key));
  const walkedSide = (code: number) => sides.has(`side ${code}`);
  const eventsFor = (code: number) => input.possible.filter((move) => move.to === code);
  const dashed = new Set(
    input.possible
      .map((move) => move.to)
      .filter((to) => current !== null && frame.stands.get(to)?.parent === current && !walkedSide(to)),
  );
  const links = linksOf(shape);
  const seen = (code: number) => visits.has(code) || code === current;

  const said = new Map<number, Saying>();
  const saying = (stand: Stand) => {
    const known = said.get(stand.code) ?? say(stand);
    said.set(stand.code, known);
    return known;
  };

  function say(stand: Stand): Saying {
    const visit = visits.get(stand.code);
    return {
      stand,
      code: String(stand.code),
      name: input.words.name(stand.code, shape.step(stand.code).name),
      walked: seen(stand.code),
      ringed: stand.code !== current && eventsFor(stand.code).length > 0,
      final: stand.code === shape.main.at(-1),
      visits: visit?.count ?? 0,
      lastAt: visit?.lastAt ?? null,
    };
  }

  function nodeOf(stand: Stand, ticked: boolean): Node {
    const step = shape.step(stand.code);
    const events = eventsFor(stand.code);
    const isCurrent = stand.code === current;
    return {
      code: stand.code,
      name: step.name,
      outlook: step.outlook,
      row: stand.row,
      ...(ticked ? (tickOf(stand)[1] ?? stand.at) : stand.at),
      shape: ticked ? "tick" : shapeFor(stand, step.outlook, stand.code === shape.main.at(-1)),
      walked: seen(stand.code),
      current: isCurrent,
      ring: isCurrent || events.length === 0 ? null : events.some((event) => event.own) ? "own" : "other",
      events,
      visits: visits.get(stand.code)?.count ?? 0,
      links: links.get(stand.code) ?? [],
    };
  }

  function tickOf(stand: Stand): Point[] {
    const start = stand.track[0];
    const shared = [...frame.stands.values()].some(
      (other) =>
        other !== stand &&
        start &&
        other.track[0]?.x === start.x &&
        other.track[0].y === start.y &&
        walkedSide(other.code),
    );
    return stubOf(stand, shared);
  }

  const rounds = roundsOf(shape, visits, frame, current);
  return {
    input,
    shape,
    frame,
    rounds,
    chevron: chevronOf(shape, frame, rounds.done > 0),
    dashed,
    eventsFor,
    walkedSide,
    saying,
    nodeOf,
    tickOf,
    dashedTrack: () => [...dashed].flatMap((code) => dashedPieces(frame, code, eventsFor(code))),
    drawnWalk: () => drawnWalk(walked, frame),
  };
}

function roundsOf(shape: ChartShape, visits: Map<number, { count: number }>, frame: Frame, current: number | null) {
  const first = shape.loop?.codes[0];
  const done = first === undefined ? 0 : (visits.get(first)?.count ?? 0);
  const stand = current === null ? undefined : frame.stands.get(current);
  return { done, under: stand?.row === "loop" || (stand?.on === "loop" && stand.sort === "unknown") };
}

function chevronOf(shape: ChartShape, frame: Frame, walked: boolean) {
  if (!shape.loop) return null;
  const xs = shape.loop.codes.map((code) => frame.stands.get(code)?.at.x ?? 0);
  return { at: { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: MAIN_Y + ROWS.loop }, walked };
}

function shapeFor(stand: Stand, outlook: Node["outlook"], final: boolean): Shape {
  if (final) return "final";
  if (stand.sort === "unknown") return "diamond";
  if (stand.sort === "failed") return "square";
  if (stand.sort === "end") return "bar";
  return outlook === "running" ? "dot" : "ring";
}

/** What is left of a siding that has no room: a stub at its turnout, or off the track that it shares with a walked one. */
function stubOf(stand: Stand, shared: boolean): Point[] {
  const [a, b] = stand.track;
  if (!a || !b) return [];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const on = (px: number) => ({ x: a.x + ((b.x - a.x) / length) * px, y: a.y + ((b.y - a.y) / length) * px });
  if (!shared) return [a, on(15.5)];
  const from = on(26);
  return [from, { x: from.x, y: from.y + Math.sign(b.y - a.y) * 10 }];
}

function under(points: readonly Point[]): Point[] {
  const [a, ...rest] = points;
  return a ? [{ x: a.x + UNDER, y: a.y + UNDER }, ...rest] : [];
}

function dashedPieces(frame: Frame, code: number, events: readonly Possible[]): Piece[] {
  const stand = frame.stands.get(code);
  if (!stand) return [];
  const own = events.some((event) => event.own);
  const action = events.find((event) => event.action !== null)?.action ?? null;
  const piece = (key: string, points: Point[]): Piece => ({
    key,
    points,
    look: "can",
    thick: 2,
    butt: true,
    own,
    outlook: null,
    edge: null,
    action,
  });
  if (!stand.drop) return [piece(`can ${code}`, stand.track)];
  return [
    piece(`can drop ${code}`, [stand.drop, { x: stand.drop.x, y: MAIN_Y - UNDER }]),
    piece(`can ${code}`, under(stand.track)),
  ];
}

/** The walked pieces as they are drawn: a drop passes under the main line, thin pieces lie below full ones. */
function drawnWalk(walked: WalkedTrack, frame: Frame): Piece[] {
  const drawn = walked.pieces.map((piece): Piece => {
    const code = Number(piece.key.split(" ")[1]);
    if (!walked.drops.has(code)) return piece;
    const stand = frame.stands.get(code);
    if (!stand?.drop) return piece;
    const turn = (points: Point[]) => (piece.points[0]?.y === points[0]?.y ? points : [...points].reverse());
    if (piece.key === `drop ${code}`) {
      return { ...piece, points: turn([stand.drop, { x: stand.drop.x, y: MAIN_Y - UNDER }]) };
    }
    return piece.key === `side ${code}` ? { ...piece, points: under(stand.track), butt: true } : piece;
  });
  const rank = (piece: Piece) => (piece.look === "thru" ? 0 : piece.outlook === null ? 1 : 2);
  return drawn.sort((a, b) => rank(a) - rank(b));
}
