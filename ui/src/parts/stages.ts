import type { Operation } from "../api/types";

export type Stage = "approval" | "create" | "checks" | "merge" | "effective";

/** Where a request stands on its way: the five stages in the order of its own flow, and the one it is at. */
export interface Standing {
  order: readonly Stage[];
  at: number;
  /** `all` once it is effective; `early` when it ended before that. */
  end: "no" | "all" | "early";
}

const APPROVAL_FIRST: readonly Stage[] = ["approval", "create", "checks", "merge", "effective"];
const MR_FIRST: readonly Stage[] = ["create", "checks", "approval", "merge", "effective"];
const CHECKS = new Set([10002, 10004, 10005, 10502]);
const EFFECTIVE = new Set([10109, 10301, 10302]);
const ENDED_EARLY = new Set([10202, 10404, 10405]);

/** The stages in the order that a flow goes through them. */
export function orderOf(flow: Operation["flow_order"]): readonly Stage[] {
  return flow === "mr-first" ? MR_FIRST : APPROVAL_FIRST;
}

/** Computes the five-segment bar from the step code; a close stands where the request was when it was pressed, as far as that is known. */
export function standingOf(operation: Pick<Operation, "step" | "flow_order" | "mr">): Standing {
  const code = operation.step.code;
  const order = orderOf(operation.flow_order);
  const end = code === 10301 ? "all" : ENDED_EARLY.has(code) ? "early" : "no";
  return { order, at: order.indexOf(stageOf(code, operation.mr !== null, order)), end };
}

function stageOf(code: number, hasMr: boolean, order: readonly Stage[]): Stage {
  if (EFFECTIVE.has(code)) return "effective";
  if (CHECKS.has(code)) return "checks";
  const group = Math.floor(code / 100);
  if (group === 104) return "approval";
  if (group === 100) return "create";
  if (group === 102) return hasMr ? "merge" : (order[0] ?? "approval");
  return "merge";
}
