import type { Workflow } from "../api/types";
import { ACTION_OF, NEEDS_MR, SAFETY_NET } from "./table";
import type { Possible } from "./types";

export interface Situation {
  current: number | null;
  order: "approval-first" | "mr-first";
  hasMr: boolean;
  /** Actions that the engine refuses now, where that is known. */
  refused?: ReadonlySet<string>;
}

/** The moves that can happen next, from the transition table: the person's own first, each with its event. */
export function possibleMoves(chart: Workflow, situation: Situation): Possible[] {
  const { current, hasMr, refused } = situation;
  if (current === null) return [];
  const outgoing = chart.transitions.filter((t) => t.from === current && t.to !== current && t.to !== null);
  const steady = new Set(outgoing.filter((t) => t.event !== SAFETY_NET).map((t) => t.to));
  const can = outgoing.filter(({ event, to, note }) => {
    if (!hasMr && NEEDS_MR.has(event)) return false;
    if (event === SAFETY_NET && steady.has(to)) return false;
    return holds(note, situation);
  });
  const moves = can.map(({ event, to, by }): Possible => {
    const own = by === "operator";
    return { event, to, own, action: own ? (ACTION_OF[event] ?? null) : null };
  });
  return moves
    .filter((move) => move.action === null || refused?.has(move.action) !== true)
    .filter((move, index) => moves.findIndex((one) => one.event === move.event && one.to === move.to) === index)
    .sort((a, b) => Number(b.own) - Number(a.own));
}

/** The guards of the table, by the words that it gives them; a row with other words is taken as possible. */
const GUARDS: Readonly<Record<string, (situation: Situation) => boolean>> = {
  "approval-first": ({ order }) => order === "approval-first",
  "mr-first": ({ order }) => order === "mr-first",
  "no MR yet": ({ hasMr }) => !hasMr,
  "has an MR": ({ hasMr }) => hasMr,
};

const holds = (note: string | null, situation: Situation) => GUARDS[note ?? ""]?.(situation) ?? true;
