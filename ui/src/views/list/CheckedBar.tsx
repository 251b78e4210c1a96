import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { BULK_ACTIONS, type BulkAction, BulkDialog } from "./bulk/BulkDialog";

/** What can be done with the selected rows together. */
export function CheckedBar({ checked, onClear }: { checked: ReadonlySet<string>; onClear: () => void }) {
  const { t } = useTranslation("list");
  const [action, setAction] = useState<BulkAction | null>(null);
  const ids = useMemo(() => [...checked], [checked]);
  if (checked.size === 0) return null;
  return (
    <section className="checked" aria-label={t("checked", { count: checked.size })}>
      <b>{t("checked", { count: checked.size })}</b>
      {BULK_ACTIONS.map((each) => (
        <button key={each} type="button" className="btn" onClick={() => setAction(each)}>
          {t("bulk.open", { action: t(`action.${each}`) })}
        </button>
      ))}
      <button type="button" className="btn ghost" onClick={() => void navigator.clipboard.writeText(ids.join("\n"))}>
        {t("checkedCopy")}
      </button>
      <span className="end" />
      <button type="button" className="btn ghost" onClick={onClear}>
        {t("checkedClear")}
        <kbd>{"Esc"}</kbd>
      </button>
      {action && <BulkDialog action={action} ids={ids} onClose={() => setAction(null)} />}
    </section>
  );
}
