import { useTranslation } from "react-i18next";
import { OutlookMark } from "../../../parts/OutlookMark";
import type { Outcome } from "./run";

/** The report as plain text, one request a line. */
export function reportOf(outcomes: readonly Outcome[], action: string): string {
  const lines = outcomes.map(({ operation, fault, words }) =>
    [
      operation.operation_id,
      operation.subject_id,
      operation.target_key,
      operation.step.code,
      fault ?? "ok",
      words,
    ].join("\t"),
  );
  return [`${action} ${new Date().toISOString()}`, ...lines].join("\n");
}

/** What each press came to, read back from the engine. */
export function Outcomes({ outcomes, action, left }: { outcomes: readonly Outcome[]; action: string; left: number }) {
  const { t } = useTranslation(["list", "form"]);
  return (
    <>
      <div className="bulk-sum">
        <b>{t("list:bulk.worked", { count: outcomes.length })}</b>
        <span className="muted">{t("list:bulk.left", { count: left })}</span>
        <span className="end" />
        <button
          type="button"
          className="btn"
          onClick={() => void navigator.clipboard.writeText(reportOf(outcomes, action))}
        >
          {t("list:bulk.copyReport")}
        </button>
      </div>
      <ul className="bulk-out">
        {outcomes.map(({ operation, words }) => (
          <li key={operation.operation_id}>
            <OutlookMark outlook={operation.outlook} />
            <span className="clip">
              {t("form:preview.pair", { subject: operation.subject_id, target: operation.target_key })}
            </span>
            <span className="soft">{words}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
