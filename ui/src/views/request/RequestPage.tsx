import "./request.css";
import { useOperation } from "../../api/hooks";
import { ErrorNote, Loading } from "../../parts/Notes";

/** One request. */
export function RequestPage({ operationId }: { operationId: string }) {
  const operation = useOperation(operationId);
  if (operation.error) return <ErrorNote error={operation.error} again={() => void operation.refetch()} />;
  if (!operation.data) return <Loading what={operationId} />;
  return <div className="head">{operation.data.sentence}</div>;
}
