import { useMantineColorScheme } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLanguage } from "../../frame/language";
import { LANGUAGES } from "../../locales/i18n";
import { Choice, Part } from "./Part";

const THEMES = ["auto", "light", "dark"] as const;

/** Language and theme of this window. */
export function LookPart() {
  const { t } = useTranslation("settings");
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Part title={t("look")} why={t("lookWhy")}>
      <Choice
        name={t("language")}
        value={language}
        choices={LANGUAGES.map((value) => ({ value, label: t(`languageValue.${value}`) }))}
        onChoose={choose}
      />
      <Choice
        name={t("theme")}
        value={colorScheme}
        choices={THEMES.map((value) => ({ value, label: t(`themeValue.${value}`) }))}
        onChoose={setColorScheme}
      />
    </Part>
  );
}
