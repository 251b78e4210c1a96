import { useTranslation } from "react-i18next";
import type { Outlook, Remote } from "../../api/types";
import { type Health, healthOf } from "../../frame/Remotes";
import { OutlookMark } from "../../parts/OutlookMark";
import { Ago } from "../../parts/Time";
import { Part } from "./Part";

const MARK: Record<Health, Outlook> = {
  reachable: "done",
  slow: "waiting",
  unreachable: "failed",
  notRead: "unknown",
};

/** Every remote as the engine last read it. */
export function RemotesPart({ remotes }: { remotes: Remote[] }) {
  const { t } = useTranslation(["settings", "frame", "words"]);
  return (
    <Part title={t("settings:remotes")} why={t("settings:remotesWhy")}>
      {remotes.length === 0 ? (
        <p className="set-note">{t("settings:noRemotes")}</p>
      ) : (
        <table className="plain">
          <thead>
            <tr>
              {(["remote", "state", "latency", "credential", "readAt", "detail"] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`settings:${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {remotes.map((remote) => (
              <tr key={remote.remote}>
                <th scope="row">
                  {t(`frame:remotes.name.${remote.remote as "gitlab"}`, { defaultValue: remote.label })}
                </th>
                <td>
                  <OutlookMark outlook={MARK[healthOf(remote)]}>{t(`frame:remotes.${healthOf(remote)}`)}</OutlookMark>
                </td>
                <td>
                  {remote.latency_ms === null ? t("words:none") : t("words:duration.ms", { ms: remote.latency_ms })}
                </td>
                <td>{t(`frame:remotes.credentialIs.${remote.credential}`)}</td>
                <td>{remote.read_at ? <Ago at={remote.read_at} /> : t("frame:remotes.never")}</td>
                <td className="soft">{remote.detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  );
}
