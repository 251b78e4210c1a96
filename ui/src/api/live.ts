import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { useHost } from "../host/context";
import type { Change, Link } from "../host/host";
import { keys } from "./keys";

const WINDOW_MS = 100;
const LISTS_MS = 1000;
const REMEMBERED = 5000;

/** What the pages know of the stream. */
export interface Live {
  link: Link;
  /** When the last commit was heard, in milliseconds of this machine's clock. */
  lastAt: number | null;
  /** When each request was last heard of; the oldest are forgotten. */
  changedAt: ReadonlyMap<string, number>;
}

export const LiveContext = createContext<Live>({ link: "connecting", lastAt: null, changedAt: new Map() });

export const useLive = () => useContext(LiveContext);

/**
 * Hears the stream and makes stale what changed. Commits are gathered over 100 ms, so that a burst costs one read per
 * request on the screen; lists and counts are read once a second at most.
 */
export function useChanges(): Live {
  const host = useHost();
  const client = useQueryClient();
  const changedAt = useRef(new Map<string, number>());
  const [link, setLink] = useState<Link>("connecting");
  const [lastAt, setLastAt] = useState<number | null>(null);

  useEffect(() => {
    const ids = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let listTimer: ReturnType<typeof setTimeout> | undefined;
    let listsAt = 0;
    // What was read before the stream stood may have changed unheard.
    let wasDown = true;

    function readLists() {
      listTimer = undefined;
      listsAt = Date.now();
      void client.invalidateQueries({ queryKey: keys.lists });
      void client.invalidateQueries({ queryKey: keys.status });
    }

    function flush() {
      timer = undefined;
      const now = Date.now();
      for (const operationId of ids) {
        changedAt.current.delete(operationId);
        changedAt.current.set(operationId, now);
        void client.invalidateQueries({ queryKey: keys.of(operationId) });
      }
      ids.clear();
      for (const old of changedAt.current.keys()) {
        if (changedAt.current.size <= REMEMBERED) break;
        changedAt.current.delete(old);
      }
      listTimer ??= setTimeout(readLists, Math.max(0, listsAt + LISTS_MS - now));
      setLastAt(now);
    }

    function onChange(change: Change) {
      ids.add(change.operation_id);
      timer ??= setTimeout(flush, WINDOW_MS);
    }

    function onState(next: Link) {
      // What was missed while the stream was down is not known: everything is read again.
      if (next === "live" && wasDown) void client.invalidateQueries();
      if (next === "offline") wasDown = true;
      if (next === "live") wasDown = false;
      setLink(next);
    }

    // A window that was hidden may have heard nothing, and would never know: what is shown again is read again.
    function onShown() {
      if (document.visibilityState === "visible") void client.invalidateQueries();
    }

    const stop = host.changes(onChange, onState);
    document.addEventListener("visibilitychange", onShown);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", onShown);
      clearTimeout(timer);
      clearTimeout(listTimer);
    };
  }, [host, client]);

  return { link, lastAt, changedAt: changedAt.current };
}
