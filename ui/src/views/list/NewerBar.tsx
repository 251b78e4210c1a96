import { useTranslation } from "react-i18next";
import type { Newer } from "./newer";

const HEAD = 50;

/** Says what has come since the rows were read; the rows change only when somebody presses it. */
export function NewerBar({ newer, onShow }: { newer: Newer; onShow: () => void }) {
  const { t, i18n } = useTranslation("list");
  const parts = (["failed", "unknown", "other"] as const)
    .filter((name) => newer[name] > 0)
    .map((name) => t(`newerPart.${name}`, { n: newer[name] }));
  const list = new Intl.ListFormat(i18n.language, { type: "unit", style: "short" }).format(parts);
  return (
    <div aria-live="polite">
      {newer.count > 0 && (
        <button type="button" className="newer" onClick={onShow}>
          {newer.count >= HEAD ? t("newerMany") : t("newer", { count: newer.count })}
          <span className="muted">{t("newerOf", { list })}</span>
          <kbd>{"."}</kbd>
        </button>
      )}
    </div>
  );
}
