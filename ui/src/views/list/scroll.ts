const KEY = "signalbox.list.scroll";

/** How far down the list was when it was last seen under this view and these filters, in px. */
export function scrollOf(listKey: string): number {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as { listKey?: string; offset?: number } | null;
    return kept?.listKey === listKey ? (kept.offset ?? 0) : 0;
  } catch {
    return 0;
  }
}

export function keepScroll(listKey: string, offset: number): void {
  localStorage.setItem(KEY, JSON.stringify({ listKey, offset: Math.round(offset) }));
}
