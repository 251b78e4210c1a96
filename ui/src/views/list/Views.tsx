import { Popover } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { totalOf } from "../../api/lists";
import type { Counts } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { type SavedView, useSavedViews } from "./savedViews";
import { OUTLOOKS_OF, readState, VIEWS, type View } from "./state";

interface Props {
  current: string;
  counts: Counts | undefined;
  onShow: (key: string) => void;
}

function Count({ value, hot = false }: { value: number | undefined; hot?: boolean }) {
  const { i18n } = useTranslation();
  if (value === undefined) return null;
  return <span className={`c${hot && value > 0 ? " hot" : ""}`}>{value.toLocaleString(i18n.language)}</span>;
}

function OwnView({
  view,
  selected,
  ...props
}: {
  view: SavedView;
  selected: boolean;
  onShow: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation("list");
  return (
    <span className="view-own">
      <button type="button" className="view" aria-pressed={selected} onClick={props.onShow}>
        <span className="clip">{view.name}</span>
      </button>
      {selected && (
        <button
          type="button"
          className="btn ghost icon"
          aria-label={t("views.remove", { name: view.name })}
          onClick={props.onRemove}
        >
          <Icon name="x" />
        </button>
      )}
    </span>
  );
}

function SaveView({ onSave }: { onSave: (name: string) => void }) {
  const { t } = useTranslation("list");
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState("");
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="btn ghost"
          aria-label={t("views.save")}
          title={t("views.save")}
          onClick={() => setOpened((o) => !o)}
        >
          <Icon name="keep" />
          <span className="wide-only">{t("views.save")}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className="save-view"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === "") return;
            onSave(name.trim());
            setName("");
            setOpened(false);
          }}
        >
          <label className="flabel" htmlFor="view-name">
            {t("views.saveName")}
          </label>
          <input
            id="view-name"
            className="inp"
            value={name}
            maxLength={40}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <button type="submit" className="btn pri" disabled={name.trim() === ""}>
            {t("views.saveDo")}
          </button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function countOf(view: View, counts: Counts | undefined): number | undefined {
  if (!counts) return undefined;
  if (view === "mine") return counts.mine;
  const outlooks = OUTLOOKS_OF[view];
  return outlooks ? outlooks.reduce((sum, outlook) => sum + (counts.by_outlook[outlook] ?? 0), 0) : totalOf(counts);
}

/** The views as tabs with counts: four fixed ones, then the person's own. */
export function Views({ current, counts, onShow }: Props) {
  const { t } = useTranslation("list");
  const { saved, save, remove } = useSavedViews();
  const own = saved.find((view) => view.key === current);
  const fixed = own ? null : readState(new URLSearchParams(current)).view;
  return (
    <div className="views">
      <h1>{t("title")}</h1>
      <nav className="views-list" aria-label={t("views.label")}>
        {VIEWS.map((view) => (
          <button
            key={view}
            type="button"
            className="view"
            aria-pressed={view === fixed}
            onClick={() => onShow(`view=${view}`)}
          >
            {t(`views.${view}`)}
            <Count value={countOf(view, counts)} hot={view === "attention"} />
          </button>
        ))}
        {saved.map((view) => (
          <OwnView
            key={view.name}
            view={view}
            selected={view === own}
            onShow={() => onShow(view.key)}
            onRemove={() => remove(view.name)}
          />
        ))}
      </nav>
      <span className="end" />
      <SaveView onSave={(name) => save({ name, key: current })} />
    </div>
  );
}
