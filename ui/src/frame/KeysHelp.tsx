import { Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Icon } from "../parts/Icon";
import { MOD } from "./mod";

const SECTIONS = {
  everywhere: [
    [`${MOD} K`, "find"],
    ["N", "new"],
    ["?", "help"],
  ],
  list: [
    ["J / K", "move"],
    ["Home / End", "ends"],
    ["Enter", "open"],
    ["Space", "peek"],
    ["X", "select"],
    ["/", "filter"],
    [".", "newer"],
    ["Esc", "clear"],
  ],
  request: [
    ["J / K", "neighbour"],
    ["\u2190 \u2191 \u2192 \u2193", "walk"],
    ["Enter", "pick"],
  ],
  recovery: [
    ["J / K", "row"],
    ["Enter", "unfold"],
  ],
  form: [[`${MOD} Enter`, "submit"]],
} as const;

/** The page of keys that `?` shows. */
export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation("frame");
  return (
    <Modal.Root opened={opened} onClose={onClose} size={460}>
      <Modal.Overlay />
      <Modal.Content aria-label={t("keys.title")}>
        <Modal.Body className="keys">
          <div className="keys-h">
            <h2>{t("keys.title")}</h2>
            <button type="button" className="btn ghost icon" aria-label={t("keys.close")} onClick={onClose}>
              <Icon name="x" />
            </button>
          </div>
          {(Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).map((section) => (
            <section key={section} className="keys-sec">
              <h3 className="lbl">{t(`keys.${section}`)}</h3>
              <dl className="keys-list">
                {SECTIONS[section].map(([key, does]) => (
                  <div key={key}>
                    <dt>
                      <kbd>{key}</kbd>
                    </dt>
                    <dd>{t(`keys.${does}`)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
