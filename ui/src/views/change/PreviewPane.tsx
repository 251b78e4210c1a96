import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ProblemError } from "../../api/client";
import { useStatus } from "../../api/hooks";
import type { Outlook, Preview, Relation } from "../../api/types";
import { useTimedText } from "../../parts/clock";
import { type DiffView, DiffViewSwitch, FileDiff } from "../../parts/FileDiff";
import { Loading } from "../../parts/Notes";
import { OutlookMark, OutlookShape } from "../../parts/OutlookMark";
import { durationText } from "../../parts/time";
import { ThenLine } from "./ThenLine";
import type { PreviewState } from "./usePreview";

const RELATION_OUTLOOK: Record<Relation["state"], Outlook> = {
  free: "done",
  reappliable: "done",
  validated: "waiting",
  busy: "waiting",
};

function ReadAgo({ branch, at }: { branch: string; at: number }) {
  const { t } = useTranslation("form");
  const words = useTranslation("words").t;
  const text = useTimedText(
    (now) =>
      t("preview.against", { branch, ago: words("ago", { duration: durationText(words, Math.max(1000, now - at)) }) }),
    at,
  );
  return <span className="muted">{text}</span>;
}

/** What the change would do: who holds the relation, what is written where, and what comes after. */
export function PreviewPane({ preview, branch }: { preview: PreviewState; branch: string }) {
  const { t } = useTranslation("form");
  const order = useStatus().data?.flow.order;
  const { data, error } = preview;
  return (
    <section aria-label={t("preview.title")} aria-busy={preview.reading}>
      <div className={`prev${preview.stale ? " stale" : ""}`}>
        <div className="prev-h">
          <h2>{t("preview.title")}</h2>
          {data && <ReadAgo branch={branch} at={preview.readAt} />}
        </div>
        {error && <Refusal error={error} onAgain={preview.again} />}
        {!data &&
          !error &&
          (preview.reading ? <Loading what={t("preview.reading")} /> : <p className="soft">{t("preview.wait")}</p>)}
        {data && preview.stale && <p className="why">{t("preview.stale")}</p>}
        {data?.relation && <RelationCard preview={data} relation={data.relation} />}
        {data && data.warnings.length > 0 && <Warnings warnings={data.warnings} />}
        {data && <Files preview={data} />}
        {data && order && <ThenLine order={order} />}
      </div>
    </section>
  );
}

function Refusal({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const { t } = useTranslation(["form", "parts"]);
  const refused = error instanceof ProblemError && error.problem.status < 500;
  return (
    <div className="card" role="alert">
      <div className="card-h">
        <span className={`mk ${refused ? "o-failed" : "o-unknown"}`}>
          <OutlookShape outlook={refused ? "failed" : "unknown"} />
          {refused ? t("form:preview.refused") : t("form:preview.failed")}
        </span>
        <span className="end" />
        {!refused && (
          <button type="button" className="btn ghost" onClick={onAgain}>
            {t("parts:error.again")}
          </button>
        )}
      </div>
      <p className="card-b">{error.message}</p>
    </div>
  );
}

function RelationCard({ preview, relation }: { preview: Preview; relation: Relation }) {
  const { t } = useTranslation("form");
  const pair = t("preview.pair", { subject: preview.subject_id, target: preview.target_key });
  return (
    <div className="card">
      <div className="card-h">
        <h3>{t("preview.relation")}</h3>
        <span className="muted clip">{t("preview.relationWhy")}</span>
      </div>
      <div className="rel">
        <OutlookMark outlook={RELATION_OUTLOOK[relation.state]}>{t(`preview.${relation.state}`)}</OutlookMark>
        <span>
          <b>{pair}</b>
          <br />
          <span className="muted">{relation.sentence}</span>
        </span>
        {relation.operation_id && (
          <Link className="btn ghost" href={`/requests/${encodeURIComponent(relation.operation_id)}`}>
            {t("preview.open")}
          </Link>
        )}
      </div>
    </div>
  );
}

function Warnings({ warnings }: { warnings: string[] }) {
  const { t } = useTranslation("form");
  return (
    <div className="card">
      <div className="card-h">
        <span className="mk o-waiting">
          <OutlookShape outlook="waiting" />
          {t("preview.warnings")}
        </span>
      </div>
      <ul className="card-b">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}

function Files({ preview }: { preview: Preview }) {
  const { t } = useTranslation("form");
  const [view, setView] = useState<DiffView>("unified");
  return (
    <div className="card">
      <div className="card-h">
        <h3>{t("preview.files")}</h3>
        <span className="muted clip">{t("preview.filesCount", { count: preview.files.length })}</span>
        <span className="end" />
        <DiffViewSwitch view={view} onChange={setView} />
      </div>
      <div className="card-b">
        {preview.files.map((file) => (
          <FileDiff key={file.path} file={file} view={view} />
        ))}
      </div>
    </div>
  );
}
