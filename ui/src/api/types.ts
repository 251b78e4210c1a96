/**
 * The shapes of the HTTP contract, as the engine answers them. Times are RFC 3339 in UTC. Those that the engine has types for
 * are made from them (types.gen.ts); here they get the names that the pages use. The others are written down by hand.
 */

import type * as made from "./types.gen";

export type Outlook = made.Outlook;
export type Json = made.JsonValue;
export type Fields = { [key: string]: Json };
export type Flow = made.Flow;
export type Step = made.StepView;
export type Operation = made.OperationView;
export type Counts = made.CountsView;
export type OperationPage = made.ListView;
export type Actor = made.ActorView;
export type HistoryItem = made.HistoryView;
export type CallItem = made.CallView;
export type LedgerItem = made.EventView;
export type PlannedCall = made.PlannedCall;
export type ActionItem = made.ActionView;
export type Actions = made.ActionsView;
export type RemoteReading = made.RemoteReading;
/** What is, or was, known of the remotes for one request. */
export type RemoteFacts = Pick<RemoteReading, "mr_state" | "head_sha" | "pipeline" | "approved_by"> &
  Pick<made.BelievedView, "ticket">;
export type WorkflowStep = made.ChartStep;
export type Transition = made.ChartMove;
export type Workflow = made.Chart;
export type Remote = made.RemoteHealth;
export type Sweep = made.Swept;
export type Recovery = made.RecoveryView;
export type Cause = made.CauseView;
/** Work that follows from a request and may be retried. */
export type FollowUp = made.CompensationView;
export type FollowUps = made.CompensationsView;
export type Backup = made.BackupView;
export type Backups = made.BackupsView;
export type BackupMeaning = made.BackupMeaning;

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

export interface FileChange {
  path: string;
  action: string;
  before: string | null;
  after: string | null;
  diff: string;
}

export type ActionName = "resume" | "retry-approval" | "reconcile" | "close" | (string & {});

export interface Sandbox {
  panel_url: string;
  desk_url: string;
  gitlab_url: string;
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
  /** How many causes, and pieces of work that nobody tries any more, need a person. */
  recovery: number;
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
