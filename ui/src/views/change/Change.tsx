import type { RJSFSchema } from "@rjsf/utils";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Kind, Operation } from "../../api/types";
import { useKeys } from "../../frame/keys";
import { Icon } from "../../parts/Icon";
import { momentText } from "../../parts/time";
import { useDraft } from "./drafts";
import { findFaults } from "./form/faults";
import { SchemaForm } from "./form/SchemaForm";
import { PreviewPane } from "./PreviewPane";
import { SubmitBar } from "./SubmitBar";
import { usePreview } from "./usePreview";
import { useSubmit } from "./useSubmit";

/** One change being written: the form at the left, what it would do at the right, and one button. */
export function Change({ kind, from, onPickAgain }: { kind: Kind; from?: Operation; onPickAgain: () => void }) {
  const { t } = useTranslation("form");
  const { draft, change, fill, renew, discard, forget } = useDraft(kind.kind, from);
  const [tried, setTried] = useState(false);
  const faults = useMemo(() => findFaults(kind.schema, draft.fields, t), [kind.schema, draft.fields, t]);
  const preview = usePreview(kind.kind, draft.fields, faults.length === 0);
  const submit = useSubmit(kind.kind, draft, forget);
  const refused = submit.refused.length > 0 ? submit.refused : preview.refused;

  function press() {
    setTried(true);
    if (faults.length === 0 && refused.length === 0 && !preview.holder) submit.press();
  }
  useKeys({ "mod+enter": press });

  return (
    <>
      <div className="views">
        <h1>{t("title")}</h1>
        {draft.at && <span className="muted kept">{t("draftKept", { moment: momentText(draft.at) })}</span>}
        <span className="end" />
        {draft.at && (
          <button type="button" className="btn ghost" onClick={discard}>
            {t("discard")}
          </button>
        )}
      </div>
      <div className="nc">
        <section aria-label={kind.title}>
          <KindLine kind={kind} onPickAgain={onPickAgain} />
          {from && <FromLine operation={from} />}
          <SchemaForm
            key={draft.key}
            schema={kind.schema as RJSFSchema}
            values={draft.fields}
            refused={refused}
            showAll={tried}
            onChange={(fields, byPerson) => {
              submit.forgetRefusal();
              if (byPerson) change({ fields });
              else fill(fields);
            }}
            onSubmit={press}
          />
          <div className="form comment">
            <div className="field w2">
              <label htmlFor="change-comment">
                {t("comment")}
                <span className="opt">{t("commentOptional")}</span>
              </label>
              <input
                id="change-comment"
                className="inp"
                value={draft.comment}
                onChange={(event) => change({ comment: event.currentTarget.value })}
              />
            </div>
          </div>
        </section>
        <PreviewPane preview={preview} branch={kind.target_branch ?? ""} />
      </div>
      <SubmitBar
        faults={[...faults, ...refused]}
        kind={kind}
        holder={preview.holder}
        submit={submit}
        onPress={press}
        onRenew={() => {
          renew();
          submit.forgetRefusal();
        }}
      />
    </>
  );
}

function KindLine({ kind, onPickAgain }: { kind: Kind; onPickAgain: () => void }) {
  const { t } = useTranslation("form");
  return (
    <div className="kindw">
      <div className="kindp">
        <span className="lbl">{t("kind")}</span>
        <b>{kind.title}</b>
        <span className="mono muted">{kind.kind}</span>
        <span className="muted clip wide-only">
          {kind.project && t("pick.where", { project: kind.project, branch: kind.target_branch ?? "" })}
        </span>
        <span className="end" />
        <button type="button" className="btn ghost" onClick={onPickAgain}>
          {t("change")}
          <Icon name="down" />
        </button>
      </div>
    </div>
  );
}

/** The request whose fields this draft starts from. */
function FromLine({ operation }: { operation: Operation }) {
  const { t } = useTranslation("form");
  return (
    <p className="from-line soft">
      {t("from", { status: operation.status })}{" "}
      <Link href={`/requests/${encodeURIComponent(operation.operation_id)}`}>
        {t("preview.pair", { subject: operation.subject_id, target: operation.target_key })}
      </Link>
    </p>
  );
}
