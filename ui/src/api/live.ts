import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useLayoutEffect, useState } from "react";
import { useHost } from "../host/context";
import type { Change, Link } from "../host/host";
import { Heard } from "./heard";
import { keys } from "./keys";
import { makeAllStale, makeStale } from "./stale";

const WINDOW_MS = 100;
const LISTS_MS = 1000;

/** What the pages know of the stream. */
export interface Live {
  link: Link;
  /** When the last commit was heard, in milliseconds of this machine's clock. */
  lastAt: number | null;
  heard: Heard;
}

export const LiveContext = createContext<Live>({ link: "connecting", lastAt: null, heard: new Heard() });

export const useLive = () => useContext(LiveContext);

/**
 * Hears the stream and makes stale what changed. Commits are gathered over 100 ms, so that a burst costs one read per
 * request on the screen; lists and counts are read once a second at most.
 */
export function useChanges(): Live {
  const host = useHost();
  const client = useQueryClient();
  const [heard] = useState(() => new Heard());
  const [link, setLink] = useState<Link>("connecting");
  const [lastAt, setLastAt] = useState<number | null>(null);

  // Before the pages begin to read: what is read while the stream comes up has to be read again.
  useLayoutEffect(() => {
    const ids = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let listTimer: ReturnType<typeof setTimeout> | undefined;
    let listsAt = 0;
    // What was read before the stream stood may have changed unheard.
    let wasDown = true;

    function readLists() {
      listTimer = undefined;
      listsAt = Date.now();
      makeStale(client, { queryKey: keys.lists });
      makeStale(client, { queryKey: keys.status });
    }

    function flush() {
      timer = undefined;
      const now = Date.now();
      heard.hear(ids, now);
      makeStale(client, { queryKey: keys.operations, predicate: ({ queryKey: [, id] }) => ids.has(String(id)) });
      ids.clear();
      listTimer ??= setTimeout(readLists, Math.max(0, listsAt + LISTS_MS - now));
      setLastAt(now);
    }

    function onChange(change: Change) {
      ids.add(change.operation_id);
      timer ??= setTimeout(flush, WINDOW_MS);
    }

    function readAgain() {
      heard.miss(Date.now());
      makeAllStale(client);
    }

    function onState(next: Link) {
      // What was missed while the stream was down is not known.
      if (next === "live" && wasDown) readAgain();
      if (next === "offline") wasDown = true;
      if (next === "live") wasDown = false;
      setLink(next);
    }

    // A window that was hidden may have heard nothing, and would never know: what is shown again is read again.
    function onShown() {
      if (document.visibilityState === "visible") readAgain();
    }

    const stop = host.changes(onChange, onState);
    document.addEventListener("visibilitychange", onShown);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", onShown);
      clearTimeout(timer);
      clearTimeout(listTimer);
    };
  }, [host, client, heard]);

  return { link, lastAt, heard };
}
