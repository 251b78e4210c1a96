import { useFocusTrap } from "@mantine/hooks";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { isComposing } from "./composing";
import { Icon } from "./Icon";

interface Props {
  title: string;
  /** What it is about, beside the title. */
  about?: ReactNode;
  /** For a question with little to read. */
  narrow?: boolean;
  onClose: () => void;
  /** Ctrl or Cmd and Enter. */
  onConfirm: () => void;
  footer: ReactNode;
  children: ReactNode;
}

/** A dialog that asks before something is done. Its footer is fixed: the consequence can never scroll away from the button. */
export function Dialog({ title, about, narrow = false, onClose, onConfirm, footer, children }: Props) {
  const { t } = useTranslation("parts");
  const titleId = useId();
  const trap = useFocusTrap(true);
  useReturnedFocus();
  useDialogKeys(onClose, onConfirm);
  return createPortal(
    <div className="scrim">
      <div
        ref={trap}
        className={`dlg${narrow ? " narrow" : ""}`}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
      >
        <header>
          <h2 id={titleId}>{title}</h2>
          {about}
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
      if (isComposing(event)) return;
      const isConfirm = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      // An Enter that is held would press what was not yet there to be read when it went down.
      const isHeld = event.key === "Enter" && event.repeat;
      if (!isConfirm && !isHeld && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (isHeld) return;
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
