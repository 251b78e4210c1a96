import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useActions } from "../../api/hooks";
import type { ActionItem, Actions, Operation } from "../../api/types";
import { MOD } from "../../frame/mod";
import { ErrorNote, Loading } from "../../parts/Notes";
import { OutlookShape } from "../../parts/OutlookMark";
import { Sentence } from "../request/Sentence";
import { CallPlan } from "./CallPlan";
import { Comment } from "./Comment";
import { Compare } from "./Compare";
import { Dialog } from "./Dialog";
import { RefusalNote } from "./RefusalNote";
import { Steps } from "./Steps";
import { type Phase, usePress } from "./usePress";

interface Props {
  operation: Operation;
  action: string;
  onClose: () => void;
}

/** Before anything is sent: what the remotes say now, the calls that would be made, and what comes of it. */
export function RecoveryDialog({ operation, action, onClose }: Props) {
  const { t } = useTranslation(["recover", "request"]);
  const { phase, press } = usePress(operation.operation_id, action);
  const [comment, setComment] = useState("");
  const reading = useReading(operation, phase);
  const { data } = reading;
  const item = data?.actions.find((one) => one.action === action);
  const title = t(`request:action.${action as "resume"}`, { defaultValue: action });
  const ready = phase.is === "open" && data !== undefined && reading.fresh && item?.allowed === true;
  const act = () => {
    if (ready) press(data, data.version ?? operation.version, comment);
  };
  return (
    <Dialog
      title={title}
      operation={operation}
      onClose={onClose}
      onConfirm={act}
      footer={
        <>
          {phase.is === "open" && phase.refused && <RefusalNote refusal={phase.refused} />}
          {item && <Consequence item={item} />}
          <Comment value={comment} disabled={phase.is !== "open"} onChange={setComment} />
          <div className="dlg-acts">
            <div className="grow">
              <Steps phase={phase} writes={item?.plan.some((call) => call.effect === "write" && !call.skip) ?? true} />
              <Foot phase={phase} reading={reading} operation={operation} />
            </div>
            <button type="button" className="btn big" onClick={onClose}>
              {t(phase.is === "accepted" ? "recover:done" : "recover:cancel")} <kbd>{"Esc"}</kbd>
            </button>
            {phase.is !== "accepted" && (
              <button type="button" className="btn pri big" disabled={!ready} onClick={act}>
                {phase.is === "sending" ? t("recover:sending") : title} <kbd>{`${MOD} Enter`}</kbd>
              </button>
            )}
          </div>
        </>
      }
    >
      {reading.error ? (
        <>
          <ErrorNote error={reading.error} again={reading.again} />
          <p className="pad why">{t("recover:unreadWhy")}</p>
        </>
      ) : data ? (
        <>
          <div className="pad">
            <Compare reading={data} operation={operation} />
            {data.remote.silent.map((words) => (
              <p key={words} className="silent o-unknown">
                <OutlookShape outlook="unknown" />
                {t("recover:silent", { words })}
              </p>
            ))}
          </div>
          <div className="pad">{item && <CallPlan plan={item.plan} />}</div>
        </>
      ) : (
        <Loading what={t("recover:reading")} />
      )}
    </Dialog>
  );
}

interface Reading {
  data: Actions | undefined;
  /** Read since the dialog was opened, and for the version that the request has now. */
  fresh: boolean;
  error: Error | null;
  again: () => void;
}

/** The reading that the plan is made from: new at the opening and after every move, and kept as it was once pressed. */
function useReading(operation: Operation, phase: Phase): Reading {
  const actions = useActions(operation.operation_id);
  const [openedAt] = useState(() => Date.now());
  const { refetch, isFetching } = actions;
  const pressed = phase.is === "accepted" ? phase.reading : null;
  const stale = (actions.data?.version ?? operation.version) !== operation.version;
  const refused = phase.is === "open" && phase.refused?.sort === "stale" ? phase.refused.problem : null;
  useEffect(() => {
    void refetch();
  }, [refetch]);
  useEffect(() => {
    if ((stale && pressed === null) || refused !== null) void refetch();
  }, [stale, pressed, refused, refetch]);
  if (pressed) return { data: pressed, fresh: true, error: null, again: () => {} };
  const data = actions.isPlaceholderData || actions.dataUpdatedAt < openedAt ? undefined : actions.data;
  return {
    data,
    fresh: data !== undefined && !isFetching && !stale,
    error: data ? null : actions.error,
    again: () => void refetch(),
  };
}

function Consequence({ item }: { item: ActionItem }) {
  const { t } = useTranslation("recover");
  return (
    <p className={`conseq${item.allowed ? "" : " no"}`}>
      <span>
        <Sentence text={item.allowed ? (item.consequence ?? "") : t("illegal", { reason: item.reason ?? "" })} />
      </span>
    </p>
  );
}

function Foot({ phase, reading, operation }: { phase: Phase; reading: Reading; operation: Operation }) {
  const { t } = useTranslation("recover");
  if (phase.is === "accepted") {
    return <p className="why">{t(phase.blind ? "blind" : phase.progress.observed ? "finished" : "waiting")}</p>;
  }
  if (reading.error) return <p className="why">{t("unread", { detail: reading.error.message })}</p>;
  if (!reading.data) return <p className="why">{t("planning")}</p>;
  return (
    <p className="why">
      {reading.fresh
        ? t("version", { version: reading.data.version ?? operation.version })
        : t("moved", { version: operation.version })}
    </p>
  );
}
