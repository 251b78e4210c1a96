import "./recover.css";
import { useFocusTrap } from "@mantine/hooks";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Operation } from "../../api/types";
import { Icon } from "../../parts/Icon";
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

/** A dialog about one request. Its footer is fixed: the consequence can never scroll away from the button. */
export function Dialog({ title, operation, onClose, onConfirm, footer, children }: Props) {
  const { t } = useTranslation("recover");
  const titleId = useId();
  const trap = useFocusTrap(true);
  useReturnedFocus();
  useDialogKeys(onClose, onConfirm);
  return createPortal(
    <div className="scrim">
      <div ref={trap} className="dlg" role="dialog" aria-modal="true" aria-labelledby={titleId}>
        <header>
          <h2 id={titleId}>{title}</h2>
          <span className="soft clip">{`${operation.subject_id} \u2192 ${operation.target_key}`}</span>
          <OutlookMark outlook={operation.outlook} />
          <span className="mono muted" title={operation.step.name}>
            {operation.step.code}
          </span>
          <span className="end" />
          <button type="button" className="btn ghost icon" aria-label={t("close")} onClick={onClose}>
            <Icon name="x" />
          </button>
        </header>
        <div className="body">{children}</div>
        <footer>{footer}</footer>
      </div>
    </div>,
    document.body,
  );
}

/** Escape closes and Ctrl or Cmd with Enter confirms, wherever the focus has gone. */
function useDialogKeys(onClose: () => void, onConfirm: () => void) {
  const latest = useRef({ onClose, onConfirm });
  latest.current = { onClose, onConfirm };
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isConfirm = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (!isConfirm && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (isConfirm) latest.current.onConfirm();
      else latest.current.onClose();
    }
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, []);
}

/** The focus goes back to where it was when the dialog is gone. */
function useReturnedFocus() {
  const before = useRef(document.activeElement);
  useEffect(() => {
    const element = before.current;
    return () => {
      if (element instanceof HTMLElement || element instanceof SVGElement) element.focus();
    };
  }, []);
}
