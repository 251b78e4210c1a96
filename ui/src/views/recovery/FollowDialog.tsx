import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ProblemError } from "../../api/client";
import { type FollowAct, useFollowAct } from "../../api/recovery";
import type { FollowUp } from "../../api/types";
import { MOD } from "../../frame/mod";
import { Dialog } from "../../parts/Dialog";
import { OutlookShape } from "../../parts/OutlookMark";
import { useOnce } from "../../parts/useOnce";
import { KindName } from "./FollowTable";

interface Props {
  work: FollowUp;
  act: FollowAct;
  onClose: () => void;
}

/** Before a piece of work is tried or given up: what comes of it. After: what came of it, as the engine read it back. */
export function FollowDialog({ work, act, onClose }: Props) {
  const { t } = useTranslation(["recovery", "form"]);
  const pressing = useFollowAct(work.code);
  const once = useOnce();
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const { data: done, error, isPending } = pressing;

  function press() {
    if (done) return;
    if (act === "ignore" && reason.trim() === "") setMissing(true);
    else once(() => pressing.mutateAsync({ act, reason: reason.trim() }));
  }

  const waiting = t(act === "replay" ? "recovery:dialog.trying" : "recovery:dialog.keeping");
  return (
    <Dialog
      narrow
      title={t(`recovery:dialog.${act}`)}
      about={
        <span className="soft clip">
          {t("form:preview.pair", { subject: work.subject_id, target: work.target_key })}
        </span>
      }
      onClose={onClose}
      onConfirm={press}
      footer={
        <>
          <p className="conseq">
            <span>{work.actions.find((action) => action.action === act)?.consequence ?? ""}</span>
          </p>
          {error && <Refusal error={error} />}
          {done && <Outcome work={done} act={act} />}
          <div className="dlg-acts">
            <span className="grow" />
            <button type="button" className="btn big" onClick={onClose}>
              {t(done ? "recovery:dialog.close" : "recovery:dialog.cancel")} <kbd>{"Esc"}</kbd>
            </button>
            {!done && (
              <button type="button" className="btn pri big" disabled={isPending} onClick={press}>
                {isPending ? waiting : t(`recovery:dialog.${act}`)} <kbd>{`${MOD} Enter`}</kbd>
              </button>
            )}
          </div>
        </>
      }
    >
      <div className="pad ask">
        <p>
          <b>
            <KindName work={work} />
          </b>
        </p>
        <p className="soft">{work.sentence}</p>
        {work.error_message && <p className="soft">{t("recovery:lastError", { error: work.error_message })}</p>}
        {act === "ignore" && !done && (
          <Reason value={reason} missing={missing && reason.trim() === ""} onChange={setReason} />
        )}
      </div>
    </Dialog>
  );
}

function Reason({ value, missing, onChange }: { value: string; missing: boolean; onChange: (text: string) => void }) {
  const { t } = useTranslation("recovery");
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t("dialog.reason")}</label>
      <input
        id={id}
        data-autofocus
        className={`inp${missing ? " bad" : ""}`}
        aria-invalid={missing}
        aria-describedby={`${id}-why`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p id={`${id}-why`} className={missing ? "err" : "help"} role={missing ? "alert" : undefined}>
        {t(missing ? "dialog.reasonMissing" : "dialog.reasonWhy")}
      </p>
    </div>
  );
}

function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation("recovery");
  const refused = error instanceof ProblemError;
  const outlook = refused ? "failed" : "unknown";
  return (
    <p className={`told o-${outlook}`} role="alert">
      <OutlookShape outlook={outlook} />
      {refused ? t("dialog.refused", { reason: error.message }) : t("dialog.unreached", { detail: error.message })}
    </p>
  );
}

const TOLD = ["SUCCESS", "IGNORED", "WAIT_COMPENSATE", "FINAL_FAIL", "FAIL"] as const;

function Outcome({ work, act }: { work: FollowUp; act: FollowAct }) {
  const { t } = useTranslation("recovery");
  const status = TOLD.find((each) => each === work.status) ?? "other";
  const failed = status === "FINAL_FAIL" || status === "FAIL";
  const outlook = failed ? "failed" : status === "WAIT_COMPENSATE" ? "waiting" : "done";
  return (
    <p className={`told o-${outlook}`} role="status">
      <OutlookShape outlook={outlook} />
      {act === "ignore" ? t("dialog.given") : t(`dialog.tried.${status}`, { error: work.error_message ?? "" })}
    </p>
  );
}
