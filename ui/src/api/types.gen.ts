// Made from the engine's types by tests/bindings.rs. Do not edit.

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** What a person needs to know at a glance. */
export type Outlook = "running" | "waiting" | "unknown" | "failed" | "done";

/** The order of a flow. */
export type FlowOrder = "approval-first" | "mr-first";

/** How the approve call is made. */
export type ApproveApi = "classic" | "checklist";

/** Switches that may be turned while requests are in flight. */
export type Flow = {
/** Read at each submission. */
order: FlowOrder,
/** Read at each approve call. */
approve_api: ApproveApi, };

/** A step. */
export type StepView = {
/** Public code. */
code: number,
/** Public name. */
name: string, };

/** What a request waits for. */
export type WaitingView = {
/** `pipeline`, `rebase`, `merge`, `approval`, `deploy` or `retry`. */
what: string,
/** The last look. */
look: number,
/** The last look there will be; null where looking has no end. */
max_looks: number | null,
/** When the next look comes; null where only an event helps. */
next_look_at: string | null, };

/** A merge request. */
export type MrView = {
/** Project path. */
project: string,
/** Number in the project. */
iid: number,
/** Page for people. */
web_url: string,
/** The head this request made. */
head_sha: string | null, };

/** A ticket. */
export type TicketView = {
/** Id at the approval system. */
id: string,
/** Page for people. */
url: string | null,
/** The state last read. */
state: string | null, };

/** What went wrong last. */
export type ErrorView = {
/** Error class. */
class: string,
/** What happened. */
message: string,
/** When. */
at: string, };

/** A request. */
export type OperationView = { operation_id: string, kind: string, title: string, subject_id: string, target_key: string, status: string, step: StepView, outlook: Outlook, sentence: string, hint: string, version: number, flow_order: FlowOrder, fields: { [key: string]: JsonValue }, comment: string | null, owner: boolean, attempts: number, rebases: number, waiting: WaitingView | null, mr: MrView | null, ticket: TicketView | null, project: string, branch: string, target_branch: string, merged_sha: string | null, requested_by: string, created_at: string, updated_at: string, entered_at: string, usual_ms: number | null, last_error: ErrorView | null, stalled: boolean, };

/** Counts over all requests. */
export type CountsView = {
/** By outward status. */
by_status: Record<string, number>,
/** By code prefix of the stage. */
by_stage: Record<string, number>,
/** By outlook. */
by_outlook: Record<string, number>,
/** Requested by who asks. */
mine: number, };

/** A page of requests. */
export type ListView = {
/** Newest first. */
items: Array<OperationView>,
/** What to send as `cursor` for the next page; null at the end. */
next_cursor: string | null,
/** Counts over all requests, whatever the filter. */
counts: CountsView, };

/** The sort of actor (contract.md, section 4). */
export type ActorKind = "operator" | "system" | "approval" | "gitlab" | "deploy" | "sweep";

/** Who caused it. */
export type ActorView = {
/** `operator`, `system`, `approval`, `gitlab`, `deploy` or `sweep`. */
kind: ActorKind,
/** Name. */
name: string, };

/** A side of a move. */
export type SideView = {
/** The step. */
step: StepView,
/** The outward status. */
status: string, };

/** A row of history. */
export type HistoryView = {
/** Place in the history. */
seq: number,
/** When. */
at: string,
/** The event or act. */
event: string,
/** The side it left; null for the first row. */
from: SideView | null,
/** The side it entered. */
to: SideView,
/** Who. */
actor: ActorView,
/** Why, in words. */
reason: string | null,
/** `exact`, `watermark` or null. */
evidence: string | null,
/** How long the request had been in the step it left, in milliseconds. */
duration_ms: number | null,
/** How many remote calls were made in the stay that this row ended. */
calls: number, };

/** A remote call. */
export type CallView = { id: number, at: string, remote: string, account: string, method: string, path: string, effect: "read" | "write", outcome: string, http_status: number | null, duration_ms: number | null, attempt: number, error_class: string | null, error: string | null, detail: string | null,
/** The row of history that ended the stay in which it was made; null while the stay lasts. */
history_seq: number | null, };

/** An event from outside. */
export type EventView = {
/** Delivery id. */
id: string,
/** Where it came from. */
source: "approval" | "deploy" | "gitlab" | "platform",
/** When. */
received_at: string,
/** What was decided. */
verdict: "applied" | "parked" | "duplicate" | "ignored_stale" | "ignored_foreign" | "rejected_signature",
/** Why, in words. */
reason: string,
/** The body as received. */
body: JsonValue, };

