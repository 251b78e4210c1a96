import type { ReactNode } from "react";
import { ErrorNote, Loading } from "./Notes";

/** One read of the engine: what it gave, or why it gave nothing. */
export interface Read<T> {
  data: T | undefined;
  error: Error | null;
  again: () => void;
}

/** Several reads as one: it has data once all have, and asks again only for what is missing. */
export function allOf<T extends object>(reads: { [K in keyof T]: Read<T[K]> }): Read<T> {
  const entries = Object.entries<Read<unknown>>(reads);
  const missing = entries.map(([, read]) => read).filter((read) => read.data === undefined);
  return {
    data: missing.length > 0 ? undefined : (Object.fromEntries(entries.map(([name, read]) => [name, read.data])) as T),
    error: missing.find((read) => read.error !== null)?.error ?? null,
    again: () => {
      for (const read of missing) read.again();
    },
  };
}

interface Props<T> {
  read: Read<T>;
  /** What is being read, in words. */
  what: string;
  children: (data: T) => ReactNode;
}

/** Shows what was read. Until then, and where the read failed, it says so and claims nothing. */
export function WhenRead<T>({ read, what, children }: Props<T>) {
  if (read.data !== undefined) return children(read.data);
  if (read.error) return <ErrorNote error={read.error} again={read.again} />;
  return <Loading what={what} />;
}
