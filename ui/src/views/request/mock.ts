import type { Operation } from "../../api/types";
import type { Method, Reply } from "../../host/host";
import { sampleChart } from "../../track/chart.sample";
import { sampleCalls, sampleDiffs, sampleEvents, sampleFiles, sampleHistory } from "./sample";
import { sampleActions } from "./sampleActions";

const ok = (body: unknown, status = 200): Reply => ({ status, body });
const items = (list: unknown[]): Reply => ok({ items: list });

/** What the mock host answers about one request beyond the request itself; null when it has no answer. */
export function answerRequest(method: Method, part: string, body: unknown, operation: Operation): Reply | null {
  if (method === "POST") return press(part, body as { expected_version?: number }, operation);
  if (part === "/workflows/merge-request") return ok(sampleChart);
  if (part === "history") return items(sampleHistory(operation));
  if (part === "calls") return items(sampleCalls(operation, sampleHistory(operation)));
  if (part === "events") return items(sampleEvents(operation));
  if (part === "diffs") return items(sampleDiffs(operation));
  if (part === "files") return items(sampleFiles(operation));
  if (part === "actions") return ok(sampleActions(operation));
  return null;
}

function press(part: string, body: { expected_version?: number }, operation: Operation): Reply | null {
  if (part === "reapply") return ok({ operation_id: operation.operation_id, status_url: "" }, 202);
  const action = /^actions\/(.+)$/.exec(part)?.[1];
  if (action === undefined) return null;
  if (body.expected_version !== operation.version) {
    return ok(
      {
        type: "https://signalbox.dev/problems/stale",
        title: "stale",
        status: 409,
        detail: "Somebody was first.",
        version: operation.version,
        last_change: { at: operation.updated_at, actor: { kind: "operator", name: "ops-2" }, event: "resume" },
      },
      409,
    );
  }
  const one = sampleActions(operation).actions.find((item) => item.action === action);
  if (one?.allowed !== true) {
    return ok(
      {
        type: "https://signalbox.dev/problems/illegal",
        title: "illegal",
        status: 422,
        detail: one?.reason,
        reason: one?.reason,
      },
      422,
    );
  }
  return ok(operation, 202);
}
