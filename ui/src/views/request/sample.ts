import type { CallItem, DiffItem, FileChange, HistoryItem, LedgerItem, Operation, Step } from "../../api/types";
import { sampleChart } from "../../track/chart.sample";
import { walkTo } from "../../track/walks.sample";

const steps = new Map(sampleChart.steps.map((step) => [step.code, step]));
const stepOf = (code: number): Step => ({ code, name: steps.get(code)?.name ?? String(code) });
const iso = (ms: number) => new Date(ms).toISOString();

/** One move of the sample in short: from, to, event, actor, reason, stay in ms, calls. */
type Row = [number | null, number, string, HistoryItem["actor"]["kind"], string, number | null, number];

const REBASED_TWICE: Row[] = [
  [null, 10401, "submit", "operator", "flow approval-first, key 5f0c…", null, 0],
  [10401, 10402, "approval_sent", "system", "ITSM-48213", 1_000, 1],
  [10402, 10001, "approval_granted", "approval", "陈晓雯: 压测已通过，可以放量", 8_306_000, 1],
  [10001, 10005, "mr_opened", "system", "!1847, branch signalbox/01KB9S7M", 5_000, 5],
  [10005, 10002, "pipeline_passed", "gitlab", "#803 on 91c2e07, look 16 of 120", 204_000, 1],
  [10002, 10101, "handle", "system", "approval-first: on to the robot approvals", 0, 0],
  [10101, 10102, "approved", "system", "reviewer-a and reviewer-b on 91c2e07", 3_000, 4],
  [10102, 10107, "needs_rebase", "system", "main moved to a41f77e; 1 of 3", 2_000, 2],
  [10107, 10108, "rebased", "system", "first rebase: 91c2e07 → 5d0be94 on a41f77e", 7_000, 2],
  [10108, 10101, "pipeline_passed", "gitlab", "#806 on 5d0be94, look 17 of 120", 209_000, 1],
  [10101, 10102, "approved", "system", "reviewer-a and reviewer-b on 5d0be94", 4_000, 4],
  [10102, 10107, "needs_rebase", "system", "main moved to c90d215; 2 of 3 since the last press", 1_000, 2],
  [10107, 10108, "rebased", "system", "second rebase: 5d0be94 → 3f2a91c on c90d215", 8_000, 2],
  [10108, 10101, "pipeline_passed", "gitlab", "#812 on 3f2a91c, look 17 of 120", 214_000, 1],
  [10101, 10103, "approve_failed", "system", "reviewer-b: 401 after the last try; not in the list", 9_000, 6],
];

/** A history that ends where the sample request is; the last move was made when it entered its step. */
export function sampleHistory(operation: Operation): HistoryItem[] {
  const code = operation.step.code;
  const rounds = [10101, 10102, 10105, 10108].includes(code) ? 1 : 0;
  const rows: Row[] =
    code === 10103
      ? REBASED_TWICE
      : walkTo(sampleChart, operation.flow_order, code, rounds).map(({ from, to, event, ms }) => [
          from,
          to,
          event,
          from === null ? "operator" : "system",
          "",
          ms,
          from === null ? 0 : 2,
        ]);
  let at = Date.parse(operation.entered_at);
  const items: HistoryItem[] = [];
  for (const [index, [from, to, event, kind, reason, stay, calls]] of [...rows.entries()].reverse()) {
    items.unshift({
      seq: index + 1,
      at: iso(at),
      event,
      from: from === null ? null : { step: stepOf(from), status: steps.get(from)?.status ?? operation.status },
      to: { step: stepOf(to), status: steps.get(to)?.status ?? operation.status },
      actor: { kind, name: kind === "operator" ? operation.requested_by : kind },
      reason: reason === "" ? null : reason,
      evidence: event.startsWith("pipeline") ? "exact" : null,
      duration_ms: stay,
      calls,
    });
    at -= stay ?? 0;
  }
  return items;
}

/** One call in short: method, path under the MR, account, status, ms, try, class, why, seq. */
type CallRow = [string, string, string | null, number, number, number, string | null, string | null, number];

const APPROVE: CallRow[] = [
  ["GET", "/approvals", null, 200, 88, 1, null, null, 15],
  ["POST", "/approve", "reviewer-a", 201, 143, 1, null, "pins 3f2a91c", 15],
  ["POST", "/approve", "reviewer-b", 401, 61, 1, "auth", "pins 3f2a91c", 15],
  ["POST", "/approve", "reviewer-b", 401, 58, 2, "auth", "pins 3f2a91c", 15],
  ["POST", "/approve", "reviewer-b", 401, 64, 3, "auth", "pins 3f2a91c", 15],
  ["GET", "/approvals", null, 200, 79, 1, null, "read back: reviewer-a", 15],
  ["PUT", "/rebase", "bot", 202, 120, 1, null, "main moved to c90d215", 13],
  ["GET", "?include_rebase_in_progress=true", "bot", 200, 71, 1, null, "head 3f2a91c", 13],
  ["PUT", "/rebase", "bot", 202, 131, 1, null, "main moved to a41f77e", 9],
  ["GET", "?include_rebase_in_progress=true", "bot", 200, 66, 1, null, "head 5d0be94", 9],
  ["POST", "/approve", "reviewer-a", 201, 139, 1, null, "pins 91c2e07", 7],
  ["POST", "/approve", "reviewer-b", 201, 152, 1, null, "pins 91c2e07", 7],
];

