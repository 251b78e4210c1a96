import "./track.css";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useHistory, useWorkflow } from "../api/hooks";
import type { Operation } from "../api/types";
import { Lamp } from "./Marks";
import { MINI, type Mini, miniPlan } from "./mini";
import type { Point } from "./types";
import { walkedOf } from "./usePlan";
import { planWords } from "./words";

const pathOf = (points: readonly Point[]) =>
  points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join(" ");

/** The track plan in small, for the panel beside the list: how far it came, and where it stands. */
export function MiniTrack({ operation }: { operation: Operation }) {
  const { i18n } = useTranslation("track");
  const workflow = useWorkflow().data;
  const history = useHistory(operation.operation_id);
  const items = history.isPlaceholderData ? undefined : history.data?.items;
  const walked = useMemo(() => walkedOf(items ?? []), [items]);
  const mini = useMemo(() => workflow && miniPlan(workflow, operation, walked), [workflow, operation, walked]);
  if (!mini) return null;
  const words = planWords(i18n.getFixedT(i18n.language, ["track", "words"]));
  const name = words.name(operation.step.code, operation.step.name);
  return (
    <svg
      className="tp"
      viewBox={`0 0 ${MINI.width} ${MINI.height}`}
      role="img"
      aria-label={`${operation.step.code} ${name}`}
    >
      <Line mini={mini} rebases={operation.rebases} words={words.rebases} />
      {mini.siding.length > 0 && (
        <path className={`t-walk lit o-${operation.outlook}`} strokeWidth="5" d={pathOf(mini.siding)} />
      )}
      <Stations mini={mini} />
      <Lamp x={mini.lamp.x} y={mini.lamp.y} outlook={operation.outlook} r={8} />
      <Label mini={mini} code={String(operation.step.code)} name={name} outlook={operation.outlook} />
    </svg>
  );
}

function Line({ mini, rebases, words }: { mini: Mini; rebases: number; words: (count: number) => string }) {
  const end = mini.xs.at(-1) ?? MINI.right;
  const reached = mini.xs[mini.reached];
  return (
    <>
      <path className="t-main" strokeWidth="5" d={`M4 ${MINI.y} H${end}`} />
      {mini.loop && !mini.loop.walked && <path className="t-side" strokeWidth="2" d={pathOf(mini.loop.points)} />}
      {reached !== undefined && <path className="t-walk" strokeWidth="5" d={`M4 ${MINI.y} H${reached}`} />}
      {mini.loop?.walked && <path className="t-walk" strokeWidth="4" d={pathOf(mini.loop.points)} />}
      {mini.loop?.walked && rebases > 0 && mini.lamp.y >= MINI.y && (
        <text className="f-cnt" textAnchor="middle" x={mini.loop.middle} y="17">
          {words(rebases)}
        </text>
      )}
    </>
  );
}

function Stations({ mini }: { mini: Mini }) {
  const last = mini.xs.length - 1;
  return mini.xs.map((x, index) =>
    index === last ? (
      <path key={mini.codes[index]} className={`stop${mini.reached === last ? " wk" : ""}`} d={`M${x} 32 V48`} />
    ) : (
      <circle
        key={mini.codes[index]}
        className={`stn ${index <= mini.reached ? "wk" : "q"}`}
        cx={x}
        cy={MINI.y}
        r="4.5"
      />
    ),
  );
}

/** Beside a lamp that hangs below the line where there is room, else before its siding; below the line for all others. */
function Label({ mini, code, name, outlook }: { mini: Mini; code: string; name: string; outlook: string }) {
  const { x, y, anchor } = labelSpot(mini);
  return (
    <g className={`o-${outlook}`}>
      <text className="f-nowcd" textAnchor={anchor} x={x} y={y}>
        {code}
      </text>
      <text className="f-now2" textAnchor={anchor} x={x} y={y + 13}>
        {name}
      </text>
    </g>
  );
}

function labelSpot({ lamp, siding }: Mini): Point & { anchor: "start" | "middle" | "end" } {
  const [turnout] = siding;
  if (turnout && lamp.y > MINI.y) {
    if (lamp.x < MINI.width - 110) return { x: lamp.x + 16, y: lamp.y - 1, anchor: "start" };
    return { x: turnout.x - 2, y: lamp.y, anchor: "end" };
  }
  const y = MINI.y + 25;
  if (lamp.x > MINI.width - 70) return { x: Math.min(lamp.x + 12, MINI.width - 4), y, anchor: "end" };
  return lamp.x < 60 ? { x: Math.max(4, lamp.x - 8), y, anchor: "start" } : { x: lamp.x, y, anchor: "middle" };
}
