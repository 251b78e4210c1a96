import type { Outlook } from "../api/types";
import type { Node } from "./types";

const RADIUS: Readonly<Record<string, number>> = { main: 6, loop: 5.5 };

/** Station, stop, tick or lamp of a step. */
export function Mark({ node }: { node: Node }) {
  const { x, y } = node;
  if (node.current) return <Lamp x={x} y={y} outlook={node.outlook} />;
  return (
    <>
      <Plain node={node} />
      {node.ring && node.shape !== "tick" && (
        <circle
          className={`ring${node.ring === "own" ? " own" : ""}`}
          cx={x}
          cy={y}
          r={node.row === "main" ? 11 : node.row === "loop" ? 10 : 9}
        />
      )}
    </>
  );
}

function Plain({ node }: { node: Node }) {
  const { x, y } = node;
  const look = node.walked ? "wk" : "q";
  switch (node.shape) {
    case "square":
      return <rect className={`stn ${look}`} x={x - 4} y={y - 4} width="8" height="8" />;
    case "diamond":
      return <path className={`stn ${look}`} d={`M${x - 6} ${y} l6 -6 l6 6 l-6 6 z`} />;
    case "bar":
      return <path className={`stop ${look}`} d={`M${x} ${y - 6} V${y + 6}`} />;
    case "final":
      return <path className={`stop ${look}`} d={`M${x} ${y - 9} V${y + 9} M${x + 5} ${y - 5} V${y + 5}`} />;
    case "tick":
      return <path className="tick" d={y > 130 ? `M${x - 4} ${y + 4} l8 -8` : `M${x - 4} ${y - 4} l8 8`} />;
    default: {
      const r = RADIUS[node.row] ?? 5;
      return (
        <>
          <circle className={`stn ${look}`} cx={x} cy={y} r={r} />
          {node.shape === "dot" && <circle className={`dot ${look}`} cx={x} cy={y} r={r * 0.4} />}
        </>
      );
    }
  }
}

/** The current step: its outlook's shape, filled, with a halo that breathes while the request is alive. */
export function Lamp({ x, y, outlook, r = 10 }: { x: number; y: number; outlook: Outlook; r?: number }) {
  const k = r / 10;
  return (
    <g className={`o-${outlook}${outlook === "done" ? "" : " alive"}`}>
      <circle className="halo" cx={x} cy={y} r={r * 1.7} />
      <g transform={`translate(${x} ${y}) scale(${k})`}>{LAMPS[outlook]}</g>
    </g>
  );
}

const LAMPS = {
  failed: (
    <>
      <rect className="lamp" x="-10" y="-10" width="20" height="20" rx="3" />
      <path className="cut" d="M-3.6 -3.6 l7.2 7.2 M3.6 -3.6 l-7.2 7.2" />
    </>
  ),
  unknown: (
    <>
      <path className="lamp" d="M0 -11.5 L11.5 0 L0 11.5 L-11.5 0 z" />
      <path className="cut" d="M-2.8 -2.6 A2.8 2.8 0 1 1 0 0.8 V1.8" />
      <circle className="cut" cx="0" cy="5.2" r="1.3" />
    </>
  ),
  waiting: (
    <>
      <circle className="lamp" r="10" />
      <path className="cut" d="M0 -5.4 V0.2 L3.8 2.6" />
    </>
  ),
  running: (
    <>
      <circle r="10" fill="var(--raised)" />
      <path className="lamp" d="M-6 -8 L9 0 L-6 8 z" />
    </>
  ),
  done: (
    <>
      <circle className="lamp" r="10" />
      <path className="cut" d="M-4.6 0.4 l3.2 3.2 l6 -6.8" />
    </>
  ),
} as const;
