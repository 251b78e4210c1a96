import "./track.css";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../parts/Icon";
import { Legend } from "./Legend";
import { Ground, HeadLine, PlanText, StepNode } from "./PlanSvg";
import { isArrow, stepTowards } from "./steer";
import { HEIGHT } from "./table";
import { planTitle } from "./title";
import type { Plan } from "./types";
import { type PlanSource, usePlan, walkedOf } from "./usePlan";
import { useView } from "./useView";
import { edgeOf } from "./walk";

const FRESH_MS = 400;
const WIDE = 1140;

interface Props extends PlanSource {
  /** The step or the edge ("10101-10102") by which the history is filtered now. */
  picked: string | null;
  onPick: (picked: string | null) => void;
  onAction: (action: string) => void;
}

/** The state diagram of a request as a track plan, laid out for the width it has. */
export function TrackPlan(props: Props) {
  const { operation, history, picked, onPick, onAction } = props;
  const { t } = useTranslation(["track", "words"]);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const plan = usePlan(props, width);
  const view = useView(width, HEIGHT);
  const fresh = useFreshEdges(operation.operation_id, history);
  const [at, setAt] = useState<number | null>(null);
  const titleId = useId();
  const here = at ?? operation.step.code;

  function onKeyDown(event: KeyboardEvent<SVGSVGElement>) {
    if (!plan || !isArrow(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = stepTowards(plan.nodes, here, event.key);
    setAt(next);
    event.currentTarget.querySelector<SVGGElement>(`[data-step="${next}"]`)?.focus();
  }

  const pick = (what: string) => onPick(picked === what ? null : what);
  return (
    <div className="planbox">
      <div ref={box} style={{ minHeight: HEIGHT }}>
        {plan && (
          // biome-ignore lint/a11y/useSemanticElements: a drawing of steps that are walked with the arrow keys, no set of fields
          <svg
            ref={view.svg}
            className={`tp${view.zoomed ? " zoomed" : ""}`}
            viewBox={`0 0 ${plan.width} ${plan.height}`}
            role="group"
            aria-labelledby={titleId}
            onKeyDown={onKeyDown}
            {...view.panning}
          >
            <title id={titleId}>{planTitle(t, plan, operation)}</title>
            <g transform={view.transform}>
              {plan.heads.map((head) => (
                <HeadLine key={head.key} head={head} />
              ))}
              <Ground plan={plan} fresh={fresh} onEdge={pick} onAction={onAction} />
              {plan.texts.map((text) => (
                <PlanText
                  key={`${text.font} ${text.code} ${text.text} ${text.y}`}
                  text={text}
                  outlook={operation.outlook}
                  onAction={onAction}
                />
              ))}
              {plan.nodes.map((node) => (
                <StepNode
                  key={node.code}
                  node={node}
                  tabbable={node.code === here}
                  picked={picked === String(node.code)}
                  onPick={(code) => {
                    setAt(code);
                    pick(String(code));
                  }}
                />
              ))}
            </g>
          </svg>
        )}
      </div>
      <div
        className={`plan-foot${view.zoomed ? " over" : ""}`}
        style={{ paddingLeft: plan ? footLeft(plan) : undefined }}
      >
        <Legend />
        <div className="plantools" title={t("track:tools.keys")}>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("track:tools.out")}
            title={t("track:tools.out")}
            onClick={view.zoomOut}
          >
            <Icon name="minus" />
          </button>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("track:tools.in")}
            title={t("track:tools.in")}
            onClick={view.zoomIn}
          >
            <Icon name="plus" />
          </button>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("track:tools.fit")}
            title={t("track:tools.fit")}
            onClick={view.fit}
          >
            <Icon name="fit" />
          </button>
        </div>
      </div>
    </div>
  );
}

/** Where the legend has room beside what stands on the ends rows, on a wide plan. */
function footLeft(plan: Plan): number | undefined {
  if (plan.width < WIDE) return undefined;
  const low = plan.texts.filter((text) => text.box.y1 > HEIGHT - 28 && text.box.x0 < plan.width / 2);
  return Math.max(plan.width * 0.4, ...low.map((text) => text.box.x1 + 24));
}

/** The width of an element in px, as it changes. */
function useWidth(ref: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const read = () => setWidth(Math.round(element.clientWidth));
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/** The edges walked since the last look: their track is drawn in once. */
function useFreshEdges(operationId: string, history: PlanSource["history"]): ReadonlySet<string> {
  const walked = useMemo(() => walkedOf(history), [history]);
  const [seen, setSeen] = useState({ operationId, count: walked.length });
  const known = seen.operationId === operationId && seen.count > 0 ? seen.count : walked.length;
  useEffect(() => {
    const timer = setTimeout(() => setSeen({ operationId, count: walked.length }), FRESH_MS);
    return () => clearTimeout(timer);
  }, [operationId, walked.length]);
  return useMemo(() => new Set(walked.slice(known).map(edgeOf)), [walked, known]);
}
