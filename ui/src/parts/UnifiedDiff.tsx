import { useMemo } from "react";
import { parseUnified } from "./unified";

const TONE = { " ": "", "+": "a", "-": "d", "@": "hk" } as const;

/** A unified difference as coloured text, told apart by sign, wash and colour. */
export function UnifiedDiff({ diff }: { diff: string }) {
  const lines = useMemo(() => parseUnified(diff), [diff]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard
    <pre tabIndex={0}>
      {lines.map((line) => (
        <span key={line.id} className={TONE[line.sign]}>
          <i>{line.before ?? ""}</i>
          <i>{line.after ?? ""}</i>
          <b className="pm">{line.sign === "-" ? "\u2212" : line.sign === "+" ? "+" : ""}</b>
          <code>{line.text}</code>
        </span>
      ))}
    </pre>
  );
}
