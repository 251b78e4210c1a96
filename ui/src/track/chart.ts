import type { Outlook, Transition, Workflow, WorkflowStep } from "../api/types";
import { GENERAL, SAFETY_NET } from "./table";

type Order = "approval-first" | "mr-first";

/** What hangs off the lines: from which step, and as what. `parent` null is the start of the main line. */
export interface Hung {
  code: number;
  parent: number | null;
  on: "main" | "loop" | "start" | "spur";
  sort: "unknown" | "failed" | "end" | "spur";
}

/** The shape of a workflow, derived from its transition table alone. */
export interface ChartShape {
  step(code: number): WorkflowStep;
  main: number[];
  /** Steps of the passing loop in the order they are walked, with the stations it leaves and comes back to. */
  loop: { codes: number[]; leaves: number; returns: number } | null;
  hung: Hung[];
}

/** Which steps are next to each other on the tracks. */
export function linksOf({ main, loop, hung }: ChartShape): Map<number, number[]> {
  const pairs: [number, number][] = [];
  for (const [index, code] of main.slice(1).entries()) pairs.push([main[index] ?? code, code]);
  const round = loop ? [loop.leaves, ...loop.codes, loop.returns] : [];
  for (const [index, code] of round.slice(1).entries()) pairs.push([round[index] ?? code, code]);
  for (const { code, parent } of hung) pairs.push([parent ?? main[0] ?? code, code]);
  const links = new Map<number, number[]>();
  for (const [a, b] of pairs) {
    links.set(a, [...(links.get(a) ?? []), b]);
    links.set(b, [...(links.get(b) ?? []), a]);
  }
  return links;
}

const WALKABLE: ReadonlySet<Outlook> = new Set(["running", "waiting"]);

/** Reads the main line, the loop and everything that hangs off them out of a transition table. */
export function shapeOf(chart: Workflow, order: Order): ChartShape {
  const steps = new Map(chart.steps.map((step) => [step.code, step]));
  const moves = chart.transitions.filter((t) => steps.has(t.to) && (t.from === null || steps.has(t.from)));
  const walkable = (code: number) => WALKABLE.has(steps.get(code)?.outlook ?? "failed");
  const next = linesBetween(moves, steps, walkable);
  const main = longestWay(startOf(moves, order), next, (code) => steps.get(code)?.terminal === true);
  const loop = loopOf(main, next, walkable);
  const placed = new Set([...main, ...(loop?.codes ?? [])]);
  const rest = chart.steps.filter((step) => !placed.has(step.code)).sort((a, b) => a.code - b.code);
  return {
    step: (code) => steps.get(code) ?? unlisted(code),
    main,
    loop,
    hung: hang(rest, moves, main, loop?.codes ?? []),
  };
}

/** A step the chart does not list can still be where a request is, when the chart is older than the engine. */
function unlisted(code: number): WorkflowStep {
  return {
    code,
    name: String(code),
    status: null,
    outlook: "running",
    stage: Math.floor(code / 100),
    stage_name: "",
    terminal: false,
  };
}

function startOf(moves: Transition[], order: Order): number | null {
  const starts = moves.filter((t) => t.from === null && t.event === "submit");
  return (starts.find((t) => t.note?.includes(order)) ?? starts[0])?.to ?? null;
}

/** Which line steps follow which, without the general events and the safety net. */
function linesBetween(moves: Transition[], steps: Map<number, WorkflowStep>, walkable: (code: number) => boolean) {
  const sources = new Map<string, Set<number>>();
  for (const { from, event, to } of moves) {
    if (from === null || !walkable(from)) continue;
    const key = `${event} ${to}`;
    sources.set(key, (sources.get(key) ?? new Set()).add(from));
  }
  const next = new Map<number, Set<number>>();
  for (const { from, event, to } of moves) {
    if (from === null || event === SAFETY_NET || !walkable(from)) continue;
    if (!walkable(to) && steps.get(to)?.terminal !== true) continue;
    if ((sources.get(`${event} ${to}`)?.size ?? 0) >= GENERAL) continue;
    next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  return next;
}

/** The longest way without a repetition from the start to an end: that is the main line. */
function longestWay(start: number | null, next: Map<number, Set<number>>, isEnd: (code: number) => boolean): number[] {
  let best: number[] = [];
  const way: number[] = [];
  function go(code: number) {
    way.push(code);
    if (isEnd(code)) {
      if (way.length > best.length) best = [...way];
    } else {
      for (const to of next.get(code) ?? []) if (!way.includes(to)) go(to);
    }
    way.pop();
  }
  if (start !== null) go(start);
  return best;
}

/** A way off the main line and back to an earlier station of it. */
function loopOf(main: number[], next: Map<number, Set<number>>, walkable: (code: number) => boolean) {
  for (const [index, leaves] of main.entries()) {
    for (const first of next.get(leaves) ?? []) {
      if (main.includes(first) || !walkable(first)) continue;
      const codes = [first];
      for (let at = first; ; ) {
        const ways = [...(next.get(at) ?? [])];
        const back = ways.find((code) => main.includes(code) && main.indexOf(code) < index);
        if (back !== undefined) return { codes, leaves, returns: back };
        const on = ways.find((code) => !main.includes(code) && !codes.includes(code) && walkable(code));
        if (on === undefined) break;
        codes.push(on);
        at = on;
      }
    }
  }
  return null;
}

function hang(rest: WorkflowStep[], moves: Transition[], main: number[], loop: number[]): Hung[] {
  const spurs = new Set(rest.filter((step) => WALKABLE.has(step.outlook)).map((step) => step.code));
  return rest.map((step) => {
    const into = moves.filter((t) => t.to === step.code && t.from !== step.code);
    const plain = into.filter((t) => t.event !== SAFETY_NET);
    const from = new Set((plain.length > 0 ? plain : into).map((t) => t.from));
    return { code: step.code, sort: sortOf(step), ...parentOf(from, main, loop, spurs) };
  });
}

function sortOf(step: WorkflowStep): Hung["sort"] {
  if (step.outlook === "unknown" || step.outlook === "failed") return step.outlook;
  return step.terminal || step.outlook === "done" ? "end" : "spur";
}

/** Few sources, one of them in the loop: it is the loop's own. Else the last station that leads to it. */
function parentOf(
  from: Set<number | null>,
  main: number[],
  loop: number[],
  spurs: Set<number>,
): Pick<Hung, "parent" | "on"> {
  const ofMain = main.filter((code) => from.has(code));
  const ofLoop = loop.filter((code) => from.has(code));
  const lastLoop = ofLoop.at(-1);
  if (lastLoop !== undefined && ofMain.length + ofLoop.length < GENERAL) return { parent: lastLoop, on: "loop" };
  const lastMain = ofMain.at(-1);
  if (lastMain !== undefined) return { parent: lastMain, on: "main" };
  if (from.has(null)) return { parent: null, on: "start" };
  const spur = [...spurs].find((code) => from.has(code));
  if (spur !== undefined) return { parent: spur, on: "spur" };
  // A step that nothing on a line leads to: it is kept in sight, below the last station before the end.
  return { parent: main.at(-2) ?? null, on: main.length > 1 ? "main" : "start" };
}
