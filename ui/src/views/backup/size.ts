const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** A size in bytes as people read it, such as `18.4 MB`. */
export function sizeText(bytes: number): string {
  let rest = bytes;
  let unit = 0;
  while (rest >= 1000 && unit < UNITS.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${unit === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${UNITS[unit]}`;
}
