import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useHost } from "../host/context";
import { apiPath, send } from "./client";
import { keys } from "./keys";
import type { FollowUp, FollowUps, Recovery } from "./types";

/** Tries of work that follows are not told by the stream. */
const EVERY_MS = 5_000;

/** Requests that need a person, by what stopped them. */
export function useRecovery() {
  const host = useHost();
  return useQuery({
    queryKey: keys.recovery,
    queryFn: () => send<Recovery>(host, "GET", apiPath("/recovery")),
    refetchInterval: EVERY_MS * 3,
  });
}

/** Work that follows from requests; what has ended only where it is asked for. */
export function useFollowUps(endedToo: boolean) {
  const host = useHost();
  return useQuery({
    queryKey: [...keys.following, endedToo],
    queryFn: () => send<FollowUps>(host, "GET", apiPath("/compensations", { ended: endedToo })),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}

export type FollowAct = "replay" | "ignore";

/** Tries a piece of work now, or gives it up with a reason. */
export function useFollowAct(code: string) {
  const host = useHost();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, reason }: { act: FollowAct; reason: string }) =>
      send<FollowUp>(
        host,
        "POST",
        apiPath(`/compensations/${encodeURIComponent(code)}/${act}`),
        act === "ignore" ? { reason } : {},
      ),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.following });
      void client.invalidateQueries({ queryKey: keys.status });
    },
  });
}
