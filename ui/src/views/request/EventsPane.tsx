import { useTranslation } from "react-i18next";
import type { LedgerItem } from "../../api/types";
import { Empty } from "../../parts/Notes";
import { fullMomentText } from "../../parts/time";
import { clockOf } from "./clock";
import { eventWords } from "./story";

const TONE: Record<LedgerItem["verdict"], string> = {
  applied: "ok",
  parked: "unk",
  duplicate: "skip",
  ignored_stale: "skip",
  ignored_foreign: "skip",
  rejected_signature: "bad",
};

/** The ledger: everything that came in for this request, with its verdict and why, newest first. */
export function EventsPane({ events }: { events: readonly LedgerItem[] }) {
  const { t } = useTranslation("request");
  if (events.length === 0) return <Empty title={t("events.none")}>{t("events.noneWhy")}</Empty>;
  const keyed = events.map((event, index) => ({ event, key: `${event.id} ${index}` })).reverse();
  return (
    <table className="tb">
      <thead>
        <tr>
          <th>{t("events.received")}</th>
          <th>{t("events.source")}</th>
          <th>{t("events.event")}</th>
          <th>{t("events.verdict")}</th>
        </tr>
      </thead>
      <tbody>
        {keyed.map(({ event, key }) => (
          <tr key={key} className={event.verdict === "applied" ? undefined : "muted"}>
            <td className="mono" title={fullMomentText(event.received_at)}>
              {clockOf(event.received_at)}
            </td>
            <td>{event.source}</td>
            <td>
              {eventWords(event)}
              {event.reason && <span className="proof">{event.reason}</span>}
              {event.body !== undefined && event.body !== null && (
                <details className="body">
                  <summary>{t("events.body")}</summary>
                  <pre className="mono">{JSON.stringify(event.body, null, 2)}</pre>
                </details>
              )}
            </td>
            <td>
              <span className={`tag ${TONE[event.verdict] ?? "skip"}`} title={t(`events.means.${event.verdict}`)}>
                {event.verdict}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
