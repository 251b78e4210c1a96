import type { ActionItem, Actions, Operation } from "../../../api/types";

/** What would come of pressing one action on one request. */
export type Verdict =
  | { is: "eligible"; version: number; writes: number }
  | { is: "quiet"; version: number }
  | { is: "refused"; reason: string };

export interface Sorted {
  operation: Operation;
  verdict: Verdict;
}

const writesOf = (item: ActionItem) => item.plan.filter((call) => call.effect === "write" && !call.skip).length;

/** Reads the engine's answer for one action: legal and writing, legal without a write, or refused in the engine's words. */
export function verdictOf(actions: Actions, action: string, noReason: string): Verdict {
  const item = actions.actions.find((each) => each.action === action);
  if (!item?.allowed) return { is: "refused", reason: item?.reason ?? noReason };
  const writes = writesOf(item);
  return writes > 0 ? { is: "eligible", version: actions.version, writes } : { is: "quiet", version: actions.version };
}

/** Refused requests by their reason, the most frequent first. */
export function byReason(sorted: readonly Sorted[]): { reason: string; operations: Operation[] }[] {
  const groups = new Map<string, Operation[]>();
  for (const { operation, verdict } of sorted) {
    if (verdict.is !== "refused") continue;
    groups.set(verdict.reason, [...(groups.get(verdict.reason) ?? []), operation]);
  }
  return [...groups]
    .map(([reason, operations]) => ({ reason, operations }))
    .sort((a, b) => b.operations.length - a.operations.length);
}
