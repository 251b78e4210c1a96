import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { resources } from "./resources";

export const LANGUAGES = ["en", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];
const KEY = "signalbox.language";

/** The nearest language we have for a locale name; `C`, `POSIX` and everything foreign are English. */
export function nearestLanguage(locale: string | null | undefined): Language {
  return locale?.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}

/** The person's own choice, else the system's. */
export function initialLanguage(storage: Storage = localStorage): Language {
  return nearestLanguage(storage.getItem(KEY) ?? navigator.language);
}

export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources,
    lng: language,
    fallbackLng: "en",
    defaultNS: "words",
    interpolation: { escapeValue: false },
  });
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language, storage: Storage = localStorage): Promise<void> {
  storage.setItem(KEY, language);
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}
