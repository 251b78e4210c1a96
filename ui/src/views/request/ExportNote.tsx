import { useTranslation } from "react-i18next";
import { HostError } from "../../host/host";
import { Icon } from "../../parts/Icon";
import { OutlookShape } from "../../parts/OutlookMark";
import type { Exporting } from "./useExport";

/** Where the bundle was saved, or why it was not. */
export function ExportNote({ exporting }: { exporting: Exporting }) {
  const { t } = useTranslation("request");
  const { saved, error } = exporting;
  if (error) {
    return (
      <p className="noted o-failed" role="alert">
        <OutlookShape outlook="failed" />
        {t(error instanceof HostError ? "exportUnreached" : "exportFailed", { detail: error.message })}
      </p>
    );
  }
  if (saved === null) return null;
  return (
    <p className="noted o-done" role="status">
      <Icon name="check" />
      {t("exported", { name: saved })}
    </p>
  );
}
