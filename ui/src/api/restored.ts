import { useSyncExternalStore } from "react";
import type { Restored } from "../host/host";

const KEY = "signalbox.restored";
const hearers = new Set<() => void>();

/** Keeps what was restored until the notice is closed, also over a reload of the page. */
export function keepRestored(restored: Restored | null): void {
  if (restored) sessionStorage.setItem(KEY, JSON.stringify(restored));
  else sessionStorage.removeItem(KEY);
  for (const hear of hearers) hear();
}

/** What was restored last, while its notice is open. */
export function useRestored(): Restored | null {
  const text = useSyncExternalStore(
    (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    () => sessionStorage.getItem(KEY),
  );
  return text === null ? null : (JSON.parse(text) as Restored);
}
