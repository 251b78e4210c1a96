import type { Operation } from "../../api/types";

/** What has come since the rows were read. */
export interface Newer {
  count: number;
  failed: number;
  unknown: number;
  other: number;
}

/** Requests of the head that the held rows do not show; both are under the same filter. */
export function newerThan(held: ReadonlySet<string>, head: readonly Operation[]): Newer {
  const fresh = head.filter((operation) => !held.has(operation.operation_id));
  const failed = fresh.filter((o) => o.outlook === "failed").length;
  const unknown = fresh.filter((o) => o.outlook === "unknown").length;
  return { count: fresh.length, failed, unknown, other: fresh.length - failed - unknown };
}
