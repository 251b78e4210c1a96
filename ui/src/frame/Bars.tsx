import { useTranslation } from "react-i18next";
import { useStatus } from "../api/hooks";
import { useLive } from "../api/live";
import { useOpenOutside } from "../host/outside";
import { Icon } from "../parts/Icon";
import { OutlookShape } from "../parts/OutlookMark";
import { momentText } from "../parts/time";

/** Says that the engine is not reached, and of when the page is. */
export function OfflineBar() {
  const { t } = useTranslation("frame");
  const { link } = useLive();
  const { dataUpdatedAt } = useStatus();
  if (link !== "offline") return null;
  const moment = momentText(new Date(dataUpdatedAt).toISOString());
  return (
    <div className="bar-offline" role="status">
      <OutlookShape outlook="unknown" />
      <b>{t("offline.title")}</b>
      <span>{dataUpdatedAt === 0 ? t("offline.never") : t("offline.asOf", { moment })}</span>
    </div>
  );
}

/** In the practice sandbox: says so at all times, with the ways to the stand-ins of the remotes. */
export function PracticeBar() {
  const { t } = useTranslation("frame");
  const open = useOpenOutside();
  const sandbox = useStatus().data?.sandbox;
  if (!sandbox) return null;
  const places = [
    ["panel", sandbox.panel_url],
    ["desk", sandbox.desk_url],
  ] as const;
  return (
    <div className="bar-practice">
      <b>{t("practice.bar")}</b>
      <span className="clip wide-only">{t("practice.says")}</span>
      <span className="end" />
      {places.map(([name, url]) => (
        <button key={name} type="button" className="btn ghost" onClick={() => open(url)}>
          {t(`practice.${name}`)}
          <Icon name="open" />
        </button>
      ))}
    </div>
  );
}
