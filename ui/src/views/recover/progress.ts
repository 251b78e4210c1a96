import type { CallItem, HistoryItem } from "../../api/types";

/** What stood there when the button was pressed: everything newer is the answer to it. */
export interface Baseline {
  callId: number;
  seq: number;
}

/** Of a part that was not read nothing can be told to be newer. */
const NOTHING_NEWER = Number.POSITIVE_INFINITY;

export const isBlind = ({ seq }: Baseline): boolean => seq === NOTHING_NEWER;

/** How far an accepted act has come, as far as it has been read. */
export interface Progress {
  sent: CallItem | null;
  observed: HistoryItem | null;
}

const OWN_EVENT: Readonly<Record<string, string>> = {
  resume: "resume",
  "retry-approval": "retry_approval",
  close: "close",
};

/** The baseline of what was read; null is a part that could not be. */
export function baselineOf(calls: readonly CallItem[] | null, history: readonly HistoryItem[] | null): Baseline {
  return {
    callId: calls ? Math.max(0, ...calls.map((call) => call.id)) : NOTHING_NEWER,
    seq: history ? Math.max(0, ...history.map((item) => item.seq)) : NOTHING_NEWER,
  };
}

/**
 * Sent is a new write call, or where the plan writes nothing a new read. Observed is a line of the history beyond the
 * one that the press itself made: that one only says that it was accepted.
 */
export function progressOf(
  action: string,
  writes: boolean,
  baseline: Baseline,
  calls: readonly CallItem[],
  history: readonly HistoryItem[],
): Progress {
  const newCalls = calls.filter((call) => call.id > baseline.callId);
  const sent = newCalls.findLast((call) => call.effect === "write") ?? (writes ? null : (newCalls.at(-1) ?? null));
  const newer = history.filter((item) => item.seq > baseline.seq);
  const own = OWN_EVENT[action];
  const press = newer.findIndex((item) => item.event === own && item.actor.kind === "operator");
  const observed = newer.filter((_, index) => index !== press).at(-1) ?? null;
  return { sent, observed };
}
