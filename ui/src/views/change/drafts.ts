import { useCallback, useState } from "react";
import type { Fields, Operation } from "../../api/types";

/** What somebody has typed for one kind, and the key under which it will be submitted, once. */
export interface Draft {
  fields: Fields;
  comment: string;
  key: string;
  /** When it was last kept; null for one that nobody has touched yet. */
  at: string | null;
}

const PREFIX = "signalbox.draft.";

function newDraft(fields: Fields = {}): Draft {
  return { fields, comment: "", key: crypto.randomUUID(), at: null };
}

export const readDraft = (kind: string) => readPlace(PREFIX + kind);

function readPlace(place: string): Draft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? "null") as Draft | null;
    return kept && typeof kept.key === "string" ? kept : null;
  } catch {
    return null;
  }
}

/**
 * The draft of a kind: kept on this machine at each change, gone once it is submitted or discarded. One that starts from
 * another request is kept by itself, and does not touch the draft of its kind.
 */
export function useDraft(kind: string, from?: Operation) {
  const place = PREFIX + kind + (from ? `.from.${from.operation_id}` : "");
  const [draft, setDraft] = useState(() => readPlace(place) ?? newDraft(from?.fields));

  const change = useCallback(
    (part: Partial<Pick<Draft, "fields" | "comment" | "key">>) =>
      setDraft((before) => {
        const next = { ...before, ...part, at: new Date().toISOString() };
        localStorage.setItem(place, JSON.stringify(next));
        return next;
      }),
    [place],
  );

  return {
    draft,
    change,
    /** Takes the schema's defaults, which are no work of anybody's and not kept. */
    fill: (fields: Fields) => setDraft((before) => ({ ...before, fields })),
    /** The same values under a new key: another request. */
    renew: () => change({ key: crypto.randomUUID() }),
    discard: () => {
      localStorage.removeItem(place);
      setDraft(newDraft(from?.fields));
    },
    forget: () => localStorage.removeItem(place),
  };
}
