import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";

export const TABS = ["fields", "files", "events", "approvals", "evidence"] as const;
export type Tab = (typeof TABS)[number];
const KEY = "signalbox.request-tab";

function keptTab(): Tab {
  const kept = localStorage.getItem(KEY);
  return TABS.find((tab) => tab === kept) ?? "fields";
}

/** The details of a request in tabs; the one that was open last is open again. */
export function Tabs({
  counts,
  children,
}: {
  counts: Partial<Record<Tab, number>>;
  children: (tab: Tab) => ReactNode;
}) {
  const { t } = useTranslation("request");
  const [tab, setTab] = useState<Tab>(keptTab);
  const id = useId();
  function choose(next: Tab) {
    localStorage.setItem(KEY, next);
    setTab(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? tab;
    choose(next);
    document.getElementById(`${id}${next}`)?.focus();
  }
  return (
    <section className="tabs" aria-label={t("tab.label")}>
      <div className="tabbar" role="tablist" aria-label={t("tab.label")} onKeyDown={onKeyDown}>
        {TABS.map((each) => (
          <button
            key={each}
            id={`${id}${each}`}
            type="button"
            role="tab"
            aria-selected={each === tab}
            aria-controls={`${id}pane`}
            tabIndex={each === tab ? 0 : -1}
            onClick={() => choose(each)}
          >
            {t(`tab.${each}`)}
            {counts[each] !== undefined && <span className="c">{counts[each]}</span>}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard */}
      <div className="panes" id={`${id}pane`} role="tabpanel" aria-labelledby={`${id}${tab}`} tabIndex={0}>
        {children(tab)}
      </div>
    </section>
  );
}
