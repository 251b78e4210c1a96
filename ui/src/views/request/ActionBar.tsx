import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { ActionName, Operation } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { Ago } from "../../parts/Time";
import type { Choice } from "./legal";
import type { Exporting } from "./useExport";

export interface Reading {
  observedAt: string | null;
  reading: boolean;
  error: Error | null;
  again: () => void;
}

interface Props {
  operation: Operation;
  choices: readonly Choice[];
  best: ActionName | null;
  reappliable: boolean;
  reading: Reading;
  onAction: (action: ActionName) => void;
  exporting: Exporting;
}

/** What can be done: the recommended act first; what is not legal is there too, with the reason in words. */
export function ActionBar({ operation, choices, best, reappliable, reading, onAction, exporting }: Props) {
  const { t } = useTranslation("request");
  const ordered = [...choices].sort(
    (a, b) => Number(b.action === best) - Number(a.action === best) || Number(b.allowed) - Number(a.allowed),
  );
  const reapply: Choice = {
    action: "reapply",
    allowed: reappliable,
    reason: reappliable ? null : operation.owner ? t("reapplyWhy", { status: operation.status }) : t("reapplyNotOwner"),
  };
  const all = reappliable ? [reapply, ...ordered] : [...ordered, reapply];
  const refused = all.filter((choice) => !choice.allowed);
  return (
    <div className="bar" role="toolbar" aria-label={t("actions")}>
      {all
        .filter((choice) => choice.allowed)
        .map((choice) => (
          <ActionButton key={choice.action} choice={choice} primary={choice.action === best} onAction={onAction} />
        ))}
      {refused.length > 0 && refused.length < all.length && <span className="sep" />}
      <Refused choices={refused} onAction={onAction} />
      <span className="end" />
      <RemotesRead reading={reading} />
      <button type="button" className="btn" disabled={exporting.saving} onClick={exporting.press}>
        <Icon name="export" />
        {t(exporting.saving ? "exporting" : "action.export")}
      </button>
    </div>
  );
}

function ActionButton(props: { choice: Choice; primary: boolean; onAction: Props["onAction"]; describedBy?: string }) {
  const { choice, primary, onAction, describedBy } = props;
  const { t } = useTranslation("request");
  return (
    <button
      type="button"
      className={`btn${primary ? " pri" : ""}`}
      data-action={choice.action}
      disabled={!choice.allowed}
      title={choice.reason ?? undefined}
      aria-describedby={describedBy}
      onClick={() => onAction(choice.action)}
    >
      {t(`action.${choice.action as "resume"}`, { defaultValue: choice.action })}
    </button>
  );
}

/** The buttons that are not legal now; the reason of each stands beside them as far as there is room, and in its tooltip. */
function Refused({ choices, onAction }: { choices: readonly Choice[]; onAction: Props["onAction"] }): ReactNode {
  const id = useId();
  const words = useReasons(choices);
  return (
    <>
      {choices.map((choice) => (
        <ActionButton key={choice.action} choice={choice} primary={false} onAction={onAction} describedBy={id} />
      ))}
      <span className="why" id={id} title={words}>
        {words}
      </span>
    </>
  );
}

/** One reason for all of them, or each reason after the names of those that it keeps from being pressed. */
function useReasons(choices: readonly Choice[]): string {
  const { t, i18n } = useTranslation("request");
  const byReason = new Map<string, Choice[]>();
  for (const choice of choices) {
    const reason = choice.reason ?? "";
    byReason.set(reason, [...(byReason.get(reason) ?? []), choice]);
  }
  if (byReason.size <= 1) return choices[0]?.reason ?? "";
  const list = new Intl.ListFormat(i18n.language, { type: "unit", style: "short" });
  return [...byReason]
    .map(([reason, those]) => {
      const names = those.map(({ action }) => t(`action.${action as "resume"}`, { defaultValue: action }));
      return t("why", { action: list.format(names), reason: unstopped(reason) });
    })
    .join("; ");
}

/** A sentence as one part of a longer one. */
const unstopped = (sentence: string) => sentence.replace(/[.\u3002]$/, "");

function RemotesRead({ reading }: { reading: Reading }) {
  const { t } = useTranslation("request");
  if (reading.error) {
    return (
      <button type="button" className="btn ghost o-unknown" title={reading.error.message} onClick={reading.again}>
        <span className="clip">{t("remotesNot", { detail: reading.error.message })}</span>
      </button>
    );
  }
  if (!reading.reading && reading.observedAt === null) return null;
  return (
    // Not `disabled` while it reads: the focus of whoever pressed it would be lost.
    <button
      type="button"
      className="btn ghost small"
      title={t("readAgain")}
      aria-disabled={reading.reading}
      onClick={reading.reading ? undefined : reading.again}
    >
      <Icon name="again" />
      <ReadAt reading={reading} />
      <span className="vh">{t("readAgain")}</span>
    </button>
  );
}

/** How old the reading is; where there is little room the icon stands for the words. */
function ReadAt({ reading: { reading, observedAt } }: { reading: Reading }) {
  const { t } = useTranslation("request");
  if (reading || observedAt === null) return <span className="wide-only">{t("remotesReading")}</span>;
  return (
    <>
      <span className="wide-only">{t("remotesRead")}</span>
      <Ago at={observedAt} />
    </>
  );
}
