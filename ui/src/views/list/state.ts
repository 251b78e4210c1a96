import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "wouter";
import type { Query } from "../../api/client";
import type { Outlook } from "../../api/types";

export const VIEWS = ["attention", "flight", "mine", "all"] as const;
export type View = (typeof VIEWS)[number];
export const OUTLOOKS: readonly Outlook[] = ["running", "waiting", "unknown", "failed", "done"];
const FILTERS = ["outlook", "stage", "kind", "status", "who", "q"] as const;
export type Filter = (typeof FILTERS)[number];
const KEY = "signalbox.list";

/** What the list shows: a view, and filters that narrow it; all of it stands in the address. */
export interface ListState {
  view: View;
  filters: Record<Filter, string>;
  selected: string | null;
}

function isView(value: string | null): value is View {
  return VIEWS.some((view) => view === value);
}

export function readState(params: URLSearchParams): ListState {
  const view = params.get("view");
  const filters = Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? ""])) as ListState["filters"];
  return { view: isView(view) ? view : "all", filters, selected: params.get("sel") };
}

/** The part of the address that decides which rows are shown. */
export function viewKey(params: URLSearchParams): string {
  const state = readState(params);
  const out = new URLSearchParams({ view: state.view });
  for (const name of FILTERS) if (state.filters[name] !== "") out.set(name, state.filters[name]);
  return out.toString();
}

/** The outlooks that a view is about; null when it is about all. */
export const OUTLOOKS_OF: Record<View, readonly Outlook[] | null> = {
  attention: ["failed", "unknown"],
  flight: ["running", "waiting"],
  mine: null,
  all: null,
};

/** The query of the contract for a view and its filters; a filter on outlook narrows the view, or shows all of it when both have nothing in common. */
export function queryOf({ view, filters }: Pick<ListState, "view" | "filters">): Query {
  const chosen = OUTLOOKS.filter((outlook) => filters.outlook.split(",").includes(outlook));
  const own = OUTLOOKS_OF[view];
  const both = own ? chosen.filter((outlook) => own.includes(outlook)) : chosen;
  return {
    outlook: (both.length > 0 ? both : (own ?? [])).join(","),
    stage: filters.stage,
    kind: filters.kind,
    status: filters.status,
    requested_by: filters.who,
    q: filters.q,
    mine: view === "mine" ? true : "",
  };
}

/** The list's state in the address, remembered for the next start. */
export function useListState() {
  const [params, setParams] = useSearchParams();
  const client = useQueryClient();
  const search = params.toString();

  useEffect(() => {
    const remembered = localStorage.getItem(KEY);
    if (search === "" && remembered) setParams(new URLSearchParams(remembered), { replace: true });
    else if (search !== "") localStorage.setItem(KEY, search);
  }, [search, setParams]);

  /** Shows other rows: what was held for them earlier is read again. */
  function show(next: URLSearchParams) {
    client.removeQueries({ queryKey: ["held"], type: "inactive" });
    setParams(next, { replace: true });
  }

  return {
    state: readState(params),
    key: viewKey(params),
    show: (key: string) => show(new URLSearchParams(key)),
    setFilter(name: Filter, value: string) {
      const next = new URLSearchParams(params);
      if (value === "") next.delete(name);
      else next.set(name, value);
      if (!next.has("view")) next.set("view", "all");
      show(next);
    },
    clearFilters: () => show(new URLSearchParams({ view: readState(params).view })),
    select(operationId: string) {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.set("sel", operationId);
          return next;
        },
        { replace: true },
      );
    },
  };
}
