import type { Outlook } from "../api/types";
import type { ChartShape } from "./chart";
import type { Frame } from "./frame";
import type { Stretch } from "./network";
import type { Way } from "./route";
import type { Piece, Walked } from "./types";

/** What the request has walked, and the sidings it reached down a drop. A move without track on the plan leaves none. */
export interface WalkedTrack {
  pieces: Piece[];
  drops: Set<number>;
}

/** Lays the moves over the network; the last piece takes the outlook of the step it led to. */
export function walkedTrack(
  moves: readonly Walked[],
  shape: ChartShape,
  find: (a: number | null, b: number) => Way | null,
  frame: Frame,
): WalkedTrack {
  const pieces = new Map<string, Piece>();
  const drops = new Set<number>();
  for (const [index, move] of moves.entries()) {
    const way = find(move.from, move.to);
    if (!way) continue;
    const last = index === moves.length - 1;
    const own = frame.stands.get(move.to)?.row ?? "main";
    const passes = way.passes.filter((code) => !isRootOf(code, move, frame));
    for (const stretch of way.stretches) {
      const known = pieces.get(stretch.id);
      const into = leadsInto(stretch, own);
      const thru = passes.length > 0 && known?.look !== "walk" && !(into && isSiding(own));
      const look = thru ? "thru" : "walk";
      const outlook = last && look === "walk" && into ? tint(shape.step(move.to).outlook) : null;
      if (stretch.sort === "drop" && stretch.code !== null) drops.add(stretch.code);
      pieces.set(stretch.id, pieceOf(stretch, look, outlook, edgeOf(move)));
    }
  }
  return { pieces: [...pieces.values()], drops };
}

/** Passing the station that a siding hangs from is no passing through: the track leads nowhere else. */
function isRootOf(code: number, move: Walked, frame: Frame): boolean {
  const ends = [move.from, move.to].map((end) => (end === null ? null : (frame.stands.get(end)?.parent ?? null)));
  return ends.includes(code);
}

/** The last piece is the one on the row of the step that was reached, not the line before its turnout. */
function leadsInto(stretch: Stretch, row: string): boolean {
  if (!isSiding(row)) return stretch.sort === row;
  return stretch.sort !== "main" && stretch.sort !== "loop";
}

const isSiding = (row: string) => row !== "main" && row !== "loop";
const tint = (outlook: Outlook) => (outlook === "done" ? null : outlook);
export const edgeOf = (move: { from: number | null; to: number }) => `${move.from ?? "start"}-${move.to}`;

function pieceOf(stretch: Stretch, look: "walk" | "thru", outlook: Outlook | null, edge: string): Piece {
  const thick = look === "thru" ? 2 : stretch.sort === "loop" ? 4 : 5;
  return {
    key: stretch.id,
    points: stretch.points,
    look,
    thick,
    butt: stretch.sort === "drop",
    own: false,
    outlook,
    edge,
    action: null,
  };
}
