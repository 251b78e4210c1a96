import { useTranslation } from "react-i18next";

/** What can be done with the selected rows: their ids can be taken along. */
export function CheckedBar({ checked, onClear }: { checked: ReadonlySet<string>; onClear: () => void }) {
  const { t } = useTranslation("list");
  if (checked.size === 0) return null;
  return (
    <section className="checked" aria-label={t("checked", { count: checked.size })}>
      <b>{t("checked", { count: checked.size })}</b>
      <button type="button" className="btn" onClick={() => void navigator.clipboard.writeText([...checked].join("\n"))}>
        {t("checkedCopy")}
      </button>
      <button type="button" className="btn ghost" onClick={onClear}>
        {t("checkedClear")}
        <kbd>{"Esc"}</kbd>
      </button>
    </section>
  );
}
