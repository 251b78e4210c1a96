const KEY = "signalbox.list-order";

/** The ids of the list as it was left, in its order. */
export function listOrder(storage: Storage = sessionStorage): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Keeps the order of the list for the pages of its requests; a list that cannot be kept costs only the way to neighbours. */
export function keepListOrder(ids: readonly string[], storage: Storage = sessionStorage): void {
  try {
    storage.setItem(KEY, JSON.stringify(ids));
  } catch {
    storage.removeItem(KEY);
  }
}

/** Where a request stands in the list, and its neighbours. */
export function neighbours(order: readonly string[], operationId: string) {
  const at = order.indexOf(operationId);
  return {
    at,
    total: order.length,
    next: at >= 0 ? (order[at + 1] ?? null) : null,
    previous: at > 0 ? (order[at - 1] ?? null) : null,
  };
}
