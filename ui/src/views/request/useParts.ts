import { useActions, useCalls, useDiffs, useEvents, useHistory } from "../../api/hooks";
import type { Operation } from "../../api/types";
import type { Read } from "../../parts/WhenRead";

interface Query<T> {
  data: T | undefined;
  isPlaceholderData: boolean;
  error: Error | null;
  refetch: () => Promise<unknown>;
}

/** Only what was read for this request counts: the data held over from another is none. */
const own = <T>(query: Query<T>): T | undefined => (query.isPlaceholderData ? undefined : query.data);

function itemsOf<T>(query: Query<{ items: T[] }>): Read<T[]> {
  const data = own(query)?.items;
  return { data, error: data ? null : query.error, again: () => void query.refetch() };
}

/** Everything of the request beyond itself, each as far as it has been read. */
export function useParts(operation: Operation) {
  const id = operation.operation_id;
  // While the engine itself is acting, asking the remotes what may be done would only be in its way.
  const asked = operation.outlook !== "running";
  const actions = useActions(id, asked);
  const read = own(actions);
  return {
    history: itemsOf(useHistory(id)),
    calls: itemsOf(useCalls(id)),
    events: itemsOf(useEvents(id)),
    diffs: itemsOf(useDiffs(id)),
    actions: asked ? read : undefined,
    reading: {
      observedAt: asked ? (read?.observed_at ?? null) : null,
      reading: actions.isFetching,
      error: read ? null : actions.error,
      again: () => void actions.refetch(),
    },
  };
}
