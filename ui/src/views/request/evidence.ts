import type { CallItem } from "../../api/types";

/** One intended write: how often it was sent, and what was read of its effect afterwards. */
export interface Evidence {
  key: string;
  write: string;
  account: string | null;
  first: string;
  sends: number;
  effect:
    | { sort: "answered"; status: number }
    | { sort: "readBack"; status: number; at: string }
    | { sort: "refused"; status: number; errorClass: string }
    | { sort: "open" };
  why: string | null;
}

/** Groups the writes of each stay by what they wrote; a read of the same remote after the last send counts as reading back. */
export function evidenceOf(calls: readonly CallItem[]): Evidence[] {
  const ordered = [...calls].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.id - b.id);
  const groups = new Map<string, CallItem[]>();
  for (const call of ordered) {
    if (call.effect !== "write") continue;
    const key = [call.history_seq, call.remote, call.method, call.path, call.account].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups].flatMap(([key, sends]) => {
    const [first] = sends;
    const last = sends.at(-1);
    if (!first || !last) return [];
    const back = ordered.find(
      (call) =>
        call.effect === "read" &&
        call.remote === last.remote &&
        call.history_seq === last.history_seq &&
        Date.parse(call.at) >= Date.parse(last.at) &&
        isFine(call),
    );
    return [
      {
        key,
        write: `${first.method} ${first.path}`,
        account: first.account || null,
        first: first.at,
        sends: sends.length,
        effect: effectOf(last, back),
        why: back?.detail ?? last.detail,
      },
    ];
  });
}

const isFine = (call: CallItem) => call.http_status !== null && call.http_status < 400;

function effectOf(last: CallItem, back: CallItem | undefined): Evidence["effect"] {
  const status = last.http_status;
  if (status === null) return { sort: "open" };
  if (status >= 400) return { sort: "refused", status, errorClass: last.error_class ?? "" };
  return back ? { sort: "readBack", status, at: back.at } : { sort: "answered", status };
}
