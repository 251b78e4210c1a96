import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useHost } from "../host/context";
import { apiPath, type Query, send } from "./client";
import { keys } from "./keys";
import { makeStale } from "./stale";
import type {
  Actions,
  CallItem,
  DiffItem,
  FileChange,
  HistoryItem,
  Kind,
  LedgerItem,
  Operation,
  Status,
  Workflow,
} from "./types";

const id = encodeURIComponent;

function useRead<T>(key: readonly unknown[], path: string, options: { enabled?: boolean; every?: number } = {}) {
  const host = useHost();
  return useQuery({
    queryKey: key,
    queryFn: () => send<T>(host, "GET", path),
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
  });
}

/** Version, person, switches, remotes' health and the counts of the frame. */
export const useStatus = () => useRead<Status>(keys.status, apiPath("/status"), { every: 15_000 });

export const useOperation = (operationId: string, enabled = true) =>
  useRead<Operation>(keys.operation(operationId), apiPath(`/operations/${id(operationId)}`), { enabled });

/** Every move of one request, oldest first. */
export const useHistory = (operationId: string) =>
  useRead<{ items: HistoryItem[] }>(
    keys.part(operationId, "history"),
    apiPath(`/operations/${id(operationId)}/history`),
  );

export const useDiffs = (operationId: string) =>
  useRead<{ items: DiffItem[] }>(keys.part(operationId, "diffs"), apiPath(`/operations/${id(operationId)}/diffs`));

export const useEvents = (operationId: string) =>
  useRead<{ items: LedgerItem[] }>(keys.part(operationId, "events"), apiPath(`/operations/${id(operationId)}/events`));

export const useCalls = (operationId: string) =>
  useRead<{ items: CallItem[] }>(keys.part(operationId, "calls"), apiPath(`/operations/${id(operationId)}/calls`));

export const useFiles = (operationId: string) =>
  useRead<{ items: FileChange[] }>(keys.part(operationId, "files"), apiPath(`/operations/${id(operationId)}/files`));

/** What may be done now, with what the remotes say now: each read costs remote calls, so it is asked for only where it is shown. */
export const useActions = (operationId: string, enabled = true) =>
  useRead<Actions>(keys.part(operationId, "actions"), apiPath(`/operations/${id(operationId)}/actions`), {
    enabled,
  });

/** The transition table; it does not change while the engine runs. */
export function useWorkflow(workflow = "merge-request") {
  const host = useHost();
  return useQuery({
    queryKey: keys.workflow(workflow),
    queryFn: () => send<Workflow>(host, "GET", apiPath(`/workflows/${id(workflow)}`, { format: "json" })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const useKinds = () => useRead<{ items: Kind[] }>(keys.kinds, apiPath("/kinds"));

/** Presses one action of section 5 of the contract, guarded by the version the person saw. */
export function useAct(operationId: string) {
  const host = useHost();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (press: { action: string; expected_version: number; comment?: string }) =>
      send<Operation>(host, "POST", apiPath(`/operations/${id(operationId)}/actions/${id(press.action)}`), {
        expected_version: press.expected_version,
        ...(press.comment ? { comment: press.comment } : {}),
      }),
    onSuccess: (operation) => {
      client.setQueryData(keys.operation(operationId), operation);
      makeStale(client, { queryKey: keys.of(operationId) });
    },
  });
}

/** Path of the list of requests under these filters. */
export const operationsPath = (query: Query) => apiPath("/operations", query);
