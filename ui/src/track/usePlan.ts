import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryItem, Operation, Workflow } from "../api/types";
import { layOut } from "./layout";
import { screenMeasure } from "./lettering";
import { possibleMoves } from "./moves";
import type { Measure, Plan, Walked } from "./types";
import { planWords } from "./words";

const NOTE_LENGTH = 42;

/** The moves of a request in the order they were made, without the notes that moved nothing. */
export function walkedOf(history: readonly HistoryItem[]): Walked[] {
  return history
    .filter((item) => item.from === null || item.from.step.code !== item.to.step.code)
    .map((item) => ({
      from: item.from?.step.code ?? null,
      to: item.to.step.code,
      event: item.event,
      at: Date.parse(item.at),
      ms: item.duration_ms,
    }))
    .sort((a, b) => a.at - b.at);
}

/** Measures with the fonts of the page, which are the system's: there is no font to wait for. */
function useMeasure(): Measure {
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const font = (name: string, other: string) => style.getPropertyValue(name).trim() || other;
    return screenMeasure(font("--font", "sans-serif"), font("--mono", "monospace"));
  }, []);
}

export interface PlanSource {
  workflow: Workflow;
  operation: Operation;
  history: readonly HistoryItem[];
  /** Actions that the engine is known to refuse now. */
  refused: ReadonlySet<string>;
}

/** The placed plan of a request for a width in px. */
export function usePlan({ workflow, operation, history, refused }: PlanSource, width: number): Plan | null {
  const { i18n } = useTranslation(["track", "words"]);
  const measure = useMeasure();
  const walked = useMemo(() => walkedOf(history), [history]);
  return useMemo(() => {
    if (width <= 0) return null;
    const current = operation.step.code;
    const message = operation.outlook === "failed" ? (operation.last_error?.message ?? null) : null;
    return layOut({
      chart: workflow,
      order: operation.flow_order,
      width,
      walked,
      current,
      enteredAt: Date.parse(operation.entered_at) || null,
      note: message !== null && message.length <= NOTE_LENGTH ? message : null,
      possible: possibleMoves(workflow, {
        current,
        order: operation.flow_order,
        hasMr: operation.mr !== null,
        refused,
      }),
      words: planWords(i18n.getFixedT(i18n.language, ["track", "words"])),
      measure,
    });
  }, [width, operation, walked, workflow, refused, measure, i18n, i18n.language]);
}
