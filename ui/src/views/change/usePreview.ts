import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiPath, ProblemError, send } from "../../api/client";
import { keys } from "../../api/keys";
import type { Fields, Preview } from "../../api/types";
import { useHost } from "../../host/context";
import type { Fault } from "./form/faults";

const WAIT_MS = 300;
const FRESH_MS = 15_000;
const NONE: readonly Fault[] = [];

/** What the change would do, against the target branch as it is now. */
export interface PreviewState {
  data: Preview | undefined;
  error: Error | null;
  reading: boolean;
  /** The preview is for values that have been changed since. */
  stale: boolean;
  readAt: number;
  /** Faults that only the engine can find. */
  refused: readonly Fault[];
  /** The request that holds the relation, when it is not free. */
  holder: string | null;
  again: () => void;
}

/** Asks for the preview once the values fit the schema and typing rests. */
export function usePreview(kind: string, fields: Fields, fits: boolean): PreviewState {
  const host = useHost();
  const [rested] = useDebouncedValue(fields, WAIT_MS);
  const settled = rested === fields;
  const asked = useQuery({
    queryKey: keys.preview(kind, rested),
    queryFn: async () => {
      const preview = await send<Preview>(host, "POST", apiPath("/changes", { dry_run: true }), {
        kind,
        fields: rested,
      });
      return { ...preview, readAt: Date.now() };
    },
    enabled: fits && settled,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const error = fits && settled ? asked.error : null;
  const problem = error instanceof ProblemError ? error.problem : null;
  const relation = asked.data?.relation;
  const holder = relation?.state === "busy" && settled && fits ? (relation.operation_id ?? "") : null;
  return {
    data: asked.data,
    error,
    reading: fits && asked.isFetching,
    stale: asked.data !== undefined && (!fits || !settled || asked.isPlaceholderData),
    readAt: asked.data?.readAt ?? 0,
    refused: problem?.errors ? problem.errors.map((e) => ({ pointer: e.path, message: e.message })) : NONE,
    holder,
    again: () => void asked.refetch(),
  };
}
