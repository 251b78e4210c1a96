import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useHost } from "../host/context";
import type { Query } from "./client";
import { send } from "./client";
import { operationsPath } from "./hooks";
import { keys } from "./keys";
import { useLive } from "./live";
import type { Counts, Operation, OperationPage } from "./types";

const PAGE = 100;
const FOUND = 8;
const HEAD = 50;
/** What the engine gives at once. */
const LARGEST = 500;
/** Filters on what a request does not keep: one of any age may come under them. */
const CHANGING = ["outlook", "stage", "status", "q"] as const;

/** How long a read is fresh: for ever, unless something changed since. */
const freshFor = (readAt: number, changedAt: number) => (changedAt > readAt ? 0 : Number.POSITIVE_INFINITY);

/** How many requests the counts speak of. */
export function totalOf(counts: Counts | undefined): number {
  return Object.values(counts?.by_outlook ?? {}).reduce((sum, n) => sum + n, 0);
}

/** Requests found by text, for the palette; none while nothing is typed. */
export function useSearchRequests(text: string): Operation[] {
  const host = useHost();
  const query = { q: text, limit: FOUND };
  const found = useQuery({
    queryKey: keys.list(query),
    queryFn: () => send<OperationPage>(host, "GET", operationsPath(query)),
    enabled: text !== "",
  });
  return text === "" ? [] : (found.data?.items ?? []);
}

/** A page of rows, and when it was read. */
export type HeldPage = OperationPage & { readAt: number };

/** The rows of the list, held still: they are read when asked for and never reordered by the stream. */
export function useHeldRows(query: Query) {
  const host = useHost();
  const client = useQueryClient();
  return useInfiniteQuery({
    queryKey: keys.held(query),
    queryFn: async ({ pageParam }): Promise<HeldPage> => {
      const readAt = Date.now();
      const page = await send<OperationPage>(host, "GET", operationsPath({ ...query, limit: PAGE, cursor: pageParam }));
      for (const item of page.items) renew(client, item, readAt);
      return { ...page, readAt };
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
}

/** Takes a row into what is kept of its request, never an older state over a newer one. */
function renew(client: QueryClient, item: Operation, readAt: number): void {
  const key = keys.operation(item.operation_id);
  const kept = client.getQueryState<Operation>(key);
  if (!kept?.data || !isNewer(item, readAt, kept.data, kept.dataUpdatedAt)) return;
  client.setQueryData(key, item, { updatedAt: readAt });
  // What changed since this page was asked for is still to be read.
  if (kept.isInvalidated) void client.invalidateQueries({ queryKey: key, refetchType: "none" });
}

/** The words of a request change with the time too, so that of the same version the later read is newer. */
function isNewer(item: Operation, readAt: number, kept: Operation, keptAt: number): boolean {
  return item.version > kept.version || (item.version === kept.version && readAt > keptAt);
}

/**
 * The requests under the filter as they are now, to tell what the held rows do not show yet. The first page of `held` is
 * the newest until the stream says otherwise, so that nothing is read twice.
 */
export function useHead(query: Query, held: readonly HeldPage[] | undefined) {
  const host = useHost();
  const { heard } = useLive();
  const [first] = held ?? [];
  const rows = (held ?? []).reduce((sum, page) => sum + page.items.length, 0);
  // How many are asked for is no part of the key: what is known of the head outlives that one more page is held.
  const path = operationsPath({ ...query, limit: headLimit(query, rows) });
  return useQuery({
    queryKey: keys.head(query),
    queryFn: () => send<OperationPage>(host, "GET", path),
    enabled: first !== undefined,
    initialData: first,
    initialDataUpdatedAt: first?.readAt,
    staleTime: (head) => freshFor(head.state.dataUpdatedAt, Math.max(heard.lastAt, heard.allAt)),
  });
}

/** New requests stand first; where what is asked for changes, an old one may come in anywhere among the held rows. */
function headLimit(query: Query, rows: number): number {
  return CHANGING.some((name) => query[name]) ? Math.min(rows + HEAD, LARGEST) : HEAD;
}

/** One row, as last heard: it starts as the page had it, and is read again when the stream names or may have missed it. */
export function useRow(row: Operation, readAt: number): Operation {
  const host = useHost();
  const { heard } = useLive();
  const { data } = useQuery({
    queryKey: keys.operation(row.operation_id),
    queryFn: () => send<Operation>(host, "GET", `/api/v1/operations/${encodeURIComponent(row.operation_id)}`),
    initialData: row,
    initialDataUpdatedAt: readAt,
    staleTime: (self) => freshFor(self.state.dataUpdatedAt, heard.changedAt(row.operation_id)),
    refetchOnWindowFocus: false,
  });
  return data;
}
