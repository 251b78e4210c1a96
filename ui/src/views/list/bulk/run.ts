import { ProblemError, send } from "../../../api/client";
import type { Operation } from "../../../api/types";
import type { Host } from "../../../host/host";
import type { Sorted } from "./sort";

const LOOK_MS = 500;
const LOOKS = 20;

/** What one press came to, after reading back. `fault` is a short name of what went wrong, null when nothing did. */
export interface Outcome {
  operation: Operation;
  fault: string | null;
  words: string;
}

const pathOf = (id: string) => `/api/v1/operations/${encodeURIComponent(id)}`;

/** Presses the action on one request and reads it back until it rests, ten seconds at most. */
export async function pressOne(host: Host, action: string, { operation, verdict }: Sorted): Promise<Outcome> {
  if (verdict.is === "refused") return { operation, fault: "refused", words: verdict.reason };
  const id = operation.operation_id;
  try {
    await send(host, "POST", `${pathOf(id)}/actions/${encodeURIComponent(action)}`, {
      expected_version: verdict.version,
    });
    const now = await readBack(host, id);
    // One that stands where it stood has not failed anew.
    const failedAnew = now.outlook === "failed" && now.version !== verdict.version;
    const fault = failedAnew ? (now.last_error?.class ?? now.step.name) : null;
    return { operation: now, fault, words: now.sentence };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { operation, fault: error instanceof ProblemError ? error.code : "unreached", words };
  }
}

async function readBack(host: Host, id: string): Promise<Operation> {
  let now = await send<Operation>(host, "GET", pathOf(id));
  for (let look = 0; look < LOOKS && now.outlook === "running"; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    now = await send<Operation>(host, "GET", pathOf(id));
  }
  return now;
}

/** The first outcome whose fault nobody has seen yet: there the run stops. */
export function newFault(outcomes: readonly Outcome[], seen: ReadonlySet<string>): string | null {
  return outcomes.find((outcome) => outcome.fault !== null && !seen.has(outcome.fault))?.fault ?? null;
}
