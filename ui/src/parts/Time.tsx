import { useTranslation } from "react-i18next";
import { useTimedText } from "./clock";
import { durationText, fullMomentText, momentText } from "./time";

/** How long ago (or how soon) a moment is, live, with the full moment and its zone in the tooltip. */
export function Ago({ at, bare = false }: { at: string; bare?: boolean }) {
  const { t } = useTranslation("words");
  const moment = Date.parse(at);
  const text = useTimedText((now) => {
    const ms = now - moment;
    const duration = durationText(t, Math.max(1000, Math.abs(ms)));
    if (bare) return duration;
    return ms < 0 ? t("in", { duration }) : t("ago", { duration });
  }, moment);
  return (
    <time dateTime={at} title={fullMomentText(at)}>
      {text}
    </time>
  );
}

/** A moment with its zone; the date is left out when it is today. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullMomentText(at)}>
      {momentText(at)}
    </time>
  );
}

/** A length of time in milliseconds, in words. */
export function Duration({ ms }: { ms: number }) {
  const { t } = useTranslation("words");
  return <span>{durationText(t, ms)}</span>;
}
