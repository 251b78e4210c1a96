/** One line of a unified difference: its sign, the line numbers on both sides, and the text without the sign. */
export interface DiffLine {
  id: number;
  sign: " " | "+" | "-" | "@";
  before: number | null;
  after: number | null;
  text: string;
}

/** Reads a unified difference of one file; file headers are left out. */
export function parseUnified(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  const all = diff.split("\n");
  if (all.at(-1) === "") all.pop();
  for (const [id, line] of all.entries()) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      inside = true;
      lines.push({ id, sign: "@", before: null, after: null, text: line });
    } else if (inside && !line.startsWith("\\")) {
      const text = line.slice(1);
      if (line.startsWith("+")) lines.push({ id, sign: "+", before: null, after: after++, text });
      else if (line.startsWith("-")) lines.push({ id, sign: "-", before: before++, after: null, text });
      else lines.push({ id, sign: " ", before: before++, after: after++, text });
    }
  }
  return lines;
}
