import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Outlook } from "../api/types";

const SHAPES: Record<Outlook, ReactNode> = {
  running: <path fill="currentColor" d="M2 .8 11 6 2 11.2z" />,
  waiting: (
    <g fill="none" stroke="currentColor" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="6" cy="6" r="4.9" strokeWidth="1.6" />
      <path d="M6 3.3V6.1l1.9 1.2" strokeWidth="1.4" />
    </g>
  ),
  unknown: (
    <g fill="none" stroke="currentColor">
      <path d="M6 .7 11.3 6 6 11.3.7 6z" strokeWidth="1.4" strokeLinejoin="round" />
      <path d="M4.7 4.9A1.35 1.35 0 1 1 6 6.4v.5" strokeWidth="1.2" strokeLinecap="round" />
      <circle cx="6" cy="8.5" r=".8" fill="currentColor" stroke="none" />
    </g>
  ),
  failed: (
    <>
      <rect x=".6" y=".6" width="10.8" height="10.8" rx="1.2" fill="currentColor" />
      <path className="mk-cut" d="m3.7 3.7 4.6 4.6m0-4.6L3.7 8.3" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  done: (
    <>
      <circle cx="6" cy="6" r="5.4" fill="currentColor" />
      <path
        className="mk-cut"
        fill="none"
        d="m3.4 6.2 1.8 1.8 3.4-3.8"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
};

/** The shape alone, 12 px; only beside its word, or inside something that has one. */
export function OutlookShape({ outlook }: { outlook: Outlook }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[outlook]}
    </svg>
  );
}

/** Shape, word and colour of an outlook; `children` stand in for the word. */
export function OutlookMark(props: { outlook: Outlook; plate?: boolean; children?: ReactNode }) {
  const { t } = useTranslation("words");
  return (
    <span className={`mk o-${props.outlook}${props.plate ? " plate" : ""}`} title={t(`outlookMeans.${props.outlook}`)}>
      <OutlookShape outlook={props.outlook} />
      {props.children ?? t(`outlook.${props.outlook}`)}
    </span>
  );
}
