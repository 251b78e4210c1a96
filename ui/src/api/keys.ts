/** Query keys: everything of one request stands under its id, so that one change makes exactly that stale. */
export const keys = {
  status: ["status"] as const,
  kinds: ["kinds"] as const,
  settings: ["settings"] as const,
  sweep: ["sweep"] as const,
  lists: ["list"] as const,
  recovery: ["list", "recovery"] as const,
  following: ["list", "following"] as const,
  backups: ["backups"] as const,
  backup: (name: string) => ["backups", name] as const,
  list: (query: Record<string, unknown>) => ["list", query] as const,
  held: (query: Record<string, unknown>) => ["held", query] as const,
  of: (operationId: string) => ["operation", operationId] as const,
  operation: (operationId: string) => ["operation", operationId, "self"] as const,
  part: (operationId: string, part: string) => ["operation", operationId, part] as const,
  preview: (kind: string, fields: unknown) => ["preview", kind, fields] as const,
  workflow: (workflow: string) => ["workflow", workflow] as const,
};
