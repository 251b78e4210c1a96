import type { Query, QueryClient } from "@tanstack/react-query";

/** Reads that ask the remotes by POST: only a person starts them. */
const ASKED = new Set<unknown>(["sweep", "preview"]);
/** The rows, which hold still under the reader, and what does not change while the engine runs. */
const STILL = new Set<unknown>(["held", "workflow", "start", "kinds"]);

/** Whether this read may be made again unasked: it shows state, or it failed and shows nothing. */
function mayReadAgain({ queryKey: [name], state }: Query): boolean {
  if (ASKED.has(name)) return false;
  return !STILL.has(name) || (state.status === "error" && state.data === undefined);
}

/** Anything that was read before may have changed: what shows state is read again. */
export function makeAllStale(client: QueryClient): void {
  void client.invalidateQueries({ predicate: mayReadAgain });
}
