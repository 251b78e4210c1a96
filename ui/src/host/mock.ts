import type { Counts, Fields, Operation, Problem, Status } from "../api/types";
import { answerRequest } from "../views/request/mock";
import type { Change, Host, Link, Method, Reply, StartState } from "./host";
import { BackupSamples } from "./mock/backups";
import { kinds } from "./mock/kinds";
import { makeOperations } from "./mock/operations";
import { previewOf } from "./mock/preview";
import { FollowUpSamples, recoveryOf, victims } from "./mock/recovery";

export interface MockOptions {
  archive?: number;
  start?: StartState;
  sandbox?: boolean;
  empty?: boolean;
  /** New requests keep coming. */
  busy?: boolean;
  /** So many requests stand still for one cause. */
  stalled?: number;
  /** False where the engine cannot be stopped from the page. */
  backups?: boolean;
}

/** The options that the address of a mock page gives, such as `?mock=first-run`. */
export function optionsOf(search: string): MockOptions {
  const mode = new URLSearchParams(search).get("mock");
  const data_dir = "/home/ops/.local/share/signalbox";
  const paths = { data_dir, settings_path: `${data_dir}/signalbox.toml`, log_path: `${data_dir}/signalbox.log` };
  if (mode === "first-run") return { start: { mode, ...paths } };
  if (mode === "failed") {
    const message = 'signalbox.toml:14: gitlab.wait.short = "5 sec": not a duration; write it as "250ms", "5s" or "2m"';
    return { start: { mode, ...paths, message } };
  }
  if (mode === "damaged") return { start: { mode: "failed", ...paths, ...damagedAt(data_dir) } };
  if (mode === "busy") return { busy: true };
  if (mode === "stalled") return { stalled: 40 };
  if (mode === "served") return { backups: false };
  return mode === "empty" ? { empty: true } : {};
}

function damagedAt(dir: string): Pick<StartState, "message" | "damaged"> {
  const file = `${dir}/signalbox.db`;
  const at = new Date(Date.now() - 9 * 3600_000).toISOString();
  const backup = { file: `${dir}/backups/signalbox-20261130T160000Z.db`, at, bytes: 18_350_080, requests: 2019 };
  const message = `the store ${file} is damaged (database disk image is malformed); it was left as it is. Nothing was started.`;
  return { message, damaged: { file, backup: { ...backup, damage: null } } };
}

/** An engine of samples for development and tests: the shapes of the contract, no behaviour behind them. */
export interface MockHost extends Host {
  operations: Operation[];
  calls: { method: Method; path: string; body?: unknown }[];
  /** Changes one request (or adds it) and tells the stream. */
  commit(operation: Operation): void;
  link(state: Link): void;
}

const ok = (body: unknown, status = 200): Reply => ({ status, body });
const problem = (status: number, code: string, detail: string, more: Partial<Problem> = {}): Reply => ({
  status,
  body: { type: `https://signalbox.dev/problems/${code}`, title: code, status, detail, ...more },
});

