import type { Node } from "./types";

type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

export const isArrow = (key: string): key is Direction => /^Arrow(Left|Right|Up|Down)$/.test(key);

/** The step that an arrow key leads to: the nearest one that way, rather along a row than across. */
export function stepTowards(nodes: readonly Node[], from: number, direction: Direction): number {
  const here = nodes.find((node) => node.code === from);
  if (!here) return from;
  let best: { code: number; cost: number } | null = null;
  for (const node of nodes) {
    const dx = node.x - here.x;
    const dy = node.y - here.y;
    const ahead = { ArrowRight: dx, ArrowLeft: -dx, ArrowDown: dy, ArrowUp: -dy }[direction];
    const aside = Math.abs(direction === "ArrowRight" || direction === "ArrowLeft" ? dy : dx);
    if (ahead < 4 || aside > ahead * 4) continue;
    const cost = ahead + aside * 2.5;
    if (!best || cost < best.cost) best = { code: node.code, cost };
  }
  return best?.code ?? from;
}
