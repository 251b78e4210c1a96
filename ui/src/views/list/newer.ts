import type { Operation } from "../../api/types";

/** What has come since the rows were read. */
export interface Newer {
  count: number;
  failed: number;
  unknown: number;
  other: number;
}

/**
 * Requests of the head that the held rows do not show; both are under the same filter. `last` is the last held row where
 * more can be read: what stands below it is not missing, it comes with the next page.
 */
export function newerThan(held: ReadonlySet<string>, head: readonly Operation[], last?: Operation): Newer {
  const fresh = head.filter((each) => !held.has(each.operation_id) && (!last || standsAbove(each, last)));
  const failed = fresh.filter((o) => o.outlook === "failed").length;
  const unknown = fresh.filter((o) => o.outlook === "unknown").length;
  return { count: fresh.length, failed, unknown, other: fresh.length - failed - unknown };
}

/** The order of the list: the newest first, and of the same moment the greater id. */
function standsAbove(one: Operation, other: Operation): boolean {
  const later = Date.parse(one.created_at) - Date.parse(other.created_at);
  return later > 0 || (later === 0 && one.operation_id > other.operation_id);
}
