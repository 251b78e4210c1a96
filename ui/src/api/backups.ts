import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useHost } from "../host/context";
import { HostError } from "../host/host";
import { apiPath, send } from "./client";
import { keys } from "./keys";
import { keepRestored } from "./restored";
import type { Backup, BackupMeaning, Backups } from "./types";

/** The backups of the store, newest first, and how they are made. */
export function useBackups() {
  const host = useHost();
  return useQuery({ queryKey: keys.backups, queryFn: () => send<Backups>(host, "GET", apiPath("/backups")) });
}

/** Makes a backup now. */
export function useBackUp() {
  const host = useHost();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<Backup>(host, "POST", apiPath("/backups")),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.backups }),
  });
}

/** What putting a backup in the place of the store would mean: read anew each time it is asked. */
export function useBackupMeaning(name: string, enabled: boolean) {
  const host = useHost();
  return useQuery({
    queryKey: keys.backup(name),
    queryFn: () => send<BackupMeaning>(host, "GET", apiPath(`/backups/${encodeURIComponent(name)}`)),
    enabled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** Puts a backup in place, then shows the list on the store as it is now, with a notice of what was restored. */
export function useRestore() {
  const host = useHost();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (file: string) => {
      if (!host.backups) throw new HostError("The engine cannot be stopped from here.");
      return host.backups.restore(file);
    },
    onSuccess: async (restored) => {
      keepRestored(restored);
      navigate("/");
      // Nothing read from the store before holds, and its higher versions would win; the start is asked for again too.
      client.removeQueries({ type: "inactive" });
      await client.resetQueries();
    },
    onError: () => void client.invalidateQueries(),
  });
}

/** Lets the person choose a file to restore; null when none was chosen. */
export function usePickBackup() {
  const host = useHost();
  return useMutation({ mutationFn: async () => (await host.backups?.pick()) ?? null });
}
