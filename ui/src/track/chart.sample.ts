import type { Outlook, Transition, Workflow } from "../api/types";

const STEPS: [number, string, string | null, Outlook][] = [
  [10001, "CREATE_STARTED", "MR_CREATING", "running"],
  [10002, "CREATE_SUCCEEDED", "MR_CREATED", "running"],
  [10003, "CREATE_FAILED", "CREATE_FAILED", "failed"],
  [10004, "CREATE_PIPELINE_FAILED", "CREATE_FAILED", "failed"],
  [10005, "CREATE_PIPELINE_RUNNING", "MR_CREATING", "waiting"],
  [10006, "CREATE_OVERLOADED", "CREATE_FAILED", "failed"],
  [10007, "CREATE_CONFLICT", "CREATE_FAILED", "failed"],
  [10101, "HANDLE_STARTED", "MERGING", "running"],
  [10102, "HANDLE_APPROVED", "MERGING", "running"],
  [10103, "HANDLE_APPROVE_FAILED", "HANDLE_FAILED", "failed"],
  [10104, "HANDLE_MERGE_FAILED", "HANDLE_FAILED", "failed"],
  [10105, "HANDLE_REBASE_CONFLICT", "HANDLE_FAILED", "failed"],
  [10106, "HANDLE_PIPELINE_FAILED", "HANDLE_FAILED", "failed"],
  [10107, "HANDLE_REBASING", "MERGING", "waiting"],
  [10108, "HANDLE_PIPELINE_RUNNING", "MERGING", "waiting"],
  [10109, "HANDLE_MERGED", "MERGED", "waiting"],
  [10110, "HANDLE_HEAD_MOVED", "HANDLE_FAILED", "failed"],
  [10111, "HANDLE_MR_CLOSED", "HANDLE_FAILED", "failed"],
  [10201, "CLOSE_STARTED", null, "running"],
  [10202, "CLOSE_SUCCEEDED", "CLOSED", "done"],
  [10203, "CLOSE_FAILED", "HANDLE_FAILED", "failed"],
  [10301, "CALLED_BACK", "VALIDATED", "done"],
  [10302, "DEPLOY_FAILED", "MERGED", "failed"],
  [10401, "APPROVAL_SENDING", "APPROVAL_SENDING", "running"],
  [10402, "APPROVAL_WAITING", "APPROVAL_SENT", "waiting"],
  [10403, "APPROVAL_SEND_FAILED", "CREATE_FAILED", "failed"],
  [10404, "APPROVAL_REJECTED", "REJECTED", "done"],
  [10405, "APPROVAL_WITHDRAWN", "REJECTED", "done"],
  [10501, "HANDLE_PIPELINE_PENDING", "MERGING", "unknown"],
  [10502, "CREATE_PIPELINE_PENDING", "MR_CREATING", "unknown"],
  [10503, "HANDLE_REBASE_PENDING", "MERGING", "unknown"],
  [10504, "HANDLE_MERGE_PENDING", "MERGING", "unknown"],
];
const STAGES: Record<number, string> = {
  100: "create",
  101: "handle",
  102: "close",
  103: "effective",
  104: "approval",
  105: "pending",
};

type By = Transition["by"];
const rows: Transition[] = [];
function add(from: (number | null)[], event: string, to: number, by: By, note = "") {
  for (const one of from) rows.push({ from: one, event, to, by, note });
}

const OPEN_MR = [
  10001, 10002, 10003, 10004, 10005, 10007, 10101, 10102, 10103, 10104, 10105, 10106, 10107, 10108, 10110, 10401, 10402,
  10403, 10501, 10502, 10503, 10504,
];
const CLOSABLE = [...OPEN_MR, 10006, 10111, 10203];

add([null], "submit", 10401, "operator", "approval-first");
add([null], "submit", 10001, "operator", "mr-first");
add([null], "submit_overloaded", 10006, "operator");
add([10006], "resume", 10401, "operator", "approval-first");
add([10006], "resume", 10001, "operator", "mr-first");
add([10401], "approval_sent", 10402, "engine");
add([10401], "approval_send_failed", 10403, "engine");
add([10403], "resume", 10401, "operator");
add([10403], "retry_approval", 10401, "operator");
add([10401, 10402], "approval_granted", 10001, "approval", "no MR yet");
add([10401, 10402], "approval_granted", 10101, "approval", "has an MR");
add([10401, 10402], "approval_denied", 10404, "approval");
add([10401, 10402], "approval_withdrawn", 10405, "approval");
add([10402], "retry_approval", 10402, "operator");
add([10001], "mr_opened", 10005, "engine");
add([10001], "create_failed", 10003, "engine");
add([10001], "create_conflict", 10007, "engine");
add([10003, 10004, 10007], "resume", 10001, "operator");
add([10005, 10502], "pipeline_passed", 10002, "gitlab");
add([10005, 10502], "pipeline_failed", 10004, "gitlab");
add([10005], "wait_exhausted", 10502, "engine");
add([10502], "resume", 10005, "operator");
add([10002], "handle", 10101, "engine", "approval-first");
add([10002], "send_approval", 10401, "engine", "mr-first");
add([10101], "approved", 10102, "engine");
add([10101], "approve_failed", 10103, "engine");
add([10103], "resume", 10101, "operator");
add([10103], "retry_approval", 10101, "operator");
add([10102, 10504], "merged", 10109, "engine");
add([10102], "needs_rebase", 10107, "engine");
add([10102, 10107, 10503], "rebase_conflict", 10105, "gitlab");
add([10102], "approval_lost", 10101, "gitlab");
add([10102, 10504], "merge_failed", 10104, "engine");
add([10102], "wait_exhausted", 10504, "engine");
add([10504], "resume", 10101, "operator");
add([10107, 10503], "rebased", 10108, "gitlab");
add([10107], "wait_exhausted", 10503, "engine");
add([10503], "resume", 10107, "operator");
add([10108, 10501], "pipeline_passed", 10101, "gitlab");
add([10108, 10501], "pipeline_failed", 10106, "gitlab");
add([10108], "wait_exhausted", 10501, "engine");
add([10501], "resume", 10108, "operator");
add([10104, 10105, 10106, 10110], "resume", 10101, "operator");
add([10111], "resume", 10001, "operator");
add([...OPEN_MR, 10111, 10201, 10203], "remote_merged", 10109, "gitlab");
add(OPEN_MR, "remote_closed", 10111, "gitlab");
add([10002, 10005, 10101, 10102, 10107, 10108], "head_moved", 10110, "gitlab");
add([10402], "head_moved", 10110, "gitlab", "has an MR");
add([10001, 10002], "step_failed", 10003, "engine");
add([10101], "step_failed", 10103, "engine");
add([10102], "step_failed", 10104, "engine");
add([10201], "step_failed", 10203, "engine");
add([10401], "step_failed", 10403, "engine");
add([10109, 10302], "deployed", 10301, "deploy");
add([10109, 10302], "reconciled", 10301, "deploy");
add([10109], "deploy_failed", 10302, "deploy");
add(CLOSABLE, "close", 10201, "operator");
add([10201], "closed", 10202, "engine");
add([10201], "close_failed", 10203, "engine");
add([10203], "resume", 10201, "operator");

/** The transition table of the merge request workflow, for tests and for the practice pages. */
export const sampleChart: Workflow = {
  workflow: "merge-request",
  steps: STEPS.map(([code, name, status, outlook]) => ({
    code,
    name,
    status,
    outlook,
    stage: Math.floor(code / 100),
    stage_name: STAGES[Math.floor(code / 100)] ?? "",
    terminal: outlook === "done",
  })),
  transitions: rows,
};
