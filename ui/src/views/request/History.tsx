import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CallItem, HistoryItem, LedgerItem, Workflow } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { Empty } from "../../parts/Notes";
import { zoneOf } from "../../parts/time";
import { dayOf } from "./clock";
import { HistoryLine } from "./HistoryLine";
import { isMove, isShown, type Line, type Only, storyOf } from "./story";

interface Props {
  history: readonly HistoryItem[];
  calls: readonly CallItem[];
  events: readonly LedgerItem[];
  workflow: Workflow;
  picked: string | null;
  onClear: () => void;
}

/** Everything that happened to a request, newest first. */
export function History({ history, calls, events, workflow, picked, onClear }: Props) {
  const { t } = useTranslation("request");
  const [only, setOnly] = useState<Only>("all");
  const story = useMemo(() => storyOf(history, calls, events), [history, calls, events]);
  const lines = useMemo(() => story.filter((line) => isShown(line, only, picked)), [story, only, picked]);
  const opened = useOpened(story, workflow);
  const box = useHeldScroll(lines[0]?.key ?? "", `${only} ${picked}`);
  const ignored = events.filter((event) => event.verdict !== "applied").length;
  const counts = t("history.counts", {
    moves: t("history.moves", { count: history.filter(isMove).length }),
    calls: t("history.calls", { count: calls.length }),
    ignored: t("history.ignored", { count: ignored }),
  });
  return (
    <section aria-label={t("history.title")}>
      <div className="sech">
        <h2>{t("history.title")}</h2>
        <span className="muted clip">{counts}</span>
        <span className="end" />
        <span className="muted nowrap zone">{t("history.zone", { zone: zoneOf(new Date()) })}</span>
        {picked !== null ? (
          <button type="button" className="chip on" title={t("history.clear")} onClick={onClear}>
            {t("history.picked", { what: picked.replace("start", t("history.start")).replace("-", " \u2192 ") })}
            <Icon name="x" />
          </button>
        ) : (
          <OnlySelect only={only} onChange={setOnly} />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard */}
      <div className="hist" ref={box} tabIndex={0}>
        {lines.length === 0 && <Empty title={t("history.none")}>{t("history.noneWhy")}</Empty>}
        {lines.map((line, index) => (
          <Day key={line.key} line={line} before={lines[index - 1]}>
            <HistoryLine
              line={line}
              open={opened.has(line.key)}
              outlookOf={opened.outlookOf}
              onToggle={opened.toggle}
            />
          </Day>
        ))}
      </div>
    </section>
  );
}

/** A line, and above it the day where that is another than that of the line before. */
function Day({ line, before, children }: { line: Line; before: Line | undefined; children: React.ReactNode }) {
  const day = dayOf(line.at);
  const isNew = before ? dayOf(before.at) !== day : day !== dayOf(new Date().toISOString());
  return (
    <>
      {isNew && <div className="day mono">{day}</div>}
      {children}
    </>
  );
}

function OnlySelect({ only, onChange }: { only: Only; onChange: (only: Only) => void }) {
  const { t } = useTranslation("request");
  return (
    <select
      className="chip"
      aria-label={t("history.show")}
      value={only}
      onChange={(event) => onChange(event.target.value as Only)}
    >
      <option value="all">{t("history.all")}</option>
      <option value="moves">{t("history.onlyMoves")}</option>
      <option value="ignored">{t("history.onlyIgnored")}</option>
      <option value="people">{t("history.onlyPeople")}</option>
    </select>
  );
}

/** Which lines are open: at first the newest move if it failed, then what the reader opens. */
function useOpened(story: readonly Line[], workflow: Workflow) {
  const outlooks = useMemo(() => new Map(workflow.steps.map((step) => [step.code, step.outlook])), [workflow]);
  const outlookOf = (code: number) => outlooks.get(code) ?? null;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    const newest = story.find((line) => line.sort === "move");
    const failed = newest && "item" in newest && outlookOf(newest.item.to.step.code) === "failed";
    return new Set(failed ? [newest.key] : []);
  });
  return {
    outlookOf,
    has: (key: string) => open.has(key),
    toggle: (key: string, isOpen: boolean) =>
      setOpen((before) => {
        if (before.has(key) === isOpen) return before;
        const after = new Set(before);
        if (isOpen) after.add(key);
        else after.delete(key);
        return after;
      }),
  };
}

/** New lines come in above: a reader who has scrolled down stays where they are. */
function useHeldScroll(first: string, filter: string) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef({ first, filter, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { first: lastFirst, filter: lastFilter, height } = before.current;
    if (filter === lastFilter && first !== lastFirst && element.scrollTop > 0) {
      element.scrollTop += element.scrollHeight - height;
    }
    before.current = { first, filter, height: element.scrollHeight };
  });
  return box;
}
