import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { useHost } from "../host/context";
import type { Change, Link } from "../host/host";
import { keys } from "./keys";

const WINDOW_MS = 100;

/** What the frame shows of the stream. */
export interface Live {
  link: Link;
  /** When the last commit was heard, in milliseconds of this machine's clock. */
  lastAt: number | null;
}

export const LiveContext = createContext<Live>({ link: "connecting", lastAt: null });

export const useLive = () => useContext(LiveContext);

/** Hears the stream and makes stale what changed, gathered over 100 ms so that a burst costs one read per request. */
export function useChanges(): Live {
  const host = useHost();
  const client = useQueryClient();
  const [live, setLive] = useState<Live>({ link: "connecting", lastAt: null });

  useEffect(() => {
    const ids = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    let wasDown = false;

    function flush() {
      timer = null;
      for (const operationId of ids) void client.invalidateQueries({ queryKey: keys.of(operationId) });
      ids.clear();
      void client.invalidateQueries({ queryKey: keys.lists });
      void client.invalidateQueries({ queryKey: keys.status });
      setLive((before) => ({ ...before, lastAt: Date.now() }));
    }

    function onChange(change: Change) {
      ids.add(change.operation_id);
      timer ??= setTimeout(flush, WINDOW_MS);
    }

    function onState(link: Link) {
      // What was missed while the stream was down is not known: everything is read again.
      if (link === "live" && wasDown) void client.invalidateQueries();
      wasDown = link === "offline" || (wasDown && link !== "live");
      setLive((before) => ({ ...before, link }));
    }

    const stop = host.changes(onChange, onState);
    return () => {
      stop();
      if (timer) clearTimeout(timer);
    };
  }, [host, client]);

  return live;
}
