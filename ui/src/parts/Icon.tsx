const PATHS = {
  requests: "M2 4h2m2.5 0H14M2 8h2m2.5 0H14M2 12h2m2.5 0H14",
  reconcile: "M2.5 6h9.5L9.5 3.5M13.5 10H4l2.5 2.5",
  recovery: "M2 11h4l4-6h4M2 11h12M12 3l2 2-2 2",
  settings:
    "M2 4.5h6m4 0h2M2 11.5h2m4 0h6M8.2 4.5a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M4.2 11.5a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0",
  sandbox: "M2.5 13.5h11M4 13.5V8l4-5.5L12 8v5.5M6.5 13.5v-3h3v3",
  search: "M2.7 7a4.3 4.3 0 1 0 8.6 0 4.3 4.3 0 1 0-8.6 0M10.3 10.3l3.2 3.2",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  x: "M4 4l8 8m0-8l-8 8",
  down: "M4 6l4 4 4-4",
  up: "M4 10l4-4 4 4",
  right: "M6 4l4 4-4 4",
  left: "M10 4L6 8l4 4",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  export: "M8 10V2.5M5 5l3-3 3 3M2.5 9.5v4h11v-4",
  open: "M9 2.5h4.5V7M13.5 2.5L7.5 8.5M6.5 4h-4v9.5H12V9.5",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  again: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
  keep: "M4 2.5h8v11l-4-3-4 3z",
  check: "M3 8.5l3.2 3.2L13 5",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5",
} as const;

export type IconName = keyof typeof PATHS;

/** A 16 px line icon; it is decoration, the words stand beside it. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`ico ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
