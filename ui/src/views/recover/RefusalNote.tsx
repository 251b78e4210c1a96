import { useTranslation } from "react-i18next";
import { OutlookShape } from "../../parts/OutlookMark";
import { clockOf } from "../request/clock";
import type { Refusal } from "./usePress";

/** Why a press was not accepted, or that nothing is known of it. */
export function RefusalNote({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation("recover");
  if (refusal.sort === "stale") {
    const { version = "?", last_change: change } = refusal.problem;
    const actor = typeof change?.actor === "string" ? change.actor : change?.actor.name;
    return (
      <p className="told o-waiting" role="alert">
        <OutlookShape outlook="waiting" />
        {change && actor
          ? t("stale", { actor, event: change.event, clock: clockOf(change.at), version })
          : t("staleBare", { version })}
      </p>
    );
  }
  const outlook = refusal.sort === "unreached" ? "unknown" : "failed";
  return (
    <p className={`told o-${outlook}`} role="alert">
      <OutlookShape outlook={outlook} />
      {refusal.sort === "illegal"
        ? t("illegal", { reason: refusal.words })
        : t(refusal.sort, { detail: refusal.words })}
    </p>
  );
}
