import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLanguage } from "../../frame/language";
import { LANGUAGES } from "../../locales/i18n";

/** A page without the frame: before there is an engine to speak to. */
export function Welcome({ title, why, children }: { title: string; why?: string; children: ReactNode }) {
  return (
    <main className="welcome">
      <div className="welcome-in">
        <svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" strokeLinecap="round">
          <path d="M3 24h26M9 24l8.5-8.5" strokeWidth="4" />
          <circle cx="22" cy="10.5" r="4" strokeWidth="3" />
        </svg>
        <h1>{title}</h1>
        {why && <p className="welcome-why">{why}</p>}
        {children}
        <LanguageChoice />
      </div>
    </main>
  );
}

/** There are no settings yet to choose the language in. */
function LanguageChoice() {
  const { t } = useTranslation(["first", "settings"]);
  const { language, choose } = useLanguage();
  return (
    <fieldset className="seg welcome-lang" aria-label={t("first:language")}>
      {LANGUAGES.map((each) => (
        <button
          key={each}
          type="button"
          className={each === language ? "on" : ""}
          aria-pressed={each === language}
          onClick={() => choose(each)}
        >
          {t(`settings:languageValue.${each}`)}
        </button>
      ))}
    </fieldset>
  );
}
