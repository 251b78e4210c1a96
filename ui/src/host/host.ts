/** What the engine answers to one call: the HTTP status and the decoded body (null when there is none). */
export interface Reply {
  status: number;
  body: unknown;
}

/** One commit of the engine, as the stream tells it. */
export interface Change {
  operation_id: string;
  version: number;
  step: { code: number; name: string };
  status: string;
}

/** Whether the stream of changes is up. */
export type Link = "connecting" | "live" | "offline";

export type Method = "GET" | "POST" | "PATCH";

/** A backup that was put in the place of the store. */
export interface Restored {
  file: string;
  /** When it was made; null where that is not known. */
  at: string | null;
  /** Requests in it. */
  requests: number;
  /** What was there before is kept under this name; null where there was nothing. */
  aside: string | null;
}

/** A backup that a person chose, looked into. */
export interface PickedBackup {
  file: string;
  at: string | null;
  bytes: number;
  requests: number | null;
  /** What is damaged in it; null where it is whole. */
  damage: string | null;
}

/** Putting a backup in the place of the store, where the engine can be stopped for it. */
export interface BackupDesk {
  /** Lets the person choose a file; null when none was chosen. */
  pick(): Promise<PickedBackup | null>;
  /** Stops the engine, replaces the store, and starts the engine again. Rejects with a sentence when nothing was replaced. */
  restore(file: string): Promise<Restored>;
}

/** The store could not be read at the start. */
export interface Damaged {
  file: string;
  /** The newest backup that is whole; absent where there is none. */
  backup?: PickedBackup;
}

/** Where the app is at its start: only the desktop has a first run, a browser is always `ready`. */
export interface StartState {
  mode: "first-run" | "ready" | "failed";
  message?: string;
  settings_path?: string;
  data_dir?: string;
  log_path?: string;
  damaged?: Damaged;
}

/** The world outside of the page: the desktop's command, or HTTP. Nothing else in the UI knows which it is. */
export interface Host {
  readonly kind: "desktop" | "browser" | "mock";
  /** Sends one call under `/api/v1`; rejects with `HostError` only when the engine cannot be reached. */
  call(method: Method, path: string, body?: unknown): Promise<Reply>;
  /** Hears of every commit until the returned function is called. */
  changes(onChange: (change: Change) => void, onState: (link: Link) => void): () => void;
  /** Opens an address outside of the app, in the person's browser. Rejects with a sentence. */
  open(url: string): Promise<void>;
  /** Saves the evidence bundle of a request as a file, and tells where it is. Rejects with a sentence. */
  saveEvidence(operationId: string): Promise<string>;
  start(): Promise<StartState>;
  /** Starts the practice remotes and an engine on them; resolves when the engine is ready. */
  startPractice(): Promise<void>;
  /** Only where the engine can be stopped for it. */
  backups?: BackupDesk;
  /** The token under which calls are made, where a person has to give one. */
  signIn?: { needed(): boolean; accept(token: string): void; forget(): void };
  /** The language the engine is asked to answer in. */
  setLanguage(language: string): void;
}

/** The engine was not reached: no answer at all, as opposed to an answer that refuses. */
export class HostError extends Error {
  override readonly name = "HostError";
}
