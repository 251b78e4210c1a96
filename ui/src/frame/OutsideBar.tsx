import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { forgetOpenRefusal, useOpenRefusal } from "../host/outside";
import { Icon } from "../parts/Icon";
import { OutlookShape } from "../parts/OutlookMark";

/** Says why an address was not opened, until it is closed or the page is left. */
export function OutsideBar() {
  const { t } = useTranslation("frame");
  const refusal = useOpenRefusal();
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was pressed on one page says nothing on the next
  useEffect(() => forgetOpenRefusal, [path]);
  if (refusal === null) return null;
  return (
    <div className="noted o-failed" role="alert">
      <OutlookShape outlook="failed" />
      <b>{t("outside.title")}</b>
      <span>{refusal}</span>
      <span className="end" />
      <button type="button" className="btn ghost icon" aria-label={t("outside.close")} onClick={forgetOpenRefusal}>
        <Icon name="x" />
      </button>
    </div>
  );
}
