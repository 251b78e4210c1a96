import { useCallback, useSyncExternalStore } from "react";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function everySecond(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.visibilityState === "hidden") return;
    for (const each of listeners) each();
  }, SECOND);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };
}

/** What the words for a distance depend on: its seconds below a minute, and its minutes beyond. */
function readingOf(distance: number): string {
  const ms = Math.abs(distance);
  const reading = ms < MINUTE ? `${Math.floor(ms / SECOND)} s` : `${Math.floor(ms / MINUTE)} min`;
  return distance < 0 ? `-${reading}` : reading;
}

/**
 * A text that says how far `moments` (in milliseconds) are from now. It is made again when one of the distances reads
 * differently, so that old moments cost nothing between two minutes; the component renders again only when the text changed.
 */
export function useTimedText(text: (now: number) => string, ...moments: readonly number[]): string {
  const followed = moments.join();
  const subscribe = useCallback(
    (changed: () => void) => {
      const from = followed === "" ? [] : followed.split(",").map(Number);
      const read = () => from.map((moment) => readingOf(Date.now() - moment)).join();
      let last = read();
      return everySecond(() => {
        const next = read();
        if (next === last) return;
        last = next;
        changed();
      });
    },
    [followed],
  );
  return useSyncExternalStore(subscribe, () => text(Date.now()));
}
