import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { apiPath, send } from "../../api/client";
import { useAct, useCalls, useHistory } from "../../api/hooks";
import { keys } from "../../api/keys";
import type { Actions, CallItem, HistoryItem } from "../../api/types";
import { useHost } from "../../host/context";
import type { Host } from "../../host/host";
import { useOnce } from "../../parts/useOnce";
import { type Baseline, baselineOf, isBlind, type Progress, progressOf } from "./progress";
import { type Refusal, refusalOf } from "./refusal";

const LOOK_MS = 1000;

/**
 * Where a press stands. `open` may be pressed; a refusal leaves it open, with the refusal in words. It is `blind` when what
 * comes of it cannot be told from what stood there before.
 */
export type Phase =
  | { is: "open"; refused: Refusal | null }
  | { is: "sending" }
  | { is: "accepted"; at: string; reading: Actions; progress: Progress; blind: boolean };

interface Pressed {
  at: string;
  reading: Actions;
  baseline: Baseline;
  writes: boolean;
}

/** Presses an action on the version that the plan was made for, and follows what comes of it. */
export function usePress(operationId: string, action: string) {
  const host = useHost();
  const client = useQueryClient();
  const act = useAct(operationId);
  const once = useOnce();
  const calls = useCalls(operationId);
  const history = useHistory(operationId);
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const callItems = calls.data?.items ?? [];
  const historyItems = history.data?.items ?? [];

  const progress = pressed
    ? progressOf(action, pressed.writes, pressed.baseline, callItems, historyItems)
    : { sent: null, observed: null };
  const watching = pressed !== null && progress.observed === null;
  const { refetch: readCalls } = calls;
  const { refetch: readHistory } = history;
  useEffect(() => {
    if (!watching) return;
    // A call that is under way is no commit: the stream does not tell of it, so it is looked for.
    const timer = setInterval(() => {
      void readCalls();
      void readHistory();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [watching, readCalls, readHistory]);

  function press(reading: Actions, version: number, comment: string) {
    const plan = reading.actions.find((item) => item.action === action)?.plan ?? [];
    const writes = plan.some((call) => call.effect === "write" && !call.skip);
    once(async () => {
      setRefused(null);
      setSending(true);
      try {
        const baseline = await readBaseline(host, operationId);
        await act.mutateAsync({ action, expected_version: version, comment: comment.trim() });
        setPressed({ at: new Date().toISOString(), reading, baseline, writes });
      } catch (error) {
        setRefused(refusalOf(error as Error));
        // Whatever stood in the way is newer than what is shown.
        void client.invalidateQueries({ queryKey: keys.of(operationId) });
      } finally {
        setSending(false);
      }
    });
  }

  const phase: Phase = pressed
    ? { is: "accepted", at: pressed.at, reading: pressed.reading, progress, blind: isBlind(pressed.baseline) }
    : sending
      ? { is: "sending" }
      : { is: "open", refused };
  return { phase, press };
}

/** What stands there now. It is read anew: what the page has shown may be older than the last call, which no stream tells of. */
async function readBaseline(host: Host, operationId: string): Promise<Baseline> {
  const read = async <T>(part: string): Promise<T[] | null> => {
    const path = apiPath(`/operations/${encodeURIComponent(operationId)}/${part}`);
    // What is not known of the past must not keep a person from acting.
    const answer = await send<{ items: T[] }>(host, "GET", path).catch(() => null);
    return answer?.items ?? null;
  };
  return baselineOf(...(await Promise.all([read<CallItem>("calls"), read<HistoryItem>("history")])));
}
