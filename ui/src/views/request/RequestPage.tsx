import "./request.css";
import { useState } from "react";
import { useHistory, useOperation, useWorkflow } from "../../api/hooks";
import { ErrorNote, Loading } from "../../parts/Notes";
import { TrackPlan } from "../../track/TrackPlan";

const NOTHING: ReadonlySet<string> = new Set();

/** One request. */
export function RequestPage({ operationId }: { operationId: string }) {
  const operation = useOperation(operationId);
  const history = useHistory(operationId);
  const workflow = useWorkflow();
  const [picked, setPicked] = useState<string | null>(null);
  if (operation.error) return <ErrorNote error={operation.error} again={() => void operation.refetch()} />;
  if (!operation.data || !workflow.data || !history.data) return <Loading what={operationId} />;
  return (
    <TrackPlan
      workflow={workflow.data}
      operation={operation.data}
      history={history.data.items}
      refused={NOTHING}
      picked={picked}
      onPick={setPicked}
      onAction={() => {}}
    />
  );
}
