import { useTranslation } from "react-i18next";
import type { CallItem } from "../../api/types";
import { fullMomentText } from "../../parts/time";
import { clockOf } from "./clock";
import { type Evidence, evidenceOf } from "./evidence";
import { below, commonBase } from "./paths";

/** Per intended write: when it was first sent, how often, and what was seen of its effect. */
export function EvidencePane({ calls }: { calls: readonly CallItem[] }) {
  const { t } = useTranslation("request");
  const rows = evidenceOf(calls);
  if (rows.length === 0) return <p className="muted">{t("evidence.none")}</p>;
  const base = commonBase(rows.map((row) => row.write.replace(/^\S+ /, "")));
  return (
    <table className="tb">
      <thead>
        <tr>
          <th title={base}>{t("evidence.write")}</th>
          <th>{t("evidence.intent")}</th>
          <th className="num">{t("evidence.sends")}</th>
          <th>{t("evidence.effect")}</th>
        </tr>
      </thead>
      <tbody>
        {[...rows].reverse().map((row) => (
          <tr key={row.key}>
            <td className="mono" title={row.write}>
              <Write row={row} base={base} />
            </td>
            <td className="mono" title={fullMomentText(row.first)}>
              {clockOf(row.first)}
            </td>
            <td className="num">{row.sends}</td>
            <td>
              <Effect effect={row.effect} />
              {row.why && <span className="proof">{row.why}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Write({ row, base }: { row: Evidence; base: string }) {
  const { t } = useTranslation("request");
  const [method = "", path = ""] = row.write.split(" ");
  const write = `${method} ${below(path, base)}`;
  return row.account === null ? write : t("evidence.as", { write, account: row.account });
}

function Effect({ effect }: { effect: Evidence["effect"] }) {
  const { t } = useTranslation("request");
  switch (effect.sort) {
    case "answered":
      return t("evidence.answered", { status: effect.status });
    case "readBack":
      return t("evidence.readBack", { status: effect.status, clock: clockOf(effect.at) });
    case "refused":
      return (
        <span className="muted">{t("evidence.refused", { status: effect.status, class: effect.errorClass })}</span>
      );
    case "open":
      return <span className="o-unknown">{t("evidence.open")}</span>;
  }
}
