import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useHost } from "../host/context";
import { apiPath, send } from "./client";
import { keys } from "./keys";
import type { Flow, Settings, Sweep } from "./types";

export function useSettings() {
  const host = useHost();
  return useQuery({ queryKey: keys.settings, queryFn: () => send<Settings>(host, "GET", apiPath("/settings")) });
}

/** Switches one part of the flow; the engine logs it as a field difference. */
export function useSwitchFlow() {
  const host = useHost();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (flow: Partial<Flow>) => send<Settings>(host, "PATCH", apiPath("/settings"), { flow }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.settings });
      void client.invalidateQueries({ queryKey: keys.status });
    },
  });
}

/** What one sweep would do now; it reads the remotes and moves nothing. */
export function useDrySweep() {
  const host = useHost();
  return useQuery({
    queryKey: keys.sweep,
    queryFn: async () => {
      const sweep = await send<Sweep>(host, "POST", apiPath("/reconcile"), { dry_run: true });
      return { ...sweep, readAt: new Date().toISOString() };
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

/** One sweep now. */
export function useSweep() {
  const host = useHost();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<Sweep>(host, "POST", apiPath("/reconcile"), { dry_run: false }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.sweep }),
  });
}
