import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Cause } from "../../api/types";
import { useTimedText } from "../../parts/clock";
import { Icon } from "../../parts/Icon";
import { OutlookMark } from "../../parts/OutlookMark";
import { Ago } from "../../parts/Time";
import { durationText, fullMomentText } from "../../parts/time";
import { BULK_ACTIONS, type BulkAction } from "../list/bulk/BulkDialog";
import { Sentence } from "../request/Sentence";

/** Requests that the same thing has stopped: what, since when, what may be done about all of them, and which they are. */
export function CauseCard({ cause, onAct }: { cause: Cause; onAct: (action: BulkAction) => void }) {
  const { t } = useTranslation("recovery");
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li className="cause" data-row-of>
      <button
        type="button"
        className="cause-open"
        data-row
        aria-expanded={open}
        aria-controls={id}
        aria-label={t("open", { cause: cause.sentence })}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "down" : "right"} />
      </button>
      <div className="cause-h">
        <OutlookMark outlook={cause.outlook} />
        <b className="cause-n">{t("count", { count: cause.count })}</b>
        <span className="mono muted clip">{`${cause.step.code} ${cause.step.name}`}</span>
        <span className="muted nowrap" title={t("oldest", { moment: fullMomentText(cause.since) })}>
          {cause.count === 1 ? <Ago at={cause.since} /> : <OldestAgo at={cause.since} />}
        </span>
      </div>
      <p className="cause-says">
        <Sentence text={cause.sentence} />
      </p>
      <Acts cause={cause} onAct={onAct} />
      {open && <Members id={id} cause={cause} />}
    </li>
  );
}

/** Since when the oldest of several stands there, live. */
function OldestAgo({ at }: { at: string }) {
  const { t } = useTranslation("recovery");
  const { t: words } = useTranslation("words");
  const moment = Date.parse(at);
  const text = useTimedText((now) => {
    const duration = durationText(words, Math.max(1000, now - moment));
    return t("oldestAgo", { duration });
  }, moment);
  return <time dateTime={at}>{text}</time>;
}

/** The buttons that are legal for one of the requests at least, with the number of those they are legal for. */
function Acts({ cause, onAct }: { cause: Cause; onAct: (action: BulkAction) => void }) {
  const { t } = useTranslation(["recovery", "list"]);
  const eligible = (action: BulkAction) => cause.actions.find((each) => each.action === action)?.eligible ?? 0;
  const possible = BULK_ACTIONS.filter((action) => eligible(action) > 0);
  return (
    <div className="cause-acts">
      {possible.map((action, n) => {
        const name = t(`list:action.${action}`);
        return (
          <button
            key={action}
            type="button"
            className={`btn${n === 0 && eligible(action) > 1 ? " pri" : ""}`}
            title={t("recovery:eligible", { action: name, eligible: eligible(action), count: cause.count })}
            onClick={() => onAct(action)}
          >
            {t("recovery:act", { action: name })}
            <span className="cause-eligible">{eligible(action)}</span>
          </button>
        );
      })}
    </div>
  );
}

function Members({ id, cause }: { id: string; cause: Cause }) {
  const { t } = useTranslation(["recovery", "form"]);
  const shown = cause.members.length;
  return (
    <div id={id} className="cause-members">
      <div className="part-h">
        <b>
          {shown < cause.count
            ? t("recovery:membersFirst", { shown, count: cause.count })
            : t("recovery:members", { count: cause.count })}
        </b>
        <Link className="end" href={`/?view=attention&stage=${cause.step.code}`}>
          {t("recovery:inList")}
        </Link>
      </div>
      {cause.ids.length < cause.count && <p className="why">{t("recovery:first", { count: cause.ids.length })}</p>}
      <ul>
        {cause.members.map((member) => (
          <li key={member.operation_id}>
            <Link className="clip" href={`/requests/${encodeURIComponent(member.operation_id)}`}>
              {t("form:preview.pair", { subject: member.subject_id, target: member.target_key })}
            </Link>
            <span className="muted nowrap">
              <Ago at={member.entered_at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