export function mockHost(options: MockOptions = {}): MockHost {
  const operations = options.empty ? [] : makeOperations(options.archive ?? 2000);
  if (options.stalled) operations.push(...victims(first(operations), options.stalled));
  const following = new FollowUpSamples(operations);
  const backups = new BackupSamples();
  const calls: MockHost["calls"] = [];
  const hearers = new Set<[(change: Change) => void, (link: Link) => void]>();
  let flow: Status["flow"] = { order: "approval-first", approve_api: "classic" };
  let startState: StartState = options.start ?? { mode: "ready" };

  const status = (): Status => ({
    version: "0.1.0",
    person: "ops-1",
    language: "en",
    flow,
    sandbox:
      options.sandbox === false
        ? null
        : {
            panel_url: "http://127.0.0.1:9100/panel",
            desk_url: "http://127.0.0.1:9001/desk",
            gitlab_url: "http://127.0.0.1:8929",
          },
    remotes: [
      {
        remote: "gitlab",
        label: "GitLab",
        reachable: true,
        latency_ms: 84,
        read_at: new Date(Date.now() - 4000).toISOString(),
        credential: "valid",
        detail: null,
      },
      {
        remote: "approval",
        label: "Approval desk",
        reachable: true,
        latency_ms: 1900,
        read_at: new Date(Date.now() - 9000).toISOString(),
        credential: "valid",
        detail: "slow: usually 190 ms",
      },
      {
        remote: "deploy",
        label: "Deploy",
        reachable: false,
        latency_ms: 0,
        read_at: new Date(Date.now() - 4000).toISOString(),
        credential: "unknown",
        detail: "connection refused",
      },
    ],
    attention: operations.filter(needsAttention).length,
    in_flight: operations.filter((o) => o.outlook === "running" || o.outlook === "waiting").length,
    recovery: recoveryOf(operations).causes.length + following.list(false).given_over,
    time: new Date().toISOString(),
  });

  function answer(method: Method, url: URL, body: unknown): Reply {
    const path = url.pathname.replace(/^\/api\/v1/, "");
    const query = url.searchParams;
    if (path === "/status") return ok(status());
    if (path === "/kinds") return ok({ items: kinds });
    if (path === "/operations") return ok(page(operations, query));
    if (path === "/settings") {
      if (method === "PATCH") flow = { ...flow, ...(body as { flow: Partial<Status["flow"]> }).flow };
      return ok({ flow, changes: [] });
    }
    if (path === "/recovery") return ok(recoveryOf(operations));
    if (path.startsWith("/compensations")) return follow(path, query, body as { reason?: string });
    if (path === "/backups") return method === "POST" ? ok(backups.make(), 201) : ok(backups.list());
    if (path.startsWith("/backups/")) {
      const meaning = backups.meaning(decodeURIComponent(path.slice("/backups/".length)));
      return meaning ? ok(meaning) : problem(404, "not-found", "No such backup.");
    }
    if (path === "/reconcile") return ok(sweep(operations));
    if (path === "/changes") return submit(body as { kind: string; fields: Fields }, query.get("dry_run") === "true");
    const [, id, part] = /^\/operations\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    if (id !== undefined) {
      const operation = operations.find((o) => o.operation_id === decodeURIComponent(id));
      if (!operation) return problem(404, "not-found", `No request ${id}.`);
      if (!part) return ok(operation);
      return answerRequest(method, part, body, operation) ?? problem(404, "not-found", `No ${part}.`);
    }
    return answerRequest(method, path, body, first(operations)) ?? problem(404, "not-found", `No ${path}.`);
  }

  function follow(path: string, query: URLSearchParams, body: { reason?: string } | undefined): Reply {
    const [, code, act] = /^\/compensations\/(.+)\/(replay|ignore)$/.exec(path) ?? [];
    if (!code || !act) return ok(following.list(query.get("ended") !== "false"));
    const reason = following.find(decodeURIComponent(code))?.actions.find((each) => each.action === act)?.reason;
    if (reason) return problem(422, "illegal", reason, { reason });
    return ok(following.act(decodeURIComponent(code), act, body?.reason ?? ""));
  }

  function submit(change: { kind: string; fields: Fields }, dry: boolean): Reply {
    const holder = first(operations);
    const preview = previewOf(change.fields, holder.operation_id);
    if (dry) return ok(preview);
    if (preview.relation?.state === "busy") {
      return problem(409, "in-progress", preview.relation.sentence, { operation_id: holder.operation_id });
    }
    const limits = change.fields.limits as Fields | undefined;
    if (limits?.burst === 13) {
      return problem(422, "invalid-fields", "One field is refused.", {
        errors: [{ path: "/limits/burst", message: "13 is kept for tests" }],
      });
    }
    const made: Operation = {
      ...holder,
      ...{ operation_id: `01KC${Date.now()}`, kind: change.kind, fields: change.fields },
      ...{ subject_id: preview.subject_id, target_key: preview.target_key, outlook: "running", mr: null },
      ...{ step: { code: 10401, name: "APPROVAL_SENDING" }, status: "APPROVAL_SENDING", version: 1 },
      ...{ sentence: "Sending the request to the approval desk: try 1 of 4", usual_ms: 1000, stalled: false },
      ...{ entered_at: new Date().toISOString(), updated_at: new Date().toISOString(), last_error: null },
    } as Operation;
    host.commit(made);
    return ok({ operation_id: made.operation_id, status_url: `/api/v1/operations/${made.operation_id}` }, 202);
  }

  const host: MockHost = {
    kind: "mock",
    operations,
    calls,
    async call(method, path, body) {
      calls.push(body === undefined ? { method, path } : { method, path, body });
      await new Promise((resolve) => setTimeout(resolve, 1));
      return structuredClone(answer(method, new URL(path, "http://mock"), body));
    },
    changes(onChange, onState) {
      const pair: [typeof onChange, typeof onState] = [onChange, onState];
      hearers.add(pair);
      onState("live");
      return () => hearers.delete(pair);
    },
    commit(operation) {
      const at = operations.findIndex((o) => o.operation_id === operation.operation_id);
      if (at < 0) operations.unshift(operation);
      else operations[at] = operation;
      const { operation_id, version, step, status: outward } = operation;
      for (const [onChange] of hearers) onChange({ operation_id, version, step, status: outward });
    },
    link(state) {
      for (const [, onState] of hearers) onState(state);
    },
    open: async () => {},
    saveEvidence: async (operationId) => `signalbox-${operationId}.jsonl`,
    start: async () => startState,
    startPractice: async () => {
      startState = { mode: "ready" };
    },
    setLanguage: () => {},
    ...(options.backups === false
      ? {}
      : {
          backups: backups.desk(() => {
            startState = { mode: "ready" };
          }),
        }),
  };
  if (options.busy) setInterval(() => host.commit(newcomer(operations)), 4000);
  return host;
}

