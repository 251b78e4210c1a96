import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { FollowAct } from "../../api/recovery";
import type { FollowUp, Outlook } from "../../api/types";
import { OutlookMark } from "../../parts/OutlookMark";
import { Ago } from "../../parts/Time";

const OUTLOOK: Record<FollowUp["status"], Outlook> = {
  INIT: "waiting",
  PROCESSING: "running",
  SUCCESS: "done",
  FAIL: "failed",
  WAIT_COMPENSATE: "waiting",
  IGNORED: "done",
  FINAL_FAIL: "failed",
};
const COLUMNS = ["work", "request", "state", "next", "effect", "acts"] as const;

/** What a person wants done about a piece of work. */
export interface Asked {
  work: FollowUp;
  act: FollowAct;
}

/** One row for each piece of work, as the engine has it. */
export function FollowTable({ items, onAsk }: { items: readonly FollowUp[]; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation("recovery");
  return (
    <div className="card">
      <table className="plain follow">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((work) => (
            <Row key={work.code} work={work} onAsk={(act) => onAsk({ work, act })} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ work, onAsk }: { work: FollowUp; onAsk: (act: FollowAct) => void }) {
  const { t } = useTranslation(["recovery", "form"]);
  return (
    <tr data-row-of>
      <th scope="row">
        <KindName work={work} />
        <span className="follow-why">{work.sentence}</span>
        {work.error_message && (
          <span className="follow-error">{t("recovery:lastError", { error: work.error_message })}</span>
        )}
      </th>
      <td>
        <Link href={`/requests/${encodeURIComponent(work.operation_id)}`}>
          {t("form:preview.pair", { subject: work.subject_id, target: work.target_key })}
        </Link>
      </td>
      <td>
        <OutlookMark outlook={OUTLOOK[work.status]}>
          {work.given_up_by
            ? t("recovery:statusGivenUp", { who: work.given_up_by })
            : t(`recovery:status.${work.status}`)}
        </OutlookMark>
        <span className="target muted">
          {work.retry_count > 0
            ? t("recovery:tries", { n: work.retry_count, max: work.max_retries })
            : t("recovery:noTries")}
        </span>
      </td>
      <td>{work.next_try_at ? <NextTry at={work.next_try_at} /> : t("recovery:noNext")}</td>
      <td>{t(`recovery:effectIs.${work.effect}`)}</td>
      <td>
        <Acts work={work} onAsk={onAsk} />
      </td>
    </tr>
  );
}

function NextTry({ at }: { at: string }) {
  const { t } = useTranslation("recovery");
  return Date.parse(at) <= Date.now() ? t("now") : <Ago at={at} />;
}

/** What sort of work it is, in words. */
export function KindName({ work }: { work: FollowUp }) {
  const { t } = useTranslation("recovery");
  return <span>{t(`kind.${work.kind as "close_mr"}`, { defaultValue: t("kind.other", { kind: work.kind }) })}</span>;
}

/** Both buttons, or the one reason for which neither can be pressed. */
function Acts({ work, onAsk }: { work: FollowUp; onAsk: (act: FollowAct) => void }) {
  const { t } = useTranslation("recovery");
  const reason = work.actions.find((action) => !action.allowed)?.reason;
  if (reason) return <span className="muted">{reason}</span>;
  return (
    <span className="follow-acts">
      <button type="button" className="btn" data-row onClick={() => onAsk("replay")}>
        {t("replay")}
      </button>
      <button type="button" className="btn ghost" onClick={() => onAsk("ignore")}>
        {t("ignore")}
      </button>
    </span>
  );
}
