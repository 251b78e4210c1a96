import type { Operation } from "../../api/types";
import type { Method, Reply } from "../../host/host";

/** What the mock host answers about one request beyond the request itself; null when it has no answer. */
export function answerRequest(
  _method: Method,
  _part: string,
  _body: unknown,
  _operation: Operation,
): Reply | null {
  return null;
}
