import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useHost } from "../host/context";
import { chooseLanguage, type Language, nearestLanguage } from "../locales/i18n";

/** The language of the UI and of the sentences that the engine composes. */
export function useLanguage() {
  const host = useHost();
  const client = useQueryClient();
  const { i18n } = useTranslation();
  return {
    language: nearestLanguage(i18n.language),
    choose(language: Language) {
      host.setLanguage(language);
      void chooseLanguage(language).then(() => client.invalidateQueries());
    },
  };
}
