import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useStatus } from "../api/hooks";
import { Icon } from "../parts/Icon";
import { OutlookShape } from "../parts/OutlookMark";
import { MOD } from "./mod";
import { Remotes } from "./Remotes";

/** Search, remotes' health, the count of requests that need attention, and the one button that starts something. */
export function TopBar({ onFind }: { onFind: () => void }) {
  const { t } = useTranslation("frame");
  const status = useStatus().data;
  const count = status?.attention ?? 0;
  return (
    <div className="top">
      <button type="button" className="find" onClick={onFind}>
        <Icon name="search" />
        <span className="clip long">{t("find.open")}</span>
        <span className="clip short">{t("find.short")}</span>
        <kbd className="end">{`${MOD} K`}</kbd>
      </button>
      <Remotes remotes={status?.remotes ?? []} />
      {count > 0 && (
        <Link className="attn" href="/?view=attention">
          <OutlookShape outlook="failed" />
          {t("attention", { count })}
        </Link>
      )}
      <Link className="btn pri" href="/new">
        <Icon name="plus" />
        {t("newChange")}
        <kbd>{"N"}</kbd>
      </Link>
    </div>
  );
}
