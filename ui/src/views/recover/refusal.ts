import { ProblemError } from "../../api/client";
import type { Problem } from "../../api/types";
import { HostError } from "../../host/host";

/** Why a press was not accepted; `held` names the request that stands in the way, of `unreached` nothing is known. */
export type Refusal =
  | { sort: "stale"; problem: Problem }
  | { sort: "held"; words: string; operationId: string }
  | { sort: "illegal" | "failed" | "unreached"; words: string };

export function refusalOf(error: Error): Refusal {
  if (error instanceof HostError) return { sort: "unreached", words: error.message };
  if (!(error instanceof ProblemError)) return { sort: "failed", words: error.message };
  const { reason, status, operation_id: operationId } = error.problem;
  if (error.code === "stale") return { sort: "stale", problem: error.problem };
  if (error.code === "illegal") return { sort: "illegal", words: reason ?? error.message };
  if (status === 409 && operationId) return { sort: "held", words: error.message, operationId };
  return { sort: "failed", words: error.message };
}
