import { useTranslation } from "react-i18next";

/** What the lines of the plan mean. */
export function Legend() {
  const { t } = useTranslation("track");
  return (
    <div className="legend">
      <span>
        <svg viewBox="0 0 22 12" aria-hidden="true">
          <path d="M1 6h20" stroke="var(--accent)" strokeWidth="4" />
        </svg>
        {t("legend.walked")}
      </span>
      <span>
        <svg viewBox="0 0 22 12" aria-hidden="true">
          <path d="M1 6h20" stroke="var(--accent)" strokeWidth="2" strokeDasharray="5 4" />
        </svg>
        {t("legend.own")}
      </span>
      <span>
        <svg viewBox="0 0 22 12" aria-hidden="true">
          <circle cx="11" cy="6" r="4.5" fill="none" stroke="var(--ink-3)" strokeWidth="1.5" strokeDasharray="2 2" />
        </svg>
        {t("legend.others")}
      </span>
    </div>
  );
}
