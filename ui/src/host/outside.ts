import { useSyncExternalStore } from "react";
import { useHost } from "./context";

let refusal: string | null = null;
const hearers = new Set<() => void>();

function tell(next: string | null): void {
  refusal = next;
  for (const hear of hearers) hear();
}

function hear(hearer: () => void): () => void {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

/** Opens an address outside of the app; a refusal, such as of a host that the settings do not name, is told by the frame. */
export function useOpenOutside(): (url: string) => void {
  const host = useHost();
  return (url) => {
    tell(null);
    host.open(url).catch((error: unknown) => tell(error instanceof Error ? error.message : String(error)));
  };
}

/** Why the last address was not opened, in a sentence, until it is forgotten. */
export const useOpenRefusal = (): string | null => useSyncExternalStore(hear, () => refusal);

export const forgetOpenRefusal = (): void => tell(null);
