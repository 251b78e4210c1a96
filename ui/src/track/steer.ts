import type { Node } from "./types";

type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

export const isArrow = (key: string): key is Direction => /^Arrow(Left|Right|Up|Down)$/.test(key);

/** The step that an arrow key leads to: along a track where one leads that way, else to the nearest step that way. */
export function stepTowards(nodes: readonly Node[], from: number, direction: Direction): number {
  const here = nodes.find((node) => node.code === from);
  if (!here) return from;
  const linked = nodes.filter((node) => here.links.includes(node.code));
  return (nearest(linked, here, direction) ?? nearest(nodes, here, direction))?.code ?? from;
}

function nearest(nodes: readonly Node[], here: Node, direction: Direction): Node | null {
  const level = direction === "ArrowRight" || direction === "ArrowLeft";
  let best: { node: Node; cost: number } | null = null;
  for (const node of nodes) {
    const dx = node.x - here.x;
    const dy = node.y - here.y;
    const ahead = { ArrowRight: dx, ArrowLeft: -dx, ArrowDown: dy, ArrowUp: -dy }[direction];
    const aside = Math.abs(level ? dy : dx);
    if (ahead < 4) continue;
    const cost = ahead + aside * 2.5;
    if (!best || cost < best.cost) best = { node, cost };
  }
  return best?.node ?? null;
}
