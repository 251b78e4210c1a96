import type { CallItem, DiffItem, HistoryItem, LedgerItem, Operation } from "../../api/types";

interface Parts {
  history: HistoryItem[];
  calls: CallItem[];
  events: LedgerItem[];
  diffs: DiffItem[];
}

/** Hands a JSON document to the person as a file. */
function saveJson(name: string, content: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Everything that the page knows of a request, as one document. */
export function exportRequest(operation: Operation, parts: Parts): void {
  const { history, calls, events, diffs } = parts;
  saveJson(`${operation.operation_id}.json`, { operation, history, diffs, events, calls });
}
