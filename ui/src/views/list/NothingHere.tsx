import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Empty } from "../../parts/Notes";
import type { View } from "./state";

/** An empty list, with what that means and what would bring something here. */
export function NothingHere({ view, filtered, onClear }: { view: View; filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation(["list", "frame"]);
  if (filtered) {
    return (
      <Empty title={t("list:empty.filtered")}>
        <p>{t("list:empty.filteredWhy")}</p>
        <button type="button" className="btn" onClick={onClear}>
          {t("list:filters.clearAll")}
        </button>
      </Empty>
    );
  }
  return (
    <Empty title={t(`list:empty.${view}`)}>
      <p>{t(`list:empty.${view}Why`)}</p>
      {(view === "all" || view === "mine") && (
        <Link className="btn" href="/new">
          {t("frame:newChange")}
        </Link>
      )}
    </Empty>
  );
}
