import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { OutlookShape } from "../../parts/OutlookMark";
import { clockOf } from "../request/clock";
import type { Refusal } from "./refusal";

interface Props {
  refusal: Refusal;
  /** The words where no answer came: they say what will show whether it was accepted. */
  unreached?: "unreached" | "reapply.unreached";
}

const OUTLOOKS = {
  stale: "waiting",
  held: "failed",
  illegal: "failed",
  failed: "failed",
  unreached: "unknown",
} as const;

/** Why a press was not accepted, or that nothing is known of it. */
export function RefusalNote({ refusal, unreached = "unreached" }: Props) {
  const outlook = OUTLOOKS[refusal.sort];
  return (
    <p className={`told o-${outlook}`} role="alert">
      <OutlookShape outlook={outlook} />
      <span>
        <Words refusal={refusal} unreached={unreached} />
      </span>
    </p>
  );
}

function Words({ refusal, unreached }: Required<Props>) {
  const { t } = useTranslation("recover");
  switch (refusal.sort) {
    case "stale": {
      const { version = "?", last_change: change } = refusal.problem;
      const actor = typeof change?.actor === "string" ? change.actor : change?.actor.name;
      return change && actor
        ? t("stale", { actor, event: change.event, clock: clockOf(change.at), version })
        : t("staleBare", { version });
    }
    case "held":
      return (
        <>
          {t("failed", { detail: refusal.words })}{" "}
          <Link href={`/requests/${encodeURIComponent(refusal.operationId)}`}>{t("holder")}</Link>
        </>
      );
    case "illegal":
      return t("illegal", { reason: refusal.words });
    case "failed":
      return t("failed", { detail: refusal.words });
    case "unreached":
      return t(unreached, { detail: refusal.words });
  }
}
