import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Mark } from "./Marks";
import { HEAD_LINE_Y } from "./table";
import type { Head, Node, Piece, Plan, Text } from "./types";

const pathOf = (piece: Piece) => piece.points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join(" ");
const ANCHOR = { start: undefined, middle: "middle", end: "end" } as const;

export function HeadLine({ head }: { head: Head }) {
  const lit = head.state === "current" && head.outlook !== null;
  const look = lit ? "lit" : head.state === "ahead" ? "" : "p";
  return (
    <g className={lit ? `o-${head.outlook}` : undefined}>
      <line className={`hl ${look}`} x1={head.x0} x2={head.x1} y1={HEAD_LINE_Y} y2={HEAD_LINE_Y} />
      {head.texts.map((text) => (
        <text
          key={text.font}
          className={`f-${text.font}${lit && text.font === "hd" ? " lit" : ""}`}
          x={text.x}
          y={text.y}
        >
          {text.text}
        </text>
      ))}
    </g>
  );
}

/** A piece of track; a walked one filters the history, one of the person's own opens its dialog. */
export function Track(props: {
  piece: Piece;
  fresh?: boolean;
  onEdge?: (edge: string) => void;
  onAction?: (action: string) => void;
}) {
  const { piece, fresh = false, onEdge, onAction } = props;
  const { t } = useTranslation("track");
  const { edge, action } = piece;
  const d = pathOf(piece);
  const classes = [`t-${piece.look}`];
  if (piece.outlook) classes.push("lit", `o-${piece.outlook}`);
  if (piece.butt) classes.push("butt");
  if (piece.own) classes.push("own");
  const press =
    edge !== null && onEdge ? () => onEdge(edge) : action !== null && onAction ? () => onAction(action) : null;
  const [from = "", to = ""] = edge?.split("-") ?? [];
  return (
    <g data-edge={edge ?? undefined}>
      <path className={classes.join(" ")} strokeWidth={piece.thick} d={d} />
      {fresh && <path className={`${classes.join(" ")} fresh`} strokeWidth={piece.thick} d={d} pathLength={1} />}
      {press && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the pointer's way only; keys reach the same through the steps and the buttons
        <path className="hit" d={d} onClick={press}>
          {edge !== null && <title>{t("edge", { from: from === "start" ? t("start") : from, to })}</title>}
        </path>
      )}
    </g>
  );
}

export function PlanText({
  text,
  outlook,
  onAction,
}: {
  text: Text;
  outlook: string;
  onAction: (action: string) => void;
}) {
  const { t } = useTranslation("track");
  const { action } = text;
  const className = `f-${text.font} ${text.look}${text.font.startsWith("now") ? ` o-${outlook}` : ""}`;
  const shared = { x: text.x, y: text.y, textAnchor: ANCHOR[text.anchor] };
  if (action === null) {
    return (
      <text className={className} {...shared}>
        {text.text}
      </text>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer's way to a button that stands above the plan
    <text className={`${className} press`} {...shared} onClick={() => onAction(action)}>
      <title>{t("press", { event: text.text })}</title>
      {text.text}
    </text>
  );
}

/** A step that can be reached by keys and pointed at; pressing it shows its moves in the history. */
export function StepNode(props: { node: Node; tabbable: boolean; picked: boolean; onPick: (code: number) => void }) {
  const { node, tabbable, picked, onPick } = props;
  const { t } = useTranslation("track");
  const words = { code: node.code, name: node.name };
  const state = node.current
    ? t("node.now", words)
    : node.walked
      ? t("node.walked", { ...words, count: Math.max(1, node.visits) })
      : t("node.quiet", words);
  const next = node.events.map((event) => event.event).join(", ");
  const label = next === "" ? state : `${state}; ${t("node.next", { events: next })}`;
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick(node.code);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot stand inside a drawing
    <g
      className={`node${picked ? " picked" : ""}`}
      data-step={node.code}
      data-row={node.row}
      role="button"
      aria-label={label}
      aria-pressed={picked}
      tabIndex={tabbable ? 0 : -1}
      onClick={() => onPick(node.code)}
      onKeyDown={onKeyDown}
    >
      <title>{label}</title>
      <circle className="reach" cx={node.x} cy={node.y} r="13" />
      <Mark node={node} />
      <circle className="focus" cx={node.x} cy={node.y} r={node.current ? 16 : 13} />
    </g>
  );
}

/** Everything that lies under the stations: quiet track, walked track, and what is possible now. */
export function Ground({
  plan,
  fresh,
  onEdge,
  onAction,
}: {
  plan: Plan;
  fresh: ReadonlySet<string>;
  onEdge: (edge: string) => void;
  onAction: (action: string) => void;
}) {
  const { chevron } = plan;
  return (
    <>
      {plan.quiet.map((piece) => (
        <Track key={piece.key} piece={piece} />
      ))}
      {plan.walked.map((piece) => (
        <Track key={piece.key} piece={piece} fresh={piece.edge !== null && fresh.has(piece.edge)} onEdge={onEdge} />
      ))}
      {chevron && (
        <path
          className={`chev${chevron.walked ? " wk" : ""}`}
          d={`M${chevron.at.x + 4} ${chevron.at.y - 6} l-6 6 l6 6`}
        />
      )}
      {plan.possible.map((piece) => (
        <Track key={piece.key} piece={piece} onAction={onAction} />
      ))}
      {plan.arrows.map(({ at, angle }) => (
        <path
          key={`${at.x} ${at.y}`}
          className="head"
          d="M0 0 l-9 -4.6 v9.2 z"
          transform={`translate(${at.x} ${at.y}) rotate(${angle})`}
          style={{ fill: "var(--accent)" }}
        />
      ))}
    </>
  );
}