/** A call of a plan. */
export type PlannedCall = {
/** `gitlab` or `approval`. */
remote: string,
/** HTTP method. */
method: string,
/** Path. */
path: string,
/** `read` or `write`. */
effect: "read" | "write",
/** True where the effect is there already. */
skip: boolean,
/** Why it is made or left out. */
why: string,
/** Whose credential, where it is not the bot's. */
account: string | null,
/** True where an earlier call decides whether it is made. */
conditional: boolean, };

/** A button with its consequence. */
export type ActionView = {
/** Its word. */
action: string,
/** May it be pressed? */
allowed: boolean,
/** Why not. */
reason: string | null,
/** What would happen. */
consequence: string | null,
/** The calls that would be made, in order. */
plan: Array<PlannedCall>, };

/** A pipeline. */
export type PipelineReading = {
/** Number, as text: it may be larger than a JavaScript number holds. */
id: string,
/** GitLab's word. */
status: string,
/** Page for people. */
web_url: string, };

/** A ticket. */
export type TicketReading = {
/** Its id. */
id: string,
/** Its state, raw. */
state: string,
/** Who decided. */
decided_by: string | null, };

/** A reading of all remotes for one request. */
export type RemoteReading = {
/** State of the merge request. */
mr_state: string | null,
/** Its head. */
head_sha: string | null,
/** GitLab's word about merging it. */
mergeability: string | null,
/** Newest pipeline of the head. */
pipeline: PipelineReading | null,
/** Who has approved. */
approved_by: Array<string>,
/** Who should. */
reviewers: Array<string>,
/** The ticket. */
ticket: TicketReading | null,
/** Remotes that gave no answer, in words. */
silent: Array<string>, };

/** What the engine believed before it read again. */
export type BelievedView = {
/** When that was read. */
at: string | null,
/** State of the merge request. */
mr_state: string | null,
/** Its head. */
head_sha: string | null,
/** Newest pipeline of the head. */
pipeline: { id: string; status: string; web_url: string } | null,
/** Who had approved. */
approved_by: Array<string>,
/** The ticket. */
ticket: { id: string; state: string | null } | null, };

/** All buttons, beside what the remotes say now and what we believed. */
export type ActionsView = {
/** When the remotes were read. */
observed_at: string,
/** The version that these plans are for. */
version: number,
/** What they say. */
remote: RemoteReading,
/** What we believed. */
believed: BelievedView,
/** The buttons. */
actions: Array<ActionView>, };

/** A step of the chart. */
export type ChartStep = {
/** Public code. */
code: number,
/** Public name. */
name: string,
/** Outward status it brings; null keeps the one there was. */
status: string | null,
/** Outlook. */
outlook: Outlook,
/** Code prefix of its stage. */
stage: number,
/** Name of its stage. */
stage_name: string,
/** True for the ends. */
terminal: boolean, };

/** A move of the chart. */
export type ChartMove = {
/** Code of the step it leaves; null for the start. */
from: number | null,
/** The event. */
event: string,
/** Code of the step it enters. */
to: number,
/** Who can cause it. */
by: "operator" | "engine" | "approval" | "gitlab" | "deploy",
/** When it applies, in words; empty for always. */
note: string, };

/** The whole graph of a workflow. */
export type Chart = {
/** Name of the workflow. */
workflow: string,
/** All steps. */
steps: Array<ChartStep>,
/** All moves. */
transitions: Array<ChartMove>, };

/** A remote as the top bar shows it. */
export type RemoteHealth = {
/** `gitlab` or `approval`. */
remote: string,
/** Its name for people. */
label: string,
/** Did it answer? */
reachable: boolean,
/** How long the answer took. */
latency_ms: number,
/** When it was read, RFC 3339. */
read_at: string,
/** `valid`, `refused` or `unknown`. */
credential: "valid" | "refused" | "unknown",
/** What is wrong, in words. */
detail: string | null, };

/** A request that a sweep found effective. */
export type AdvancedBySweep = {
/** Which request. */
operation_id: string,
/** By which evidence. */
evidence: string,
/** Its project. */
project: string,
/** Its merge request. */
mr_iid: number, };

/** A request that a sweep left waiting. */
export type WaitingForDeploy = {
/** Which request. */
operation_id: string,
/** Its project. */
project: string,
/** Its merge request. */
mr_iid: number, };