export function sampleCalls(operation: Operation, history: readonly HistoryItem[]): CallItem[] {
  const base = `/api/v4/projects/412/merge_requests/${operation.mr?.iid ?? 1847}`;
  const rows = operation.step.code === 10103 ? APPROVE : APPROVE.slice(0, 2);
  const last = history.at(-1)?.seq ?? 1;
  return rows.map(([method, path, account, status, ms, attempt, errorClass, why, seq], index) => {
    const move = history.find((item) => item.seq === Math.min(seq, last));
    const at = Date.parse(move?.at ?? operation.entered_at) - 9_000 + index * 1_200;
    return {
      id: 500 + index,
      at: iso(at),
      remote: "gitlab",
      method,
      path: `${base}${path}`,
      effect: method === "GET" ? "read" : "write",
      outcome: errorClass === null ? "ok" : "error",
      http_status: status,
      duration_ms: ms,
      attempt,
      error_class: errorClass,
      error: errorClass === null ? null : "401 Unauthorized",
      account: account ?? "bot",
      history_seq: move?.seq ?? last,
      detail: why,
    };
  });
}

export function sampleEvents(operation: Operation): LedgerItem[] {
  const end = Date.parse(operation.entered_at);
  const at = (before: number) => iso(end - before * 1000);
  return [
    {
      id: "7c1e8f",
      source: "approval",
      received_at: at(667),
      verdict: "applied",
      reason: "",
      body: granted("陈晓雯"),
    },
    { id: "7c1e90", source: "gitlab", received_at: at(236), verdict: "applied", reason: "", body: pipeline(806) },
    {
      id: "7c1e90",
      source: "gitlab",
      received_at: at(235),
      verdict: "duplicate",
      reason: "delivery 7c1e90 had come before",
      body: pipeline(806),
    },
    {
      id: "7c1e95",
      source: "approval",
      received_at: at(165),
      verdict: "ignored_stale",
      reason: "approvals are awaited in APPROVAL_SENDING and APPROVAL_SENT; this relation is MERGING",
      body: granted("陈晓雯"),
    },
    { id: "7c1e99", source: "gitlab", received_at: at(10), verdict: "applied", reason: "", body: pipeline(812) },
  ];
}

const granted = (actor: string) => ({
  type: "approval.changed",
  data: { decision: "approved", actor, reason: "压测已通过，可以放量" },
});
const pipeline = (id: number) => ({ object_kind: "pipeline", object_attributes: { id, status: "success" } });

export function sampleDiffs(operation: Operation): DiffItem[] {
  return [
    {
      seq: 1,
      at: operation.created_at,
      actor: { kind: "operator", name: operation.requested_by },
      kind: "field",
      comment: "双十二大促扩容",
      changes: [
        { path: "limits.rps", pointer: "/limits/rps", from: 1200, to: 1800, op: "replace" },
        { path: "limits.burst", pointer: "/limits/burst", from: 2400, to: 3600, op: "replace" },
        { path: "window", pointer: "/window", to: "60s", op: "add" },
        { path: "note", pointer: "/note", from: "tmp", to: null, op: "replace" },
      ],
    },
  ];
}

export function sampleFiles(operation: Operation): FileChange[] {
  const before = [
    "regions:",
    "  cn-east-2:",
    "    # raised for each sale, see runbook 14",
    "    rps: 1200",
    "    burst: 2400",
    "    perClient: 60",
    "    exempt:",
    "      - { partner: acme, cidr: 10.8.0.0/20 }",
    "",
  ].join("\n");
  const after = before
    .replace("1200", "1800")
    .replace("2400", '3600\n    window: "60s"')
    .replace(": 60\n", ": 90\n")
    .replace("/20", "/16");
  const id = operation.operation_id;
  const audit = `operation: ${id}\nsubject: ${operation.subject_id}\ntarget: ${operation.target_key}\n`;
  return [
    {
      path: `limits/${operation.subject_id}.yaml`,
      action: "update",
      before,
      after,
      diff: [
        "@@ -1,8 +1,9 @@",
        " regions:",
        "   cn-east-2:",
        "     # raised for each sale, see runbook 14",
        "-    rps: 1200",
        "+    rps: 1800",
        "-    burst: 2400",
        "+    burst: 3600",
        '+    window: "60s"',
        "-    perClient: 60",
        "+    perClient: 90",
        "     exempt:",
        "-      - { partner: acme, cidr: 10.8.0.0/20 }",
        "+      - { partner: acme, cidr: 10.8.0.0/16 }",
        "",
      ].join("\n"),
    },
    {
      path: `audit/${id}.txt`,
      action: "create",
      before: null,
      after: audit,
      diff: [
        "@@ -0,0 +1,3 @@",
        ...audit
          .trimEnd()
          .split("\n")
          .map((line) => `+${line}`),
        "",
      ].join("\n"),
    },
  ];
}
