import { useTranslation } from "react-i18next";
import { Link } from "wouter";

/** The mark: a line, a turnout and a lamp. */
export function Brand() {
  const { t } = useTranslation("frame");
  return (
    <Link className="brand" href="/" aria-label={t("brand")}>
      <svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" strokeLinecap="round">
        <path d="M3 24h26M9 24l8.5-8.5" strokeWidth="4" />
        <circle cx="22" cy="10.5" r="4" strokeWidth="3" />
      </svg>
    </Link>
  );
}
