import { createContext, useContext } from "react";
import type { Host } from "./host";

const HostContext = createContext<Host | null>(null);

export const HostProvider = HostContext.Provider;

/** The host of this page. */
export function useHost(): Host {
  const host = useContext(HostContext);
  if (!host) throw new Error("useHost outside of HostProvider");
  return host;
}
