import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useAct, useCalls, useHistory } from "../../api/hooks";
import { keys } from "../../api/keys";
import type { Actions } from "../../api/types";
import { useOnce } from "../../parts/useOnce";
import { type Baseline, baselineOf, type Progress, progressOf } from "./progress";
import { type Refusal, refusalOf } from "./refusal";

const LOOK_MS = 1000;

/** Where a press stands. `open` may be pressed; a refusal leaves it open, with the refusal in words. */
export type Phase =
  | { is: "open"; refused: Refusal | null }
  | { is: "sending" }
  | { is: "accepted"; at: string; reading: Actions; progress: Progress };

interface Pressed {
  at: string;
  reading: Actions;
  baseline: Baseline;
  writes: boolean;
}

/** Presses an action on the version that the plan was made for, and follows what comes of it. */
export function usePress(operationId: string, action: string) {
  const client = useQueryClient();
  const act = useAct(operationId);
  const once = useOnce();
  const calls = useCalls(operationId);
  const history = useHistory(operationId);
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
    const baseline = baselineOf(callItems, historyItems);
    setRefused(null);
    once(() =>
      act.mutateAsync(
        { action, expected_version: version, comment: comment.trim() },
        {
          onSuccess: () => setPressed({ at: new Date().toISOString(), reading, baseline, writes }),
          onError: (error) => {
            setRefused(refusalOf(error));
            // Whatever stood in the way is newer than what is shown.
            void client.invalidateQueries({ queryKey: keys.of(operationId) });
          },
        },
      ),
    );
  }

  const phase: Phase = pressed
    ? { is: "accepted", at: pressed.at, reading: pressed.reading, progress }
    : act.isPending
      ? { is: "sending" }
      : { is: "open", refused };
  return { phase, press };
}
