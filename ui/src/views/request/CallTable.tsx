import { useTranslation } from "react-i18next";
import type { CallItem } from "../../api/types";
import { clockOf } from "./clock";
import { below, commonBase, shortBase, withoutQuery } from "./paths";

/** The remote calls of one stay in a step, their paths under what they have in common. */
export function CallTable({ calls }: { calls: readonly CallItem[] }) {
  const { t } = useTranslation("request");
  const base = commonBase(calls.map((call) => call.path));
  return (
    <div className="callsw">
      <table className="calls">
        <thead>
          <tr>
            <th>
              <span className="vh">{t("calls.method")}</span>
            </th>
            <th className="path" title={base}>
              {base === "" ? t("calls.path") : t("calls.under", { base: shortBase(base) })}
            </th>
            <th>{t("calls.as")}</th>
            <th>{t("calls.status")}</th>
            <th className="num">{t("calls.ms")}</th>
            <th className="num">{t("calls.try")}</th>
            <th>{t("calls.class")}</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} base={base} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CallRow({ call, base }: { call: CallItem; base: string }) {
  const { t } = useTranslation("request");
  const bad = call.error_class !== null || (call.http_status !== null && call.http_status >= 400) ? "bad" : undefined;
  const who = [call.account, call.error ?? call.detail].filter(Boolean).join(", ");
  return (
    <tr>
      <td className="m">{call.method}</td>
      <td className="path" title={`${clockOf(call.at)} ${call.remote} ${call.path}`}>
        {below(withoutQuery(call.path), base)}
      </td>
      <td className="who" title={who}>
        {who}
      </td>
      <td className={bad}>{call.http_status ?? t("calls.noStatus")}</td>
      <td className="num">{call.duration_ms ?? ""}</td>
      <td className="num">{call.attempt}</td>
      <td className={bad}>{call.error_class ?? ""}</td>
    </tr>
  );
}
