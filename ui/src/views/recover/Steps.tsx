import { useTranslation } from "react-i18next";
import { clockOf } from "../request/clock";
import type { Phase } from "./usePress";

/** Accepted, sent, observed: three lights, each with what was read for it and nothing beyond. */
export function Steps({ phase, writes }: { phase: Phase; writes: boolean }) {
  const { t } = useTranslation("recover");
  const accepted = phase.is === "accepted" ? phase : null;
  const sent = accepted?.progress.sent ?? null;
  const observed = accepted?.progress.observed ?? null;
  const sentWords = sent
    ? t(sent.effect === "write" ? "sentCall" : "readCall", {
        method: sent.method,
        path: sent.path.split("/").slice(-1).join("/"),
        status: sent.http_status ?? t("noStatus"),
      })
    : t(writes ? "sent" : "sentRead");
  const moved = observed !== null && observed.from?.step.code !== observed.to.step.code;
  const observedWords = !observed
    ? t("observed")
    : moved
      ? t("observedMove", { event: observed.event, code: observed.to.step.code })
      : t("observedNote", { reason: observed.reason ?? observed.event });
  return (
    <div className="three" role="status">
      <Light
        on={accepted !== null}
        words={accepted ? t("acceptedAt", { clock: clockOf(accepted.at) }) : t("accepted")}
      />
      <Light on={sent !== null} words={sentWords} />
      <Light on={observed !== null} words={observedWords} />
    </div>
  );
}

function Light({ on, words }: { on: boolean; words: string }) {
  return (
    <span className={on ? "on" : undefined}>
      <i />
      {words}
    </span>
  );
}
