import type { Workflow } from "../api/types";
import { NEEDS_MR, SAFETY_NET } from "./table";
import type { Walked } from "./types";

const RARE = new Set([...NEEDS_MR, SAFETY_NET, "close"]);
const START = Date.UTC(2026, 10, 30, 3, 2, 14);
const STAY_MS = 73_000;

interface Edge {
  from: number | null;
  to: number;
  event: string;
}

/** A history that leads to a step in the order of a flow, through `rounds` rebases where its way leads past them. */
export function walkTo(
  chart: Workflow,
  order: "approval-first" | "mr-first",
  target: number,
  rounds: number,
): Walked[] {
  const start = order === "mr-first" ? 10001 : 10401;
  const first: Edge = {
    from: null,
    to: target === 10006 ? 10006 : start,
    event: target === 10006 ? "submit_overloaded" : "submit",
  };
  let edges: Edge[] = [first];
  if (target !== first.to) {
    const merging = rounds > 0 && [101, 103, 105, 102].includes(Math.floor(target / 100)) && target !== 10502;
    const legs = merging
      ? [10102, ...Array.from({ length: rounds }, () => [10107, 10108, 10101, 10102]).flat(), target]
      : [target];
    for (const leg of legs) edges = [...edges, ...shortest(chart, order, edges.at(-1)?.to ?? start, leg)];
  }
  return edges.map((edge, index) => ({
    ...edge,
    at: START + index * STAY_MS,
    ms: edge.from === null ? null : STAY_MS,
  }));
}

function shortest(chart: Workflow, order: string, from: number, to: number): Edge[] {
  return search(chart, order, from, to, RARE) ?? search(chart, order, from, to, new Set()) ?? [];
}

function search(chart: Workflow, order: string, from: number, to: number, without: ReadonlySet<string>): Edge[] | null {
  const via = new Map<number, Edge>();
  const queue = [from];
  const skip =
    order === "mr-first"
      ? ["10002>10101", "10402>10001", "10401>10001", "10401>10101"]
      : ["10002>10401", "10402>10101", "10401>10101", "10401>10001"];
  for (let code = queue.shift(); code !== undefined; code = queue.shift()) {
    for (const edge of chart.transitions) {
      if (edge.from !== code || via.has(edge.to) || edge.to === from || without.has(edge.event)) continue;
      if (skip.includes(`${edge.from}>${edge.to}`)) continue;
      via.set(edge.to, { from: code, to: edge.to, event: edge.event });
      queue.push(edge.to);
    }
  }
  const out: Edge[] = [];
  for (let at = to; at !== from; ) {
    const edge = via.get(at);
    if (!edge || edge.from === null) return null;
    out.unshift(edge);
    at = edge.from;
  }
  return out;
}
