import "./backup.css";
import { useTranslation } from "react-i18next";
import { keepRestored, useRestored } from "../../api/restored";
import { CopyText } from "../../parts/CopyText";
import { Icon } from "../../parts/Icon";
import { momentText } from "../../parts/time";

/** What was restored and what was kept aside, until the person closes it. */
export function RestoredNotice() {
  const { t } = useTranslation("backup");
  const restored = useRestored();
  if (!restored) return null;
  const { at, file, requests, aside } = restored;
  return (
    <section className="restored" aria-label={t("restored.title")} role="status">
      <Icon name="check" />
      <p>
        {at === null
          ? t("restored.saysFile", { file, count: requests })
          : t("restored.says", { moment: momentText(at), count: requests })}
      </p>
      {aside && (
        <p className="restored-aside">
          {t("restored.aside")} <CopyText value={aside} what={t("restored.asideWhat")} />
        </p>
      )}
      <span className="end" />
      <button
        type="button"
        className="btn ghost icon"
        aria-label={t("restored.close")}
        onClick={() => keepRestored(null)}
      >
        <Icon name="x" />
      </button>
    </section>
  );
}
