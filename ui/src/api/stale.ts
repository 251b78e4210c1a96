import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

/** Reads that ask the remotes by POST: only a person starts them. */
const ASKED = new Set<unknown>(["sweep", "preview"]);
/** The rows, which hold still under the reader, and what does not change while the engine runs. */
const STILL = new Set<unknown>(["held", "workflow", "start", "kinds"]);
/** Reads under way that are made once more when they end. */
const again = new WeakSet<Query>();

/** Whether this read may be made again unasked: it shows state, or it failed and shows nothing. */
function mayReadAgain({ queryKey: [name], state }: Query): boolean {
  if (ASKED.has(name)) return false;
  return !STILL.has(name) || (state.status === "error" && state.data === undefined);
}

/** Anything that was read before may have changed: what shows state is read again. */
export function makeAllStale(client: QueryClient): void {
  for (const query of client.getQueryCache().findAll({ queryKey: ["held"], predicate: isFirstRead })) startAnew(query);
  makeStale(client, { predicate: mayReadAgain });
}

/** Makes reads stale, and with them the reads that are under way and would end as fresh. */
export function makeStale(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) if (isJoined(query)) readAfterwards(client, query);
  void client.invalidateQueries(filters);
}

const isFirstRead = ({ state }: Query) => state.fetchStatus !== "idle" && state.data === undefined;

/** Whether a read under way goes on: a first one is joined by those who ask, and one that nobody watches is left alone. */
const isJoined = (query: Query) => isFirstRead(query) || (query.state.fetchStatus !== "idle" && !query.isActive());

/** Once for each read under way, however often it is made stale: what it brings may be of before the change. */
function readAfterwards(client: QueryClient, query: Query): void {
  const { promise } = query;
  if (!promise || again.has(query)) return;
  again.add(query);
  const read = () => {
    again.delete(query);
    void client.invalidateQueries({ predicate: (each) => each === query });
  };
  promise.then(read, read);
}

/** Nobody has seen rows of a first read, so that it costs no jump to ask for them anew. */
function startAnew(query: Query): void {
  void query.cancel({ silent: true });
  // What fails is told by the query.
  query.fetch().catch(() => {});
}
