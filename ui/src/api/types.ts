/** The shapes of the HTTP contract, as the engine answers them. Times are RFC 3339 in UTC. */

export type Outlook = "running" | "waiting" | "unknown" | "failed" | "done";
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

export interface Step {
  code: number;
  name: string;
}

export interface Waiting {
  what: string;
  look: number;
  max_looks: number | null;
  next_look_at: string | null;
}

export interface MergeRequest {
  project: string;
  iid: number;
  web_url: string | null;
  head_sha: string | null;
}

export interface Operation {
  operation_id: string;
  kind: string;
  title: string;
  subject_id: string;
  target_key: string;
  status: string;
  step: Step;
  outlook: Outlook;
  sentence: string;
  hint: string | null;
  version: number;
  flow_order: "approval-first" | "mr-first";
  fields: Fields;
  owner: boolean;
  attempts: number;
  waiting: Waiting | null;
  mr: MergeRequest | null;
  ticket: { id: string; url: string | null; state?: string | null } | null;
  requested_by: string;
  created_at: string;
  updated_at: string;
  entered_at: string;
  usual_ms: number | null;
  last_error: { class: string; message: string; at: string } | null;
  stalled: boolean;
  comment: string | null;
  project: string | null;
  branch: string | null;
  target_branch: string | null;
  rebases: number;
}

export interface Actor {
  kind: "operator" | "system" | "approval" | "gitlab" | "deploy" | "sweep";
  name: string;
}

/** Counts over all requests, whatever the filter. */
export interface Counts {
  /** Requested by who asks. */
  mine: number;
  by_status: Record<string, number>;
  by_stage: Record<string, number>;
  by_outlook: Partial<Record<Outlook, number>>;
}

export interface OperationPage {
  items: Operation[];
  next_cursor: string | null;
  counts: Counts;
}

export interface HistoryItem {
  seq: number;
  at: string;
  event: string;
  /** Null for the submission. */
  from: { step: Step; status: string | null } | null;
  to: { step: Step; status: string };
  actor: Actor;
  reason: string | null;
  evidence: string | null;
  duration_ms: number | null;
  calls: number;
}

export interface FieldChange {
  path: string;
  pointer: string;
  from?: Json;
  to?: Json;
  op: "add" | "remove" | "replace";
}

export interface DiffItem {
  seq: number;
  at: string;
  actor: Actor;
  kind: "state" | "field";
  comment: string | null;
  changes: FieldChange[];
}

export interface LedgerItem {
  id: string;
  source: "approval" | "deploy" | "gitlab" | "platform";
  received_at: string;
  verdict: "applied" | "parked" | "duplicate" | "ignored_stale" | "ignored_foreign" | "rejected_signature";
  reason: string | null;
  body?: Json;
}

export interface CallItem {
  id: number;
  at: string;
  remote: string;
  method: string;
  path: string;
  effect: "read" | "write";
  outcome: string;
  http_status: number | null;
  duration_ms: number | null;
  attempt: number;
  error_class: string | null;
  error?: string | null;
  account: string | null;
  /** The move that ended the stay it was made in; null while that lasts. */
  history_seq: number | null;
  detail: string | null;
}

export interface FileChange {
  path: string;
  action: string;
  before: string | null;
  after: string | null;
  diff: string;
}

export interface PlannedCall {
  remote: string;
  method: string;
  path: string;
  effect: "read" | "write";
  skip: boolean;
  why: string | null;
  account?: string | null;
  /** An earlier call decides whether this one is made. */
  conditional?: boolean;
}

export type ActionName = "resume" | "retry-approval" | "reconcile" | "close" | (string & {});

export interface ActionItem {
  action: ActionName;
  allowed: boolean;
  reason: string | null;
  consequence: string | null;
  plan: PlannedCall[];
}

/** What is, or was, known of the remotes for one request. */
export interface RemoteFacts {
  mr_state: string | null;
  head_sha: string | null;
  pipeline: { id: number; status: string; web_url?: string } | null;
  approved_by: string[];
  ticket: { id: string; state: string | null; decided_by?: string | null } | null;
}

/** What the remotes say now. */
export interface RemoteReading extends RemoteFacts {
  mergeability: string | null;
  /** Who should approve. */
  reviewers: string[];
  /** Remotes that gave no answer, in words. */
  silent: string[];
}

export interface Actions {
  observed_at: string;
  version: number;
  remote: RemoteReading;
  believed: RemoteFacts & { at: string | null };
  actions: ActionItem[];
}

export interface WorkflowStep {
  code: number;
  name: string;
  status: string | null;
  outlook: Outlook;
  stage: string | number;
  stage_name: string;
  terminal: boolean;
}

export interface Transition {
  from: number | null;
  event: string;
  to: number;
  by: "operator" | "engine" | "approval" | "gitlab" | "deploy";
  note: string | null;
}

export interface Workflow {
  workflow: string;
  steps: WorkflowStep[];
  transitions: Transition[];
}

export interface Remote {
  remote: string;
  label: string;
  reachable: boolean;
  latency_ms: number | null;
  read_at: string | null;
  credential: string | null;
  detail: string | null;
}

export interface Sandbox {
  panel_url: string;
  desk_url: string;
  gitlab_url: string;
}

export interface Flow {
  order: "approval-first" | "mr-first";
  approve_api: "classic" | "checklist";
}

/** What of the settings the console shows; the rest of the answer is not read. */
export interface Settings {
  flow: Flow;
  /** The last times that a switch was turned, newest first. */
  changes: { at: string; actor: Actor; changes: FieldChange[] }[];
}

export interface Status {
  version: string;
  person: string;
  language: string;
  flow: Flow;
  sandbox: Sandbox | null;
  remotes: Remote[];
  attention: number;
  in_flight: number;
  time: string;
}

export interface Kind {
  kind: string;
  title: string;
  titles?: Record<string, string>;
  workflow: string;
  repeatable: boolean;
  project: string | null;
  target_branch: string | null;
  schema: { [key: string]: Json };
  checks: string;
}

export interface Relation {
  state: "free" | "busy" | "reappliable" | "validated";
  operation_id?: string | null;
  sentence: string;
}

export interface Preview {
  subject_id: string;
  target_key: string;
  files: FileChange[];
  warnings: string[];
  relation?: Relation;
}

export interface Submitted {
  operation_id: string;
  status_url: string;
}

export interface Sweep {
  scanned: number;
  advanced: { operation_id: string; evidence: string; project: string; mr_iid: number }[];
  waiting: { operation_id: string; project: string; mr_iid: number }[];
  highest_mr_iid: Record<string, number>;
}

/** RFC 9457, with the fields that the contract adds to it. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string;
  instance?: string;
  errors?: { path: string; message: string }[];
  operation_id?: string;
  version?: number;
  last_change?: { at: string; actor: Actor | string; event: string };
  reason?: string;
}
