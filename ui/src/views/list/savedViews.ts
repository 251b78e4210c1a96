import { useState } from "react";

/** A view that a person has saved: a name for a part of the address. */
export interface SavedView {
  name: string;
  key: string;
}

const KEY = "signalbox.views";

function read(): SavedView[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? (value as SavedView[]).filter((v) => typeof v?.name === "string") : [];
  } catch {
    return [];
  }
}

/** The person's own views, kept on this machine. */
export function useSavedViews() {
  const [saved, setSaved] = useState(read);
  function keep(next: SavedView[]) {
    localStorage.setItem(KEY, JSON.stringify(next));
    setSaved(next);
  }
  return {
    saved,
    save: (view: SavedView) => keep([...saved.filter((v) => v.name !== view.name), view]),
    remove: (name: string) => keep(saved.filter((v) => v.name !== name)),
  };
}
