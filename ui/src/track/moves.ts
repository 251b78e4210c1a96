import type { Workflow } from "../api/types";
import { ACTION_OF, FLOW_ONLY, NEEDS_MR, SAFETY_NET } from "./table";
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
  const { current, order, hasMr, refused } = situation;
  if (current === null) return [];
  const outgoing = chart.transitions.filter((t) => t.from === current && t.to !== current && t.to !== null);
  const steady = new Set(outgoing.filter((t) => t.event !== SAFETY_NET).map((t) => t.to));
  const can = outgoing.filter(({ event, to, note }) => {
    if ((FLOW_ONLY[event] ?? order) !== order) return false;
    if (!hasMr && NEEDS_MR.has(event)) return false;
    if (event === SAFETY_NET && steady.has(to)) return false;
    // One event with two targets: the table's note, or having a merge request, tells which of them it will be.
    return !outgoing.some((t) => t.event === event && t.to !== to) || fits(note, to, situation);
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

/** Two targets of one event: an open merge request leads on to handling it, else it has yet to be created. */
function fits(note: string | null, to: number, { order, hasMr }: Situation): boolean {
  if (note?.includes("approval-first") || note?.includes("mr-first")) return note.includes(order);
  const stage = Math.floor(to / 100);
  if (stage === 101) return hasMr;
  if (stage === 100) return !hasMr;
  return true;
}
