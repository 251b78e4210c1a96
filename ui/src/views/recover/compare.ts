import type { Actions, Operation } from "../../api/types";

/** One line of the comparison: null is what is not there, undefined what could not be read. */
export interface Fact {
  key: "mr" | "head" | "approvals" | "pipeline" | "ticket";
  believed: string | null;
  now: string | null | undefined;
  differs: boolean;
  mono: boolean;
}

/** What was believed beside what the remotes say now, line by line. */
export function factsOf(reading: Actions, operation: Operation): Fact[] {
  const { believed, remote } = reading;
  const names = (list: string[] | null) => (list === null ? null : [...list].sort().join(", "));
  const short = (sha: string | null) => sha?.slice(0, 7) ?? null;
  const facts: Omit<Fact, "differs">[] = [
    { key: "mr", believed: believed.mr_state, now: remote.mr_state, mono: false },
    { key: "head", believed: short(believed.head_sha), now: short(remote.head_sha), mono: true },
    { key: "approvals", believed: names(believed.approved_by), now: names(remote.approved_by), mono: false },
    { key: "pipeline", believed: believed.pipeline, now: remote.pipeline, mono: false },
    { key: "ticket", believed: believed.ticket, now: remote.ticket, mono: false },
  ];
  return facts.map((fact) => {
    const now = isUnread(fact.key, fact.now, operation) ? undefined : fact.now;
    const same = (fact.believed ?? "") === (now ?? "");
    return { ...fact, now, differs: now !== undefined && !same };
  });
}

/** A remote that should have this and gave nothing was not read: that is no statement about what is there. */
function isUnread(key: Fact["key"], now: string | null | undefined, operation: Operation): boolean {
  if (now !== null && now !== undefined) return false;
  return key === "ticket" ? operation.ticket !== null : (key === "mr" || key === "head") && operation.mr !== null;
}
