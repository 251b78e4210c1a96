import { useTranslation } from "react-i18next";
import type { Flow } from "../../api/types";
import { orderOf } from "../../parts/stages";

const AT = ["2%", "26%", "49%", "72%", "95%"] as const;
const ANCHORS = ["start", "middle", "middle", "middle", "end"] as const;

/** The way that lies ahead, as the line of the track plan. */
export function ThenLine({ order }: { order: Flow["order"] }) {
  const { t } = useTranslation(["form", "words"]);
  const stages = orderOf(order).map((stage) => t(`words:stage.${stage}`));
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = stages;
  return (
    <div className="card">
      <div className="card-h">
        <h3>{t("form:preview.then")}</h3>
        <span className="muted">{t("form:preview.thenOrder", { order })}</span>
      </div>
      <svg
        className="then"
        height="38"
        role="img"
        aria-label={t("form:preview.thenLabel", { first, second, third, fourth, fifth })}
      >
        <line className="then-line" x1="0" x2="98.5%" y1="12" y2="12" />
        <line className="then-stop" x1="99%" x2="99%" y1="4" y2="20" />
        {stages.map((stage, index) => (
          <g key={stage}>
            <circle cx={AT[index]} cy="12" r="5" />
            <text x={index === 0 ? 0 : index === 4 ? "99.5%" : AT[index]} y="33" textAnchor={ANCHORS[index]}>
              {stage}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
