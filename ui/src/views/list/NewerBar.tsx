import { useTranslation } from "react-i18next";
import type { Newer } from "./newer";

const HEAD = 50;

/** Says what has come since the rows were read; the rows change only when somebody presses it. */
export function NewerBar({ newer, onShow }: { newer: Newer; onShow: () => void }) {
  const { t } = useTranslation("list");
  return (
    <div aria-live="polite">
      {newer.count > 0 && (
        <button type="button" className="newer" onClick={onShow}>
          {newer.count >= HEAD ? t("newerMany") : t("newer", { count: newer.count })}
          <span className="muted">{t("newerOf", { ...newer })}</span>
          <kbd>{"."}</kbd>
        </button>
      )}
    </div>
  );
}
