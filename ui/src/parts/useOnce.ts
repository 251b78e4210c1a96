import { useCallback, useRef } from "react";

/** Runs one thing at a time. What is run tells its failure itself. */
export function useOnce(): (run: () => Promise<unknown>) => void {
  // A second press may come before React has drawn the first.
  const busy = useRef(false);
  return useCallback((run) => {
    if (busy.current) return;
    busy.current = true;
    const free = () => {
      busy.current = false;
    };
    run().then(free, free);
  }, []);
}
