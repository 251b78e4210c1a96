import type { CallItem, HistoryItem } from "../../api/types";

/** What was known when the button was pressed: everything newer is the answer to it. */
export interface Baseline {
  callId: number;
  seq: number;
}

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

export function baselineOf(calls: readonly CallItem[], history: readonly HistoryItem[]): Baseline {
  return {
    callId: Math.max(0, ...calls.map((call) => call.id)),
    seq: Math.max(0, ...history.map((item) => item.seq)),
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
