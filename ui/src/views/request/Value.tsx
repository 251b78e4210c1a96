import { useTranslation } from "react-i18next";
import type { Json } from "../../api/types";

/** A value of a field; what is not there is not the same as null, and both are said in words. */
export function Value({ value, tone }: { value: Json | undefined; tone?: "from" | "to" }) {
  const { t } = useTranslation("request");
  if (value === undefined) return <span className={`none ${tone ?? ""}`}>{t("fields.absent")}</span>;
  return <span className={tone}>{JSON.stringify(value)}</span>;
}
