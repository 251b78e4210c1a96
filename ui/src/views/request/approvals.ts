import type { Actions, CallItem, HistoryItem, Operation } from "../../api/types";

/** A robot's approval on the current head: seen in the list, only answered, or missing. */
export interface RobotApproval {
  name: string;
  sort: "listed" | "answered" | "missing";
  status: number | null;
  at: string | null;
}

const BY_PEOPLE = new Set(["approval_granted", "approval_denied", "approval_withdrawn"]);

/** Who approved the current head, from the approver list if it has been read and from the calls of the last stay. */
export function robotApprovals(calls: readonly CallItem[], actions: Actions | undefined): RobotApproval[] {
  const read = actions !== undefined && actions.remote.mr_state !== null;
  const listed = new Set(read ? actions.remote.approved_by : []);
  const ordered = [...calls].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.id - b.id);
  const tries = ordered.filter((call) => call.method === "POST" && /\/approve$/.test(call.path) && call.account);
  const last = tries.at(-1);
  const stay = tries.filter((call) => call.history_seq === last?.history_seq);
  const names = new Set([...stay.map((call) => call.account ?? ""), ...(actions?.remote.reviewers ?? []), ...listed]);
  return [...names].map((name) => {
    const mine = stay.filter((call) => call.account === name);
    const done = mine.find((call) => call.http_status !== null && call.http_status < 400);
    const end = done ?? mine.at(-1);
    const sort = listed.has(name) ? "listed" : done && !read ? "answered" : "missing";
    return { name, sort, status: end?.http_status ?? null, at: end?.at ?? null };
  });
}

/** The decision of the people, where one has been taken. */
export function decisionOf(history: readonly HistoryItem[]): HistoryItem | null {
  return history.findLast((item) => BY_PEOPLE.has(item.event)) ?? null;
}

/** The head that approvals are bound to, in seven letters. */
export const shortHead = (operation: Operation, actions: Actions | undefined): string | null =>
  (actions?.remote.head_sha ?? operation.mr?.head_sha)?.slice(0, 7) ?? null;
