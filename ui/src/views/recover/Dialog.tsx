import "./recover.css";
import type { ReactNode } from "react";
import type { Operation } from "../../api/types";
import { Dialog as Ask } from "../../parts/Dialog";
import { OutlookMark } from "../../parts/OutlookMark";

interface Props {
  title: string;
  operation: Operation;
  onClose: () => void;
  /** Ctrl or Cmd and Enter. */
  onConfirm: () => void;
  footer: ReactNode;
  children: ReactNode;
}

/** A dialog about one request. */
export function Dialog({ operation, ...ask }: Props) {
  const about = (
    <>
      <span className="soft clip">{`${operation.subject_id} \u2192 ${operation.target_key}`}</span>
      <OutlookMark outlook={operation.outlook} />
      <span className="mono muted" title={operation.step.name}>
        {operation.step.code}
      </span>
    </>
  );
  return <Ask {...ask} about={about} />;
}
