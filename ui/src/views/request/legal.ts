import type { ActionItem, ActionName, Operation, Workflow } from "../../api/types";
import { ACTION_OF } from "../../track/table";

/** A button of the action bar: whether it is legal now, and the engine's words if not. */
export interface Choice {
  action: ActionName;
  allowed: boolean;
  reason: string | null;
}

const BAR: readonly ActionName[] = ["retry-approval", "resume", "reconcile", "close"];
const REAPPLIABLE: ReadonlySet<string> = new Set(["REJECTED", "CLOSED"]);

/**
 * The buttons with the engine's own verdict; until it has answered, what its transition table says. `whyNot` words a
 * refusal that the engine has not worded.
 */
export function choicesOf(
  items: readonly ActionItem[] | undefined,
  workflow: Workflow | undefined,
  operation: Operation,
  whyNot: string,
): Choice[] {
  return BAR.map((action) => {
    const item = items?.find((one) => one.action === action);
    if (item) return { action, allowed: item.allowed, reason: item.allowed ? null : (item.reason ?? whyNot) };
    const listed = action === "reconcile" || isListed(workflow, operation.step.code, action);
    return { action, allowed: listed, reason: listed ? null : whyNot };
  });
}

function isListed(workflow: Workflow | undefined, code: number, action: string): boolean {
  return (
    workflow?.transitions.some((t) => t.from === code && t.by === "operator" && ACTION_OF[t.event] === action) ?? false
  );
}

/** Whether the relation may be applied for again. */
export function mayReapply(operation: Operation, repeatable: boolean): boolean {
  if (!operation.owner) return false;
  return REAPPLIABLE.has(operation.status) || (repeatable && operation.status === "VALIDATED");
}

/** The action to offer first: what is definite asks for an act, an unknown result for a reading, the rest for nothing. */
export function recommended(choices: readonly Choice[], operation: Operation, reappliable: boolean): ActionName | null {
  const legal = (action: ActionName) => choices.some((choice) => choice.action === action && choice.allowed);
  if (operation.outlook === "failed") {
    return (["retry-approval", "resume", "reconcile", "close"] as const).find(legal) ?? null;
  }
  if (operation.outlook === "unknown") return legal("reconcile") ? "reconcile" : null;
  return reappliable ? "reapply" : null;
}
