import { useMutation } from "@tanstack/react-query";
import { useHost } from "../../host/context";
import { useOnce } from "../../parts/useOnce";

export interface Exporting {
  saving: boolean;
  /** Where the last bundle was saved. */
  saved: string | null;
  error: Error | null;
  press: () => void;
}

/** Saves the evidence bundle of a request as a file of the person. */
export function useExport(operationId: string): Exporting {
  const host = useHost();
  const once = useOnce();
  const save = useMutation({ mutationFn: () => host.saveEvidence(operationId) });
  return {
    saving: save.isPending,
    saved: save.data ?? null,
    error: save.error,
    press: () => once(() => save.mutateAsync()),
  };
}
