import { useTranslation } from "react-i18next";
import { useLive } from "../../api/live";
import { useTimedText } from "../../parts/clock";
import { durationText } from "../../parts/time";

const KEYS = [
  [["J", "K"], "move"],
  [["Enter"], "open"],
  [["Space"], "peek"],
  [["X"], "select"],
  [["/"], "filter"],
  [["."], "newer"],
  [["?"], "keys"],
] as const;

function LinkState() {
  const { t } = useTranslation("list");
  const words = useTranslation("words").t;
  const { link, lastAt } = useLive();
  const text = useTimedText(
    (now) => {
      if (link !== "live") return t(`foot.${link}`);
      if (lastAt === null) return t("foot.liveQuiet");
      return t("foot.live", { ago: words("ago", { duration: durationText(words, Math.max(1000, now - lastAt)) }) });
    },
    ...(lastAt === null ? [] : [lastAt]),
  );
  return <span className="end">{text}</span>;
}

/** The keys of the list, and how live it is. */
export function Foot() {
  const { t } = useTranslation("list");
  return (
    <div className="foot">
      {KEYS.map(([keys, does]) => (
        <span key={does}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {t(`foot.${does}`)}
        </span>
      ))}
      <LinkState />
    </div>
  );
}
