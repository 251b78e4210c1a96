import { useEffect, useRef } from "react";

/** What a key does: its name as in `KeyboardEvent.key`, in small letters, with `mod+` before it for Ctrl or Cmd. */
export type Keys = Record<string, (event: KeyboardEvent) => void>;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const dialogIsOpen = () => document.querySelector('[aria-modal="true"], [role="menu"]') !== null;

/** Listens for keys on the whole page, but not while somebody types or a dialog is open; `mod+` keys always. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey) return;
      const mod = event.ctrlKey || event.metaKey;
      if (!mod && (isTyping(event.target) || dialogIsOpen())) return;
      const act = latest.current[mod ? `mod+${event.key.toLowerCase()}` : event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act(event);
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** A button or link that has the focus keeps its own Enter and Space. */
export function hasOwnPress(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && event.target.closest("a, button, summary, [role='tab']") !== null;
}
