import type { CallItem, HistoryItem, LedgerItem } from "../../api/types";

/** One line of the history: a move, a note that moved nothing, an event that was ignored, or what is going on now. */
export type Line =
  | { sort: "move" | "note"; key: string; at: string; item: HistoryItem; calls: CallItem[] }
  | { sort: "ignored"; key: string; at: string; event: LedgerItem }
  | { sort: "now"; key: string; at: string; calls: CallItem[] };

export type Only = "all" | "moves" | "ignored" | "people";

const TOLD_BY_A_MOVE: ReadonlySet<LedgerItem["verdict"]> = new Set(["applied"]);

/** Everything that happened, newest first: moves with their calls, and between them the events that moved nothing. */
export function storyOf(
  history: readonly HistoryItem[],
  calls: readonly CallItem[],
  events: readonly LedgerItem[],
): Line[] {
  const bySeq = new Map<number, CallItem[]>();
  const open: CallItem[] = [];
  for (const call of calls) {
    if (call.history_seq === null) open.push(call);
    else bySeq.set(call.history_seq, [...(bySeq.get(call.history_seq) ?? []), call]);
  }
  const lines: Line[] = history.map((item) => ({
    sort: isMove(item) ? "move" : "note",
    key: `m${item.seq}`,
    at: item.at,
    item,
    calls: bySeq.get(item.seq) ?? [],
  }));
  for (const [index, event] of events.entries()) {
    if (!TOLD_BY_A_MOVE.has(event.verdict)) {
      lines.push({ sort: "ignored", key: `e${event.id} ${index}`, at: event.received_at, event });
    }
  }
  const rank = (line: Line) => ("item" in line ? line.item.seq : 0);
  lines.sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || rank(b) - rank(a));
  const last = open.at(-1);
  return last ? [{ sort: "now", key: "now", at: last.at, calls: open }, ...lines] : lines;
}

export const isMove = (item: HistoryItem) => item.from === null || item.from.step.code !== item.to.step.code;

/** Whether a line is shown: `picked` is a step ("10101") or an edge of the plan ("10101-10103"). */
export function isShown(line: Line, only: Only, picked: string | null): boolean {
  if (picked !== null) {
    if (line.sort !== "move") return false;
    const from = String(line.item.from?.step.code ?? "start");
    const to = String(line.item.to.step.code);
    return picked.includes("-") ? picked === `${from}-${to}` : picked === from || picked === to;
  }
  if (only === "moves") return line.sort === "move";
  if (only === "ignored") return line.sort === "ignored";
  if (only === "people") return "item" in line && line.item.actor.kind === "operator";
  return true;
}

/** What an event in the ledger was, from its body where it says so. */
export function eventWords(event: LedgerItem): string {
  const body = asMap(event.body);
  const type = text(body.type) ?? text(body.object_kind) ?? event.source;
  const data = asMap(body.data ?? body.object_attributes);
  const parts = [text(data.decision) ?? text(data.status) ?? text(data.action), text(data.actor) ?? idOf(data)];
  return [type, ...parts.filter((part) => part !== null)].join(" ");
}

type Body = { [key: string]: unknown };
const asMap = (value: unknown): Body =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Body) : {};
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
function idOf(data: Body): string | null {
  const id = data.iid ?? data.mr_iid ?? data.id;
  return typeof id === "number" || typeof id === "string" ? `#${id}` : null;
}
