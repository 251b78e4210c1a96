import { useMediaQuery } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { totalOf, useHead, useHeldRows } from "../../api/lists";
import type { Counts } from "../../api/types";
import { ErrorNote, Loading } from "../../parts/Notes";
import { momentText } from "../../parts/time";
import { keepListOrder } from "../request/order";
import { CheckedBar } from "./CheckedBar";
import { Filters } from "./Filters";
import { Foot } from "./Foot";
import { NewerBar } from "./NewerBar";
import { NothingHere } from "./NothingHere";
import { newerThan } from "./newer";
import { Peek } from "./Peek";
import { Rows } from "./Rows";
import { keepScroll } from "./scroll";
import { queryOf, readState, useListState } from "./state";
import { useListKeys } from "./useListKeys";
import { Views } from "./Views";

/** The requests: views, filters, rows that hold still, and a panel for the selected one. */
export function ListPage() {
  const { t } = useTranslation("list");
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const wide = useMediaQuery("(min-width: 1241px)", true, { getInitialValueInEffect: false });
  const [peek, setPeek] = useState<boolean | null>(null);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const filterInput = useRef<HTMLInputElement>(null);
  const { state, key, show, setFilter, clearFilters, select } = useListState();
  const query = useMemo(() => queryOf(readState(new URLSearchParams(key))), [key]);

  const held = useHeldRows(query);
  const head = useHead(query, held.isPlaceholderData ? undefined : held.data?.pages);
  const rows = useMemo(
    () =>
      (held.data?.pages ?? []).flatMap((page) => page.items.map((operation) => ({ operation, readAt: page.readAt }))),
    [held.data],
  );
  const ids = useMemo(() => rows.map((row) => row.operation.operation_id), [rows]);
  const heldIds = useMemo(() => new Set(ids), [ids]);
  useEffect(() => keepListOrder(ids), [ids]);
  const last = held.hasNextPage ? rows.at(-1)?.operation : undefined;
  const newer = newerThan(heldIds, held.isSuccess && !held.isPlaceholderData ? (head.data?.items ?? []) : [], last);
  const counts = head.data?.counts ?? held.data?.pages[0]?.counts;
  const peekOpen = peek ?? wide ?? true;

  const open = useCallback(
    (operationId: string) => navigate(`/requests/${encodeURIComponent(operationId)}`),
    [navigate],
  );
  const { fetchNextPage, isFetchingNextPage, hasNextPage } = held;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);

  function showNewer() {
    keepScroll(key, 0);
    void client.resetQueries({ queryKey: ["held", query] });
    void head.refetch();
  }

  // A list without rows holds nothing still: what comes is shown at once.
  const showAtOnce = rows.length === 0 && newer.count > 0 && head.dataUpdatedAt > held.dataUpdatedAt;
  useEffect(() => {
    if (showAtOnce) void client.resetQueries({ queryKey: ["held", query] });
  }, [showAtOnce, client, query]);

  useListKeys({
    rows,
    selected: state.selected,
    select,
    open,
    togglePeek: () => setPeek(!peekOpen),
    toggleChecked: (id) => setChecked((before) => toggled(before, id)),
    clear: () => setChecked(new Set()),
    focusFilter: () => {
      filterInput.current?.focus();
      filterInput.current?.select();
    },
    showNewer,
  });

  const counted = useCounted(rows.length, hasNextPage, counts, head.dataUpdatedAt);
  const people = useMemo(() => [...new Set(rows.map((row) => row.operation.requested_by))].sort(), [rows]);
  const filtered = Object.values(state.filters).some((value) => value !== "");

  return (
    <>
      <Views current={key} counts={counts} onShow={show} />
      <Filters
        filters={state.filters}
        counts={counts}
        counted={counted}
        people={people}
        onFilter={setFilter}
        inputRef={filterInput}
      />
      <div className={`split${peekOpen ? " with-peek" : ""}`}>
        <div className="lst">
          <NewerBar newer={newer} onShow={showNewer} />
          {held.isPending && <Loading what={t("reading")} />}
          {held.error && rows.length === 0 && <ErrorNote error={held.error} again={() => void held.refetch()} />}
          {held.isSuccess && rows.length === 0 && (
            <NothingHere view={state.view} filtered={filtered} onClear={clearFilters} />
          )}
          {rows.length > 0 && (
            <Rows
              key={key}
              rows={rows}
              listKey={key}
              selected={state.selected}
              checked={checked}
              more={hasNextPage}
              onMore={more}
              onSelect={select}
              onOpen={open}
            />
          )}
          <CheckedBar checked={checked} onClear={() => setChecked(new Set())} />
          <Foot />
        </div>
        {peekOpen && <Peek operationId={state.selected} onOpen={open} onClose={() => setPeek(false)} />}
      </div>
    </>
  );
}

/** How many rows the filter has left, as far as that is known, of how many there are. */
function useCounted(rows: number, more: boolean, counts: Counts | undefined, at: number): string {
  const { t, i18n } = useTranslation("list");
  if (!counts) return "";
  const number = (n: number) => n.toLocaleString(i18n.language);
  const said = { shown: number(rows), total: number(totalOf(counts)), moment: momentText(new Date(at).toISOString()) };
  return more && rows < totalOf(counts) ? t("filters.countedMore", said) : t("filters.counted", said);
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before);
  if (!next.delete(id)) next.add(id);
  return next;
}