/** What a sweep came to (contract.md, section 4). */
export type Swept = {
/** Merged requests looked at. */
scanned: number,
/** Those that are effective, and by which evidence. */
advanced: Array<AdvancedBySweep>,
/** Those that go on waiting. */
waiting: Array<WaitingForDeploy>,
/** The highest merge request number called back, for each project. */
highest_mr_iid: { [key in string]: number }, };

/** A button, and how many requests of a cause it is legal for. */
export type CauseAction = {
/** Its word. */
action: string,
/** For how many of all the requests. */
eligible: number, };

/** A request that a cause has stopped, in short. */
export type CauseMember = {
/** Which request. */
operation_id: string,
/** What is changed. */
subject_id: string,
/** Where. */
target_key: string,
/** Since when it stands there. */
entered_at: string, };

/** What stopped requests, and which. */
export type CauseView = {
/** Names the cause as long as it lasts. */
key: string,
/** The step they stand at. */
step: StepView,
/** `failed` or `unknown`. */
outlook: Outlook,
/** The outward status. */
status: string | null,
/** Class of the error; null where the result is not known. */
error_class: string | null,
/** How many requests. */
count: number,
/** Since when the oldest of them stands there. */
since: string,
/** The sentence of the oldest, as an example of all. */
sentence: string,
/** What to do, for whoever asked for it. */
hint: string,
/** The buttons that are legal for one of them at least. */
actions: Array<CauseAction>,
/** The oldest requests, 50 at most. */
members: Array<CauseMember>,
/** Ids of the oldest requests, 200 at most. */
ids: Array<string>, };

/** Everything that stands still and needs a person. */
export type RecoveryView = {
/** The causes with the most requests first, 200 at most. */
causes: Array<CauseView>,
/** How many more causes there are. */
more_causes: number,
/** How many requests need a person. */
requests: number, };

/** What a person may do about a record. */
export type FollowAction = {
/** `replay` or `ignore`. */
action: string,
/** May it be pressed? */
allowed: boolean,
/** Why not. */
reason: string | null,
/** What would happen. */
consequence: string | null, };

/** Work that follows from a request (workflow.md, section 8). */
export type CompensationView = { code: string, kind: string, operation_id: string, subject_id: string, target_key: string, step: StepView,
/** Why there is this work. */
sentence: string, idempotency_key: string, retry_count: number, max_retries: number, error_class: string | null, error_message: string | null,
/** `none`, `applied` or `unknown`. */
effect: "none" | "applied" | "unknown",
/** One of the seven words of the specification. */
status: "INIT" | "PROCESSING" | "SUCCESS" | "FAIL" | "WAIT_COMPENSATE" | "IGNORED" | "FINAL_FAIL", content: JsonValue,
/** Why it was given up, in the person's words. */
reason: string | null,
/** Who gave it up. */
given_up_by: string | null, next_try_at: string | null, created_at: string, updated_at: string,
/** What a person may do about it. */
actions: Array<FollowAction>, };

/** Records of work that follows. */
export type CompensationsView = {
/** Those that have not ended first, then the newest; 500 at most. */
items: Array<CompensationView>,
/** How many have not ended. */
open: number,
/** How many of them nobody tries any more unless a person does. */
given_over: number,
/** How many have ended. */
ended: number, };

/** A backup of the store. */
export type BackupView = {
/** Its name, by which it is asked for. */
name: string,
/** Path of the file on the machine of the engine. */
file: string,
/** When it was made. */
at: string,
/** Its size in bytes. */
bytes: number, };

/** The backups of the store, and how they are made. */
export type BackupsView = {
/** Newest first. */
items: Array<BackupView>,
/** The directory of the store. */
data_dir: string,
/** How many of those that are made by themselves or by the button are kept. */
kept: number,
/** How often one is made by itself, in milliseconds; null where that is turned off. */
every_ms: number | null,
/** When the next is made by itself; null where that is turned off, or not known yet. */
next_at: string | null, };

/** What putting a backup in the place of the store would mean. */
export type BackupMeaning = {
/** The backup. */
backup: BackupView,
/** What is damaged in it; null where it is whole. A damaged one is never put in place. */
damage: string | null,
/** Requests in it. */
requests: number | null,
/** Requests that were submitted after it was made. */
submitted_after: number,
/** Moves, edits and acts after it was made, of whatever request. */
changes_after: number,
/** The command that puts it in place where the engine does not stop for it. */
command: string, };
