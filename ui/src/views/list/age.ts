import type { Operation } from "../../api/types";

/** A step that takes this much longer than usual is over; less is noise. */
const SLACK_MS = 5000;

/** How long a request has been where it is, in milliseconds; for one that has ended, how long it took in all. */
export function ageOf(operation: Operation, now: number): { ms: number; over: boolean } {
  if (operation.outlook === "done") {
    return { ms: Date.parse(operation.updated_at) - Date.parse(operation.created_at), over: false };
  }
  const ms = now - Date.parse(operation.entered_at);
  return { ms, over: operation.usual_ms !== null && ms > operation.usual_ms + SLACK_MS };
}

/** The moments that the age is counted from: none of a request that has ended. */
export function ageMoments(operation: Operation): number[] {
  if (operation.outlook === "done") return [];
  const entered = Date.parse(operation.entered_at);
  return operation.usual_ms === null ? [entered] : [entered, entered + operation.usual_ms + SLACK_MS];
}
