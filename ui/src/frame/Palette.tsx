import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchRequests } from "../api/lists";
import { isComposing } from "../parts/composing";
import { Icon } from "../parts/Icon";
import { OutlookShape } from "../parts/OutlookMark";
import { type Command, useCommands } from "./commands";

const WAIT_MS = 120;

/** Finds requests, pages and actions by typing; arrows choose, Enter goes. */
export function Palette(props: { opened: boolean; onClose: () => void; onKeys: () => void }) {
  const { t } = useTranslation("frame");
  return (
    <Modal.Root
      opened={props.opened}
      onClose={props.onClose}
      size={620}
      yOffset={72}
      centered={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t("palette.label")}>
        <PaletteBody onClose={props.onClose} onKeys={props.onKeys} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteBody({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const { t } = useTranslation("frame");
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [asked] = useDebouncedValue(text.trim(), WAIT_MS);
  // What was found for other letters is no answer to these: Enter would open it.
  const found = useSearchRequests(asked === text.trim() ? asked : "");
  const commands = useCommands(text, found, onKeys);
  const chosen = commands[Math.min(at, commands.length - 1)];

  function run(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.run();
  }

  function onKeyDown(event: React.KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && commands.length > 0) {
      event.preventDefault();
      setAt((before) => (Math.min(before, commands.length - 1) + step + commands.length) % commands.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(chosen);
    }
  }

  return (
    <div className="palette">
      <div className="palette-in">
        <Icon name="search" />
        <input
          data-autofocus
          // biome-ignore lint/a11y/noAutofocus: it was opened to type into it
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen ? `palette-${chosen.id}` : undefined}
          aria-label={t("palette.label")}
          placeholder={t("palette.placeholder")}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>{"Esc"}</kbd>
      </div>
      <div id="palette-list" role="listbox" aria-label={t("palette.label")} className="palette-list">
        {commands.map((command, index) => (
          <Option
            key={command.id}
            command={command}
            first={commands[index - 1]?.group !== command.group}
            chosen={command === chosen}
            onRun={() => run(command)}
          />
        ))}
      </div>
      {commands.length === 0 && <p className="palette-none">{t("palette.none", { text })}</p>}
      {text === "" && <p className="palette-none">{t("palette.hint")}</p>}
    </div>
  );
}

function Option(props: { command: Command; first: boolean; chosen: boolean; onRun: () => void }) {
  const { t } = useTranslation("frame");
  const { command } = props;
  return (
    <>
      {props.first && (
        <div role="presentation" className="lbl palette-group">
          {t(`palette.${command.group}`)}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the text field */}
      <div
        id={`palette-${command.id}`}
        role="option"
        tabIndex={-1}
        aria-selected={props.chosen}
        className={`palette-item${command.outlook ? ` o-${command.outlook}` : ""}`}
        onClick={props.onRun}
      >
        {command.outlook ? <OutlookShape outlook={command.outlook} /> : <Icon name={command.icon} />}
        <span className="clip palette-title">{command.title}</span>
        {command.detail && <span className="clip muted">{command.detail}</span>}
      </div>
    </>
  );
}
