import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Kind } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { momentText } from "../../parts/time";
import { readDraft } from "./drafts";

function matches(kind: Kind, text: string): boolean {
  const all = [kind.kind, kind.title, ...Object.values(kind.titles ?? {})].join(" ").toLowerCase();
  return all.includes(text.trim().toLowerCase());
}

/** The kinds of change, found by typing; arrows choose, Enter takes. */
export function KindPicker({ kinds, onPick }: { kinds: Kind[]; onPick: (kind: string) => void }) {
  const { t } = useTranslation("form");
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = kinds.filter((kind) => matches(kind, text));
  const chosen = found[Math.min(at, found.length - 1)];

  function onKeyDown(event: React.KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((before) => (Math.min(before, found.length - 1) + step + found.length) % found.length);
    } else if (event.key === "Enter" && chosen) {
      event.preventDefault();
      onPick(chosen.kind);
    }
  }

  return (
    <section className="pick" aria-labelledby="pick-title">
      <h2 id="pick-title">{t("pick.title")}</h2>
      <div className="inp pick-in">
        <Icon name="search" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the page has one purpose, and it starts here
          autoFocus
          value={text}
          placeholder={t("pick.search")}
          aria-label={t("pick.search")}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul className="pick-list">
        {found.map((kind) => (
          <li key={kind.kind}>
            <KindButton kind={kind} chosen={kind === chosen} onPick={() => onPick(kind.kind)} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="note-line">{t("pick.none", { text })}</p>}
    </section>
  );
}

function KindButton({ kind, chosen, onPick }: { kind: Kind; chosen: boolean; onPick: () => void }) {
  const { t } = useTranslation("form");
  const draftAt = readDraft(kind.kind)?.at;
  return (
    <button type="button" className={`pick-kind${chosen ? " on" : ""}`} onClick={onPick}>
      <b>{kind.title}</b>
      <span className="mono muted">{kind.kind}</span>
      <span className="muted clip">
        {kind.project && t("pick.where", { project: kind.project, branch: kind.target_branch ?? "" })}
      </span>
      {draftAt && <span className="tag acc">{t("pick.draft", { moment: momentText(draftAt) })}</span>}
      <Icon name="right" />
    </button>
  );
}
