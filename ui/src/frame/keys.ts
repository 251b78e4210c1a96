import { useEffect, useRef } from "react";
import { isComposing } from "../parts/composing";

/** What a key does: its name as in `KeyboardEvent.key`, in small letters, with `mod+` before it for Ctrl or Cmd. */
export type Keys = Record<string, (event: KeyboardEvent) => void>;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const isShown = (selector: string) => document.querySelector(selector) !== null;
const dialogIsOpen = () => isShown('[aria-modal="true"]');
const menuIsOpen = () => isShown('[role="menu"]');

/** Whether a key is meant for the page. What is behind a dialog hears none; typing and menus keep the plain ones. */
function isForPage(event: KeyboardEvent, mod: boolean): boolean {
  if (dialogIsOpen()) return false;
  // A `mod+` key that is held has been heard already.
  return mod ? !event.repeat : !isTyping(event.target) && !menuIsOpen();
}

/** Listens for keys on the whole page, but not while a dialog is open; while somebody types only for `mod+` keys. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey || isComposing(event)) return;
      const mod = event.ctrlKey || event.metaKey;
      const act = latest.current[mod ? `mod+${event.key.toLowerCase()}` : event.key.toLowerCase()];
      if (!act) return;
      const isMeant = isForPage(event, mod);
      // A `mod+` key of ours never falls through to the browser's own, not even when it does nothing.
      if (mod || isMeant) event.preventDefault();
      if (isMeant) act(event);
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** A button or link that has the focus keeps its own Enter and Space. */
export function hasOwnPress(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && event.target.closest("a, button, summary, [role='tab']") !== null;
}
