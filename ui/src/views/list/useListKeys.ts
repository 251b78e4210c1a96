import { hasOwnPress, useKeys } from "../../frame/keys";
import type { HeldRow } from "./Row";

interface ListKeys {
  rows: HeldRow[];
  selected: string | null;
  select: (operationId: string) => void;
  open: (operationId: string) => void;
  togglePeek: () => void;
  toggleChecked: (operationId: string) => void;
  clear: () => void;
  focusFilter: () => void;
  showNewer: () => void;
}

/** The keys of the list, as the line at its foot names them. */
export function useListKeys(list: ListKeys): void {
  const at = list.rows.findIndex((row) => row.operation.operation_id === list.selected);

  function go(index: number) {
    const row = list.rows[Math.max(0, Math.min(index, list.rows.length - 1))];
    if (row) list.select(row.operation.operation_id);
  }
  const next = () => go(at + 1);
  const previous = () => go(at - 1);

  useKeys({
    j: next,
    k: previous,
    arrowdown: next,
    arrowup: previous,
    home: () => go(0),
    end: () => go(list.rows.length - 1),
    enter: (event) => {
      if (hasOwnPress(event)) (event.target as HTMLElement).click();
      else if (list.selected) list.open(list.selected);
    },
    " ": (event) => {
      if (hasOwnPress(event)) (event.target as HTMLElement).click();
      else list.togglePeek();
    },
    x: () => {
      if (list.selected) list.toggleChecked(list.selected);
    },
    "/": list.focusFilter,
    ".": list.showNewer,
    escape: list.clear,
  });
}
