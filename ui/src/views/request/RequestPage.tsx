import "./request.css";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { useKinds, useOperation, useWorkflow } from "../../api/hooks";
import { useLive } from "../../api/live";
import type { HistoryItem, Operation, Workflow } from "../../api/types";
import { useKeys } from "../../frame/keys";
import { ErrorNote, Loading } from "../../parts/Notes";
import { Ago } from "../../parts/Time";
import { allOf, WhenRead } from "../../parts/WhenRead";
import { TrackPlan } from "../../track/TrackPlan";
import { ReapplyDialog } from "../recover/ReapplyDialog";
import { RecoveryDialog } from "../recover/RecoveryDialog";
import { ActionBar } from "./ActionBar";
import { ApprovalsPane } from "./ApprovalsPane";
import { EventsPane } from "./EventsPane";
import { EvidencePane } from "./EvidencePane";
import { ExportNote } from "./ExportNote";
import { FieldsPane } from "./FieldsPane";
import { FilesPane } from "./FilesPane";
import { Head } from "./Head";
import { History } from "./History";
import { choicesOf, mayReapply, recommended } from "./legal";
import { listOrder, neighbours } from "./order";
import { type Tab, Tabs } from "./Tabs";
import { useExport } from "./useExport";
import { useParts } from "./useParts";

const NO_MOVES: readonly HistoryItem[] = [];

/** One request: where it stands, what can be done, and everything that happened to it. */
export function RequestPage({ operationId }: { operationId: string }) {
  const { t } = useTranslation("request");
  const operation = useOperation(operationId);
  const workflow = useWorkflow();
  const error = (operation.data ? null : operation.error) ?? (workflow.data ? null : workflow.error);
  if (error) {
    return (
      <ErrorNote
        error={error}
        again={() => {
          void operation.refetch();
          void workflow.refetch();
        }}
      />
    );
  }
  // What is shown must be this request, not the one before it while this one is being read.
  if (!operation.data || operation.data.operation_id !== operationId || !workflow.data)
    return <Loading what={t("what")} />;
  return <Known operation={operation.data} workflow={workflow.data} readAt={operation.dataUpdatedAt} />;
}

function Known({ operation, workflow, readAt }: { operation: Operation; workflow: Workflow; readAt: number }) {
  const id = operation.operation_id;
  const parts = useParts(operation);
  const { history, calls, events } = parts;
  const [picked, setPicked] = useState<string | null>(null);
  const [action, setAction] = useAction(id);
  const place = usePlace(id);
  const exporting = useExport(id);
  const { t } = useTranslation("request");
  const repeatable = useKinds().data?.items.find((kind) => kind.kind === operation.kind)?.repeatable ?? false;
  const reappliable = mayReapply(operation, repeatable);
  const whyNot = t("whyNot", { code: operation.step.code, name: operation.step.name });
  const choices = choicesOf(parts.actions?.actions, workflow, operation, whyNot);
  const refusedNames = choices
    .filter((choice) => !choice.allowed)
    .map((choice) => choice.action)
    .join(" ");
  const refused = useMemo(() => new Set(refusedNames.split(" ")), [refusedNames]);
  return (
    <div className="rq">
      <Offline readAt={readAt} />
      <Head operation={operation} actions={parts.actions} place={place} />
      <ActionBar
        operation={operation}
        choices={choices}
        best={recommended(choices, operation, reappliable)}
        reappliable={reappliable}
        reading={parts.reading}
        onAction={setAction}
        exporting={exporting}
      />
      <ExportNote exporting={exporting} />
      <TrackPlan
        workflow={workflow}
        operation={operation}
        history={history.data ?? NO_MOVES}
        refused={refused}
        picked={picked}
        onPick={setPicked}
        onAction={setAction}
      />
      <div className="cols">
        <WhenRead read={allOf({ history, calls, events })} what={t("history.title")}>
          {(told) => <History key={id} {...told} workflow={workflow} picked={picked} onClear={() => setPicked(null)} />}
        </WhenRead>
        <Tabs counts={{ fields: Object.keys(operation.fields).length, events: events.data?.length }}>
          {(tab) => <Pane tab={tab} operation={operation} parts={parts} />}
        </Tabs>
      </div>
      {action === "reapply" && reappliable && <ReapplyDialog operation={operation} onClose={() => setAction(null)} />}
      {action !== null && action !== "reapply" && (
        <RecoveryDialog key={action} operation={operation} action={action} onClose={() => setAction(null)} />
      )}
    </div>
  );
}

interface PaneProps {
  tab: Tab;
  operation: Operation;
  parts: ReturnType<typeof useParts>;
}

function Pane({ tab, operation, parts }: PaneProps) {
  const { t } = useTranslation("request");
  const { history, calls, events, diffs, actions } = parts;
  switch (tab) {
    case "fields":
      return <FieldsPane operation={operation} diffs={diffs} />;
    case "files":
      return <FilesPane operationId={operation.operation_id} />;
    case "events":
      return (
        <WhenRead read={events} what={t("events.what")}>
          {(items) => <EventsPane events={items} />}
        </WhenRead>
      );
    case "approvals":
      return (
        <WhenRead read={allOf({ history, calls })} what={t("approvals.what")}>
          {(told) => <ApprovalsPane operation={operation} {...told} actions={actions} />}
        </WhenRead>
      );
    case "evidence":
      return (
        <WhenRead read={calls} what={t("evidence.what")}>
          {(items) => <EvidencePane calls={items} />}
        </WhenRead>
      );
  }
}

/** The action whose dialog is open; a link from the list can ask for one. */
function useAction(id: string): [string | null, (action: string | null) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<string | null>(null);
  const asked = new URLSearchParams(search).get("action");
  return [
    chosen ?? asked,
    (action) => {
      setChosen(action);
      if (asked !== null) navigate(`/requests/${encodeURIComponent(id)}`, { replace: true });
    },
  ];
}

/** Where the request stands in the list it was opened from; J and K lead to its neighbours. */
function usePlace(id: string) {
  const [, navigate] = useLocation();
  const place = useMemo(() => neighbours(listOrder(), id), [id]);
  const go = (to: string | null) => to !== null && navigate(`/requests/${encodeURIComponent(to)}`);
  useKeys({
    j: () => go(place.next),
    k: () => go(place.previous),
  });
  return place;
}

function Offline({ readAt }: { readAt: number }) {
  const { t } = useTranslation("request");
  const { link } = useLive();
  if (link !== "offline") return null;
  const [before = "", after = ""] = t("asOf", { ago: "\u0000" }).split("\u0000");
  return (
    <p className="as-of" role="status">
      {before}
      <Ago at={new Date(readAt).toISOString()} />
      {after}
    </p>
  );
}
