import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { apiPath, send } from "../../api/client";
import type { Operation, Submitted } from "../../api/types";
import { MOD } from "../../frame/mod";
import { useHost } from "../../host/context";
import { useOnce } from "../../parts/useOnce";
import { Comment } from "./Comment";
import { Dialog } from "./Dialog";
import { RefusalNote } from "./RefusalNote";
import { refusalOf } from "./refusal";

/** Applies again for a relation that is free: a new request, and this page goes on to it. */
export function ReapplyDialog({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  const { t } = useTranslation("recover");
  const host = useHost();
  const once = useOnce();
  const [, navigate] = useLocation();
  const [comment, setComment] = useState("");
  const id = encodeURIComponent(operation.operation_id);
  const apply = useMutation({
    mutationFn: () =>
      send<Submitted>(
        host,
        "POST",
        apiPath(`/operations/${id}/reapply`),
        comment.trim() === "" ? {} : { comment: comment.trim() },
      ),
    onSuccess: (submitted) => {
      onClose();
      navigate(`/requests/${encodeURIComponent(submitted.operation_id)}`);
    },
  });
  const act = () => once(() => apply.mutateAsync());
  return (
    <Dialog
      title={t("reapply.title")}
      operation={operation}
      onClose={onClose}
      onConfirm={act}
      footer={
        <>
          {apply.error && <RefusalNote refusal={refusalOf(apply.error)} unreached="reapply.unreached" />}
          <p className="conseq">
            <span>{t("reapply.consequence")}</span>
          </p>
          <Comment value={comment} disabled={apply.isPending} onChange={setComment} />
          <div className="dlg-acts">
            <Link className="btn big" href={`/new?kind=${encodeURIComponent(operation.kind)}&from=${id}`}>
              {t("reapply.edit")}
            </Link>
            <span className="grow" />
            <button type="button" className="btn big" onClick={onClose}>
              {t("cancel")} <kbd>{"Esc"}</kbd>
            </button>
            <button type="button" className="btn pri big" disabled={apply.isPending} onClick={act}>
              {apply.isPending ? t("sending") : t("reapply.title")} <kbd>{`${MOD} Enter`}</kbd>
            </button>
          </div>
        </>
      }
    >
      <div className="pad">
        <h3>{t("reapply.fields")}</h3>
        <pre className="mono fields-as">{JSON.stringify(operation.fields, null, 2)}</pre>
      </div>
    </Dialog>
  );
}
