import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon";

const SHOWN_MS = 1500;

/** An id that can be copied: what is seen may be short, what is copied is whole. `what` names it for the button. */
export function CopyText({ value, what, shown }: { value: string; what: string; shown?: string }) {
  const { t } = useTranslation("parts");
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="copy mono"
      title={value}
      onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
    >
      <span className="vh">{t("copy", { what })}</span>
      <span>{shown ?? value}</span>
      <Icon name={copied ? "check" : "copy"} />
      <span className="vh" aria-live="polite">
        {copied ? t("copied") : ""}
      </span>
    </button>
  );
}
