import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ProblemError } from "../../api/client";
import type { Json, Kind } from "../../api/types";
import { MOD } from "../../frame/mod";
import { HostError } from "../../host/host";
import { OutlookShape } from "../../parts/OutlookMark";
import type { Fault } from "./form/faults";
import type { SubmitState } from "./useSubmit";

interface Props {
  faults: readonly Fault[];
  kind: Kind;
  holder: string | null;
  submit: SubmitState;
  onPress: () => void;
  onRenew: () => void;
}

/** The one button, and beside it what keeps it from being pressed. */
export function SubmitBar({ faults, kind, holder, submit, onPress, onRenew }: Props) {
  const { t } = useTranslation("form");
  const [first] = faults;
  const blocked = faults.length > 0 || holder !== null || submit.sending;
  return (
    <div className="submit">
      <button type="button" className="btn pri big" disabled={blocked} onClick={onPress}>
        {submit.sending ? t("submit.doing") : t("submit.do")}
        <kbd>{`${MOD} Enter`}</kbd>
      </button>
      <span className="submit-why" role="status">
        {first ? (
          <ToCorrect faults={faults} first={first} kind={kind} />
        ) : (
          <Reason holder={holder} submit={submit} onRenew={onRenew} />
        )}
      </span>
      <span className="end muted wide-only">{t("submit.key")}</span>
    </div>
  );
}

function ToCorrect({ faults, first, kind }: { faults: readonly Fault[]; first: Fault; kind: Kind }) {
  const { t } = useTranslation("form");
  const wrong = faults.filter((fault) => !fault.missing);
  const next = wrong[0] ?? first;
  const fields = new Set((wrong[0] ? wrong : faults).map((fault) => fault.pointer)).size;
  const name = nameOf(kind.schema, next.pointer) || t("whole");
  return (
    <>
      {wrong[0] ? (
        <span className="mk o-failed">
          <OutlookShape outlook="failed" />
          {t("submit.toCorrect", { count: fields, name })}
        </span>
      ) : (
        <span className="soft">{t("submit.toFill", { count: fields, name })}</span>
      )}
      <button type="button" className="link" onClick={() => focusField(next.pointer)}>
        {t("submit.goTo")}
      </button>
    </>
  );
}

function Reason({ holder, submit, onRenew }: Pick<Props, "holder" | "submit" | "onRenew">) {
  const { t } = useTranslation("form");
  const error = submit.error;
  if (error instanceof ProblemError && error.code === "idempotency-mismatch") {
    return (
      <>
        <span>{t("submit.known")}</span>
        <button type="button" className="btn" onClick={onRenew}>
          {t("submit.newKey")}
        </button>
      </>
    );
  }
  const owner = holder ?? (error instanceof ProblemError ? error.problem.operation_id : undefined);
  if (owner !== undefined && owner !== null) {
    return (
      <>
        <span className="mk o-waiting">
          <OutlookShape outlook="waiting" />
          {error?.message ?? t("submit.busy")}
        </span>
        {owner !== "" && <Link href={`/requests/${encodeURIComponent(owner)}`}>{t("preview.open")}</Link>}
      </>
    );
  }
  if (error instanceof HostError) return <span>{t("submit.again", { detail: error.message })}</span>;
  if (error) return <span className="mk o-failed">{error.message}</span>;
  return null;
}

/** The field's own title, by its pointer into the values. */
export function nameOf(schema: { [key: string]: Json }, pointer: string): string {
  let here: Json | undefined = schema;
  let name = "";
  for (const part of pointer.split("/").slice(1)) {
    const map: { [key: string]: Json } = here !== null && typeof here === "object" && !Array.isArray(here) ? here : {};
    const properties = map.properties as { [key: string]: Json } | undefined;
    here = properties?.[part] ?? map.items;
    const title = (here as { title?: Json } | undefined)?.title;
    if (typeof title === "string") name = title;
    else if (!/^\d+$/.test(part)) name = part;
  }
  return name;
}

function focusField(pointer: string): void {
  const id = ["root", ...pointer.split("/").slice(1)].join("_");
  const place = document.getElementById(id);
  const input = place?.matches("input, textarea, select") ? place : place?.querySelector<HTMLElement>("input, button");
  place?.scrollIntoView({ block: "center" });
  (input as HTMLElement | null | undefined)?.focus();
}