function newcomer(operations: Operation[]): Operation {
  const like = operations[Math.floor(Math.random() * 18)] ?? first(operations);
  return { ...like, operation_id: `01KD${Date.now()}`, updated_at: new Date().toISOString() };
}

function first(operations: Operation[]): Operation {
  const [head] = operations;
  if (!head) throw new Error("the mock has no requests");
  return head;
}

const needsAttention = (o: Operation) => o.outlook === "failed" || o.outlook === "unknown";

function page(operations: Operation[], query: URLSearchParams) {
  const list = (name: string) => (query.get(name) ?? "").split(",").filter((part) => part !== "");
  const outlooks = list("outlook");
  const kindsWanted = list("kind");
  const stages = list("stage");
  const statuses = list("status");
  const text = (query.get("q") ?? "").toLowerCase();
  const wanted = operations.filter(
    (o) =>
      (outlooks.length === 0 || outlooks.includes(o.outlook)) &&
      (kindsWanted.length === 0 || kindsWanted.includes(o.kind)) &&
      (statuses.length === 0 || statuses.includes(o.status)) &&
      (stages.length === 0 || stages.some((stage) => String(o.step.code).startsWith(stage))) &&
      (!query.get("requested_by") || o.requested_by === query.get("requested_by")) &&
      (query.get("mine") !== "true" || o.requested_by === "ops-1") &&
      (text === "" || `${o.operation_id} ${o.subject_id} ${o.target_key} ${o.sentence}`.toLowerCase().includes(text)),
  );
  const from = Number(query.get("cursor") ?? 0);
  const limit = Number(query.get("limit") ?? 50);
  const counts: Counts = { by_status: {}, by_stage: {}, by_outlook: {}, mine: 0 };
  for (const o of operations) {
    if (o.requested_by === "ops-1") counts.mine += 1;
    counts.by_status[o.status] = (counts.by_status[o.status] ?? 0) + 1;
    const stage = String(o.step.code).slice(0, 3);
    counts.by_stage[stage] = (counts.by_stage[stage] ?? 0) + 1;
    counts.by_outlook[o.outlook] = (counts.by_outlook[o.outlook] ?? 0) + 1;
  }
  const end = from + limit;
  return { items: wanted.slice(from, end), next_cursor: end < wanted.length ? String(end) : null, counts };
}

function sweep(operations: Operation[]) {
  const merged = operations.filter((o) => o.step.code === 10109);
  const at = (o: Operation) => ({ project: o.project ?? "", mr_iid: o.mr?.iid ?? 0 });
  return {
    scanned: merged.length,
    advanced: merged.slice(0, 1).map((o) => ({ operation_id: o.operation_id, evidence: "watermark", ...at(o) })),
    waiting: merged.slice(1).map((o) => ({ operation_id: o.operation_id, ...at(o) })),
    highest_mr_iid: { "platform/config": 1854 },
  };
}
