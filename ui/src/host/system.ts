/** The kind of desktop a browser runs on, by the name it gives itself. */
export function systemOf(userAgent: string): "mac" | "windows" | "other" {
  if (/Mac|iPhone|iPad/.test(userAgent)) return "mac";
  return userAgent.includes("Windows") ? "windows" : "other";
}

/** The kind of desktop this page is shown on: it decides the faces of the type and the name of the modifier key. */
export const SYSTEM = systemOf(navigator.userAgent);
