import { useDebouncedValue } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useActions, useOperation } from "../../api/hooks";
import type { Actions, Operation } from "../../api/types";
import { CopyText } from "../../parts/CopyText";
import { Icon } from "../../parts/Icon";
import { Empty, ErrorNote, Loading } from "../../parts/Notes";
import { OutlookMark } from "../../parts/OutlookMark";
import { PeekActions } from "./PeekActions";
import { PeekFacts } from "./PeekFacts";
import { PeekFields } from "./PeekFields";

const MiniTrack = lazy(() => import("../../track/MiniTrack").then((m) => ({ default: m.MiniTrack })));

/** The remotes are asked only once the selection rests. */
const REST_MS = 400;

interface Props {
  operationId: string | null;
  onOpen: (operationId: string) => void;
  onClose: () => void;
}

/** The panel at the right of the list: the selected request, and what is possible now. */
export function Peek({ operationId, onOpen, onClose }: Props) {
  const { t } = useTranslation("list");
  return (
    <aside className="peek" aria-label={t("peek.label")}>
      {operationId ? (
        <Selected operationId={operationId} onOpen={onOpen} onClose={onClose} />
      ) : (
        <Empty title={t("peek.none")}>
          <p>{t("peek.noneWhy")}</p>
        </Empty>
      )}
    </aside>
  );
}

function Selected({ operationId, onOpen, onClose }: Props & { operationId: string }) {
  const { t } = useTranslation("list");
  const { data, error, refetch } = useOperation(operationId);
  const [rested] = useDebouncedValue(operationId, REST_MS);
  const actions = useActions(operationId, rested === operationId);
  if (error && !data) return <ErrorNote error={error} again={() => void refetch()} />;
  if (!data) return <Loading what={operationId} />;
  const current: Actions | undefined = actions.isPlaceholderData ? undefined : actions.data;
  return (
    <>
      <Head operation={data} onOpen={onOpen} onClose={onClose} />
      <div className="blk">
        <div className="lbl">{t("peek.stands")}</div>
        <Suspense fallback={<div className="mini-room" />}>
          <MiniTrack operation={data} />
        </Suspense>
      </div>
      <PeekActions operation={data} actions={current} error={actions.error} />
      <PeekFacts operation={data} actions={current} />
      <PeekFields operation={data} />
    </>
  );
}

function Head({ operation, onOpen, onClose }: { operation: Operation } & Pick<Props, "onOpen" | "onClose">) {
  const { t } = useTranslation("list");
  const id = operation.operation_id;
  return (
    <div className="blk">
      <div className="peek-top">
        <OutlookMark outlook={operation.outlook} plate />
        <span className="mono muted" title={operation.step.name}>
          {operation.step.code}
        </span>
        <span className="end" />
        <Link
          className="btn ghost"
          href={`/requests/${encodeURIComponent(id)}`}
          onClick={(event) => {
            event.preventDefault();
            onOpen(id);
          }}
        >
          {t("peek.open")}
          <kbd>{"Enter"}</kbd>
        </Link>
        <button type="button" className="btn ghost icon" aria-label={t("peek.close")} onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <h2>
        {operation.subject_id}
        <span className="muted arrow" aria-hidden="true">
          {"\u2192"}
        </span>
        {operation.target_key}
      </h2>
      <p className="sentence">{operation.sentence}</p>
      {operation.hint && <p className="why">{operation.hint}</p>}
      <p className="peek-id">
        <CopyText value={id} what={t("peek.idWhat")} />
      </p>
    </div>
  );
}
