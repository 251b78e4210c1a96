import { useCallback, useEffect, useRef, useState } from "react";
import { apiPath, send } from "../../../api/client";
import type { Actions, Operation } from "../../../api/types";
import { useHost } from "../../../host/context";
import { newFault, type Outcome, pressOne } from "./run";
import { type Sorted, verdictOf } from "./sort";

/** How many requests are worked on at a time. */
const STEP = 2;

export type BulkPhase = "asking" | "ready" | "running" | "stopped" | "done";

/** One action on many requests: ask about each, run one, then the rest in small steps, stopping at each new kind of fault. */
export function useBulk(ids: readonly string[], action: string, noReason: string) {
  const host = useHost();
  const [sorted, setSorted] = useState<Sorted[]>([]);
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const [phase, setPhase] = useState<BulkPhase>("asking");
  const [fault, setFault] = useState<string | null>(null);
  const seen = useRef(new Set<string>());
  const paused = useRef(false);

  useEffect(() => {
    let alive = true;
    async function ask() {
      for (const id of ids) {
        const one = await askOne(id);
        if (!alive) return;
        if (one) setSorted((before) => [...before, one]);
      }
      setPhase("ready");
    }
    async function askOne(id: string): Promise<Sorted | null> {
      const path = `/operations/${encodeURIComponent(id)}`;
      const operation = await send<Operation>(host, "GET", apiPath(path)).catch(() => null);
      if (!operation) return null;
      try {
        const actions = await send<Actions>(host, "GET", apiPath(`${path}/actions`));
        return { operation, verdict: verdictOf(actions, action, noReason) };
      } catch (error) {
        return { operation, verdict: { is: "refused", reason: error instanceof Error ? error.message : noReason } };
      }
    }
    setSorted([]);
    void ask();
    return () => {
      alive = false;
      paused.current = true;
    };
  }, [host, ids, action, noReason]);

  const allowed = sorted.filter((one) => one.verdict.is !== "refused");
  const left = allowed.slice(outcomes.length);

  const run = useCallback(
    async (many: Sorted[]) => {
      paused.current = false;
      setFault(null);
      setPhase("running");
      let at = 0;
      while (at < many.length && !paused.current) {
        const part = await Promise.all(many.slice(at, at + STEP).map((one) => pressOne(host, action, one)));
        at += part.length;
        setOutcomes((before) => [...before, ...part]);
        const found = newFault(part, seen.current);
        if (found) {
          for (const outcome of part) if (outcome.fault) seen.current.add(outcome.fault);
          setFault(found);
          break;
        }
      }
      setPhase("stopped");
    },
    [host, action],
  );

  return {
    phase: phase === "stopped" && left.length === 0 ? ("done" as const) : phase,
    sorted,
    outcomes,
    allowed,
    left,
    fault,
    runFirst: () => void run(left.slice(0, 1)),
    runRest: () => void run(left),
    pause: () => {
      paused.current = true;
    },
  };
}
