import type { ActionItem, Actions, Operation, PlannedCall, RemoteFacts } from "../../api/types";
import { sampleChart } from "../../track/chart.sample";

const MR = "/api/v4/projects/412/merge_requests/";
const EVENTS: Record<string, string[]> = { resume: ["resume"], "retry-approval": ["retry_approval"], close: ["close"] };

/** What the sample engine says may be done now, with the calls it would make. */
export function sampleActions(operation: Operation): Actions {
  const base = `${MR}${operation.mr?.iid ?? 1847}`;
  return {
    observed_at: new Date(Date.now() - 3_000).toISOString(),
    version: operation.version,
    believed: { ...facts(operation), at: operation.updated_at, approved_by: [] },
    remote: {
      ...facts(operation),
      ticket: operation.ticket
        ? { id: operation.ticket.id, state: "approved", decided_by: "\u9648\u6653\u96ef" }
        : null,
      mergeability: operation.mr ? "mergeable" : null,
      reviewers: ["reviewer-a", "reviewer-b"],
      silent: [],
    },
    actions: ["resume", "retry-approval", "reconcile", "close"].map((action) => actionOf(action, operation, base)),
  };
}

function facts(operation: Operation): RemoteFacts {
  const { mr, ticket } = operation;
  return {
    mr_state: mr ? "opened" : null,
    head_sha: mr?.head_sha ?? null,
    pipeline: mr ? { id: "812", status: "success", web_url: "" } : null,
    approved_by: mr ? ["reviewer-a"] : [],
    ticket: ticket ? { id: ticket.id, state: "approved" } : null,
  };
}

function actionOf(action: string, operation: Operation, base: string): ActionItem {
  const code = operation.step.code;
  const listed = sampleChart.transitions.some((t) => t.from === code && (EVENTS[action] ?? []).includes(t.event));
  const allowed = action === "reconcile" || listed;
  return {
    action,
    allowed,
    reason: allowed ? null : `${action} is not a move from ${code} ${operation.step.name}`,
    consequence: allowed ? consequenceOf(action, operation) : null,
    plan: allowed ? planOf(action, base) : [],
  };
}

function consequenceOf(action: string, operation: Operation): string {
  if (action === "reconcile") return "Reads every remote and moves only by what is there; writes nothing.";
  if (action === "close") {
    return `!${operation.mr?.iid ?? 1847} is closed and the relation ${operation.subject_id} → ${operation.target_key} is free for another application.`;
  }
  return (
    "reviewer-b approves 3f2a91c. If GitLab then calls !1847 mergeable it is merged into main and goes to cn-east-2 with the next " +
    "deploy; that cannot be taken back from here. If it asks for a rebase, both robot approvals are dropped and given again after the checks."
  );
}

function planOf(action: string, base: string): PlannedCall[] {
  const call = (method: string, path: string, why: string, more: Partial<PlannedCall> = {}): PlannedCall => ({
    remote: "gitlab",
    method,
    path: `${base}${path}`,
    effect: method === "GET" ? "read" : "write",
    skip: false,
    why,
    account: null,
    conditional: false,
    ...more,
  });
  if (action === "reconcile") return [call("GET", "", "state and head"), call("GET", "/approvals", "who has approved")];
  if (action === "close")
    return [call("GET", "", "open still?"), call("PUT", "", "closes the merge request", { account: "bot" })];
  return [
    call("GET", "/approvals", "who has approved 3f2a91c"),
    call("POST", "/approve", "already there on 3f2a91c, seen 13:31:39", { account: "reviewer-a", skip: true }),
    call("POST", "/approve", "pins sha 3f2a91c, at most 3 tries", { account: "reviewer-b" }),
    call("GET", "/approvals", "must show reviewer-a and reviewer-b"),
    call("GET", "", "mergeable? main is 1 commit newer"),
    call("PUT", "/merge", "pins sha 3f2a91c; or /rebase if 5 asks for it", { account: "bot", conditional: true }),
    call("GET", "", "only merged counts"),
  ];
}
