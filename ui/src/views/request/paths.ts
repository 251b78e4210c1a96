/** What a list of paths has in common, by whole segments; the query never counts. Empty when it is not worth a line. */
export function commonBase(paths: readonly string[]): string {
  const [first, ...rest] = paths.map((path) => (path.split("?")[0] ?? "").split("/"));
  if (!first) return "";
  let length = first.length;
  for (const other of rest) {
    let same = 0;
    while (same < Math.min(length, other.length) && other[same] === first[same]) same++;
    length = same;
  }
  // Where a path is the base itself, its own last part is told with it, and a number with what it numbers.
  if ([first, ...rest].some((path) => path.length === length)) length -= /^\d+$/.test(first[length - 1] ?? "") ? 2 : 1;
  return length < 3 ? "" : first.slice(0, length).join("/");
}

/** A path with a mark where its query was; the whole of it stands in the tooltip. */
export function withoutQuery(path: string): string {
  const at = path.indexOf("?");
  return at < 0 ? path : `${path.slice(0, at)}?\u2026`;
}

/** A path below its base. */
export function below(path: string, base: string): string {
  return base !== "" && path.startsWith(base) ? path.slice(base.length) : path;
}

/** The end of a long base, from a whole segment on. */
export function shortBase(base: string, segments = 2): string {
  const parts = base.split("/").filter((part) => part !== "");
  return parts.length <= segments ? base : `\u2026/${parts.slice(-segments).join("/")}`;
}
