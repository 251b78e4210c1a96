import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { HostError } from "../host/host";
import { OutlookShape } from "./OutlookMark";

/** Something that is being read; says so in words, and only after 300 ms so that a quick answer does not flicker. */
export function Loading({ what }: { what: string }) {
  const { t } = useTranslation("parts");
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className="note" role="status">
      {shown ? t("loading", { what }) : ""}
    </p>
  );
}

/** A read that failed: the engine's own words, or that it was not reached. */
export function ErrorNote({ error, again }: { error: unknown; again?: () => void }) {
  const { t } = useTranslation("parts");
  const words = error instanceof Error ? error.message : String(error);
  const offline = error instanceof HostError;
  return (
    <div className="note" role="alert">
      <p className={`mk ${offline ? "o-unknown" : "o-failed"}`}>
        <OutlookShape outlook={offline ? "unknown" : "failed"} />
        {t("error.title")}
      </p>
      <p className="soft">{offline ? t("error.offline", { detail: words }) : words}</p>
      {again && (
        <button type="button" className="btn" onClick={again}>
          {t("error.again")}
        </button>
      )}
    </div>
  );
}

/** Nothing to show: why, and what would bring something here. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="note">
      <p className="note-title">{title}</p>
      {children && <div className="soft">{children}</div>}
    </div>
  );
}
