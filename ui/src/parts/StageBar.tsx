import { useTranslation } from "react-i18next";
import type { Operation } from "../api/types";
import { standingOf } from "./stages";

/** Five segments that show where the request stands; the current one carries the outlook's form. */
export function StageBar({ operation }: { operation: Operation }) {
  const { t } = useTranslation(["parts", "words"]);
  const { order, at, end } = standingOf(operation);
  const stage = t(`words:stage.${order[at] ?? "approval"}`);
  const label =
    end === "all" ? t("parts:stageAll") : t(end === "early" ? "parts:stageEnded" : "parts:stageAt", { stage });
  return (
    <span className={`stg o-${operation.outlook}`} role="img" aria-label={label} title={label}>
      {order.map((name, index) => (
        <i key={name} className={end === "all" || index < at ? "p" : index === at ? "c" : ""} />
      ))}
    </span>
  );
}
