import { useState } from "react";
import { useLocation } from "wouter";
import { apiPath, ProblemError, send } from "../../api/client";
import type { Submitted } from "../../api/types";
import { useHost } from "../../host/context";
import { useOnce } from "../../parts/useOnce";
import type { Draft } from "./drafts";
import type { Fault } from "./form/faults";

export interface SubmitState {
  sending: boolean;
  error: Error | null;
  refused: readonly Fault[];
  press: () => void;
  forgetRefusal: () => void;
}

const NONE: readonly Fault[] = [];

/** Submits a draft under the key that was made with it: however often it is pressed or sent, it is one request. */
export function useSubmit(kind: string, draft: Draft, forget: () => void): SubmitState {
  const host = useHost();
  const [, navigate] = useLocation();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const once = useOnce();

  async function submit() {
    setSending(true);
    setError(null);
    try {
      const made = await send<Submitted>(host, "POST", apiPath("/changes"), {
        kind,
        fields: draft.fields,
        idempotency_key: draft.key,
        ...(draft.comment.trim() === "" ? {} : { comment: draft.comment.trim() }),
      });
      forget();
      navigate(`/requests/${encodeURIComponent(made.operation_id)}`);
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)));
    } finally {
      setSending(false);
    }
  }

  const errors = error instanceof ProblemError ? error.problem.errors : undefined;
  return {
    sending,
    error,
    refused: errors ? errors.map((e) => ({ pointer: e.path, message: e.message })) : NONE,
    press: () => once(submit),
    forgetRefusal: () => setError(null),
  };
}
