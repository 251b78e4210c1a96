import type { Cause, FollowUp, FollowUps, Operation, Recovery } from "../../api/types";

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();

/** Requests that one broken pipeline has stopped. */
export function victims(like: Operation, count: number): Operation[] {
  return Array.from({ length: count }, (_, n) => ({
    ...like,
    operation_id: `01KBVICTIM${String(n).padStart(6, "0")}`,
    subject_id: `service-${n}`,
    step: { code: 10004, name: "CREATE_PIPELINE_FAILED" },
    status: "CREATE_FAILED",
    outlook: "failed" as const,
    sentence: `Pipeline #${900 + n} on 3f2a91c ended as failed; nothing was approved or merged. Mend it or run it again in GitLab, then resume.`,
    last_error: { class: "terminal", message: "failed", at: ago(n) },
    entered_at: ago(190 - n),
  }));
}

/** Requests that need a person, by the step they stand at: the samples have one sentence for each. */
export function recoveryOf(operations: readonly Operation[]): Recovery {
  const stuck = operations.filter((o) => o.outlook === "failed" || o.outlook === "unknown");
  const groups = new Map<number, Operation[]>();
  for (const operation of stuck) {
    groups.set(operation.step.code, [...(groups.get(operation.step.code) ?? []), operation]);
  }
  const causes = [...groups.values()].map(causeOf).sort((a, b) => b.count - a.count);
  return { causes, more_causes: 0, requests: stuck.length };
}

function causeOf(group: Operation[]): Cause {
  const oldest = [...group].sort((a, b) => a.entered_at.localeCompare(b.entered_at));
  const [example] = oldest;
  if (!example) throw new Error("a cause has at least one request");
  const action = (name: string, eligible: number) => ({ action: name, eligible });
  const robots = example.step.code === 10103 || example.step.code === 10403;
  return {
    key: `${example.step.code}`,
    step: example.step,
    outlook: example.outlook,
    status: example.status,
    error_class: example.last_error?.class ?? null,
    count: group.length,
    since: example.entered_at,
    sentence: example.sentence,
    hint: example.hint,
    actions: [
      action("resume", group.length),
      ...(robots ? [action("retry-approval", group.length)] : []),
      action("reconcile", group.length),
      ...(example.step.code === 10302 ? [] : [action("close", group.length)]),
    ],
    members: oldest.slice(0, 50).map(({ operation_id, subject_id, target_key, entered_at }) => ({
      operation_id,
      subject_id,
      target_key,
      entered_at,
    })),
    ids: oldest.slice(0, 200).map((operation) => operation.operation_id),
  };
}

const DONE = "It was done and read back; nothing is left to do.";
const BUSY = "It is being tried right now; wait until this try has ended.";
const CLOSE = (iid: number) =>
  `!${iid} of platform/config is read. If it is open it is closed and read back; if somebody closed or merged it, nothing is written.`;
const LEAVE = (iid: number) =>
  `!${iid} is not touched any more and stays as it is until somebody closes it by hand; your reason is kept.`;

function actionsOf(iid: number, reason: string | null): FollowUp["actions"] {
  const one = (action: string, consequence: string) => ({
    action,
    allowed: reason === null,
    reason,
    consequence: reason === null ? consequence : null,
  });
  return [one("replay", CLOSE(iid)), one("ignore", LEAVE(iid))];
}

type Seed = Pick<FollowUp, "status" | "effect" | "retry_count" | "subject_id" | "target_key"> & {
  iid: number;
  error: string | null;
  next: number | null;
};

const SEEDS: Seed[] = [
  {
    ...{ status: "FINAL_FAIL", effect: "unknown", retry_count: 10, iid: 1815, next: null },
    ...{ subject_id: "tls-termination", target_key: "fra1/min-version" },
    error: "gitlab bot: 403 on PUT merge_requests/1815: the bot may not close merge requests of this project",
  },
  {
    ...{ status: "WAIT_COMPENSATE", effect: "unknown", retry_count: 3, iid: 1822, next: -2 },
    ...{ subject_id: "session-cache", target_key: "eu-west-1/ttl" },
    error: "gitlab bot: 503 on PUT merge_requests/1822",
  },
  {
    ...{ status: "PROCESSING", effect: "unknown", retry_count: 0, iid: 1824, next: null },
    ...{ subject_id: "风控规则引擎 risk-rules", target_key: "cn-east-2/阈值" },
    error: null,
  },
  {
    ...{ status: "SUCCESS", effect: "applied", retry_count: 0, iid: 1799, next: null },
    ...{ subject_id: "edge-router-07", target_key: "fra1/acl-public-ingress" },
    error: null,
  },
];

function followUp(seed: Seed, n: number, operationId: string): FollowUp {
  const { iid, error, next, ...own } = seed;
  const reason = own.status === "SUCCESS" ? DONE : own.status === "PROCESSING" ? BUSY : null;
  return {
    ...own,
    code: `close_mr:sample-${n}`,
    kind: "close_mr",
    operation_id: operationId,
    step: { code: 10404, name: "APPROVAL_REJECTED" },
    sentence: `The request was not approved after !${iid} of platform/config had been opened, so !${iid} has to be closed.`,
    idempotency_key: `close_mr:sample-${n}`,
    max_retries: 10,
    error_class: error ? "retryable" : null,
    error_message: error,
    content: { project: "platform/config", iid },
    reason: null,
    given_up_by: null,
    next_try_at: next === null ? null : ago(next),
    created_at: ago(60 + n),
    updated_at: ago(n),
    actions: actionsOf(iid, reason),
  };
}

/** Work that follows, as the mock engine keeps it. */
export class FollowUpSamples {
  private items: FollowUp[];

  constructor(operations: readonly Operation[]) {
    this.items = operations.length === 0 ? [] : SEEDS.map((s, n) => followUp(s, n, operations[n]?.operation_id ?? ""));
  }

  private isOpen = (work: FollowUp) => work.status !== "SUCCESS" && work.status !== "IGNORED";

  list(endedToo: boolean): FollowUps {
    const open = this.items.filter(this.isOpen);
    const ended = this.items.filter((work) => !this.isOpen(work));
    return {
      items: endedToo ? [...open, ...ended] : open,
      open: open.length,
      given_over: open.filter((work) => work.status === "FINAL_FAIL").length,
      ended: ended.length,
    };
  }

  find(code: string): FollowUp | undefined {
    return this.items.find((work) => work.code === code);
  }

  /** Gives the record up, or tries it: the tries of the samples succeed. */
  act(code: string, act: string, reason: string): FollowUp | undefined {
    const ended = (work: FollowUp): FollowUp => ({
      ...work,
      ...(act === "ignore"
        ? { status: "IGNORED", reason, given_up_by: "ops-1" }
        : { status: "SUCCESS", effect: "applied" }),
      next_try_at: null,
      actions: actionsOf(0, act === "ignore" ? `ops-1 gave it up: ${reason}.` : DONE),
    });
    this.items = this.items.map((work) => (work.code === code ? ended(work) : work));
    return this.find(code);
  }
}
