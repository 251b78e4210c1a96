import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryItem, Outlook } from "../../api/types";
import { durationText, fullMomentText } from "../../parts/time";
import { CallTable } from "./CallTable";
import { clockOf } from "./clock";
import { Sentence } from "./Sentence";
import { eventWords, type Line } from "./story";

interface Props {
  line: Line;
  open: boolean;
  outlookOf: (code: number) => Outlook | null;
  onToggle: (key: string, open: boolean) => void;
}

/** Longer reasons do not fit their line and are told again in full. */
const LONG = 56;
const LOUD: ReadonlySet<Outlook | null> = new Set(["failed", "unknown"]);

/** One line of the history, to be opened where there is more to it. */
export function HistoryLine({ line, open, outlookOf, onToggle }: Props) {
  const { t } = useTranslation("request");
  if (line.sort === "ignored") return <Ignored line={line} />;
  if (line.sort === "now") {
    return (
      <details className="mv" open={open} onToggle={(event) => onToggle(line.key, event.currentTarget.open)}>
        <summary>
          <time className="t" title={fullMomentText(line.at)}>
            {clockOf(line.at)}
          </time>
          <span className="w soft">{t("history.nowCalls")}</span>
          <span className="x">{t("history.calls", { count: line.calls.length })}</span>
        </summary>
        {open && <CallTable calls={line.calls} />}
      </details>
    );
  }
  return (
    <details
      className={`mv${line.sort === "note" ? " quiet" : ""}`}
      open={open}
      data-seq={line.item.seq}
      onToggle={(event) => onToggle(line.key, event.currentTarget.open)}
    >
      <summary>
        <time className="t" title={fullMomentText(line.at)}>
          {clockOf(line.at)}
        </time>
        <What item={line.item} note={line.sort === "note"} outlookOf={outlookOf} />
        <By item={line.item} />
      </summary>
      {open && <More line={line} />}
    </details>
  );
}

function What({ item, note, outlookOf }: { item: HistoryItem; note: boolean; outlookOf: Props["outlookOf"] }) {
  const { t } = useTranslation("request");
  const outlook = outlookOf(item.to.step.code);
  const loud = LOUD.has(outlook) ? ` o-${outlook}` : "";
  return (
    <span className="w" title={item.reason ?? undefined}>
      {note ? (
        <span className="stp">{item.to.step.code}</span>
      ) : (
        <>
          <span className="stp" title={item.from?.step.name}>
            {item.from?.step.code ?? "\u2013"}
          </span>
          <span className="to-step" aria-hidden="true">
            {" \u2192 "}
          </span>
          <span className="vh">{t("history.arrow")}</span>
          <span className={`stp${loud}`} title={item.to.step.name}>
            {item.to.step.code}
          </span>
        </>
      )}
      <b>{item.event}</b>
      {note && <span className="tag">{t("history.note")}</span>}
      <span className="soft">
        <Sentence text={item.reason ?? ""} />
      </span>
    </span>
  );
}

function By({ item }: { item: HistoryItem }) {
  const { t } = useTranslation("request");
  const { t: words } = useTranslation("words");
  const { kind, name } = item.actor;
  const actor = kind === "operator" ? name : t(`actor.${kind}`);
  return (
    <span className="x">
      {item.duration_ms === null ? actor : t("history.by", { actor, duration: durationText(words, item.duration_ms) })}
    </span>
  );
}

/** What stands behind a move: its reason in full, its evidence, and the calls made in the stay that it ended. */
function More({ line }: { line: Extract<Line, { item: HistoryItem }> }) {
  const { t } = useTranslation("request");
  const { item, calls } = line;
  const named = item.actor.kind !== item.actor.name && item.actor.kind !== "operator";
  const facts: [string, ReactNode][] = [];
  if (item.reason && item.reason.length > LONG)
    facts.push([t("history.reason"), <Sentence key="r" text={item.reason} />]);
  if (named) facts.push([t("history.who"), `${item.actor.name} (${t(`actor.${item.actor.kind}`)})`]);
  if (item.evidence) facts.push([t("history.evidence"), item.evidence]);
  return (
    <>
      {facts.length > 0 && (
        <dl className="rs">
          {facts.map(([term, words]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      )}
      {calls.length > 0 ? <CallTable calls={calls} /> : <p className="rs muted">{t("history.noCalls")}</p>}
    </>
  );
}

function Ignored({ line }: { line: Extract<Line, { sort: "ignored" }> }) {
  const { event } = line;
  return (
    <div className="mv flat ign">
      <div className="sm">
        <span />
        <time className="t" title={fullMomentText(line.at)}>
          {clockOf(line.at)}
        </time>
        <span className="w">
          <b>{eventWords(event)}</b>
          {event.reason && <span> {event.reason}</span>}
        </span>
        <span className={`tag ${event.verdict === "parked" ? "unk" : "skip"}`}>{event.verdict}</span>
      </div>
    </div>
  );
}
