import type { Host } from "./host";
import { httpHost, takeTokenFromAddress } from "./http";

/** The host of this page: the desktop's when it is inside of it, else HTTP; a mock only in the mock mode of development. */
export async function chooseHost(): Promise<Host> {
  if (import.meta.env.MODE === "mock") {
    const { mockHost, optionsOf } = await import("./mock");
    return mockHost(optionsOf(window.location.search));
  }
  if ("__TAURI_INTERNALS__" in window) return (await import("./tauri")).tauriHost();
  takeTokenFromAddress(window.location, window.history, window.sessionStorage);
  // A new link with a token, opened in the same tab, changes only the fragment: no page is loaded for it.
  window.addEventListener("hashchange", () => {
    if (window.location.hash.includes("token=")) window.location.reload();
  });
  return httpHost();
}
