import type { Actions, Operation, RemoteFacts, RemoteReading } from "../../api/types";

/** One line of the comparison: null is what is not there, undefined what could not be read. */
export interface Fact {
  key: "mr" | "head" | "approvals" | "pipeline" | "ticket";
  believed: string | null;
  now: string | null | undefined;
  differs: boolean;
  mono: boolean;
}

/** What was believed beside what the remotes say now, line by line. */
export function factsOf({ believed, remote }: Actions, operation: Operation): Fact[] {
  const facts: Omit<Fact, "differs">[] = [
    { key: "mr", believed: believed.mr_state, now: remote.mr_state, mono: false },
    { key: "head", believed: short(believed.head_sha), now: short(remote.head_sha), mono: true },
    { key: "approvals", believed: names(believed.approved_by), now: names(remote.approved_by), mono: false },
    { key: "pipeline", believed: pipelineOf(believed), now: pipelineOf(remote), mono: false },
    { key: "ticket", believed: believed.ticket?.state ?? null, now: remote.ticket?.state ?? null, mono: false },
  ];
  return facts.map((fact) => {
    const now = isUnread(fact.key, remote, operation) ? undefined : fact.now;
    return { ...fact, now, differs: now !== undefined && (fact.believed ?? "") !== (now ?? "") };
  });
}

const short = (sha: string | null) => sha?.slice(0, 7) ?? null;
const names = (list: readonly string[]) => [...list].sort().join(", ");
const pipelineOf = ({ pipeline }: RemoteFacts) => (pipeline ? `#${pipeline.id} ${pipeline.status}` : null);

/** A remote that should have this and gave nothing was not read: that is no statement about what is there. */
function isUnread(key: Fact["key"], remote: RemoteReading, operation: Operation): boolean {
  if (key === "ticket") return operation.ticket !== null && remote.ticket === null;
  return operation.mr !== null && remote.mr_state === null;
}
