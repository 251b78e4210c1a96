import { useTranslation } from "react-i18next";
import type { PlannedCall } from "../../api/types";
import { below, commonBase } from "../request/paths";
import { Sentence } from "../request/Sentence";

/** The exact calls in order: reads, those that are skipped because their effect is there, and those that will be sent. */
export function CallPlan({ plan }: { plan: readonly PlannedCall[] }) {
  const { t } = useTranslation("recover");
  const base = plan.length > 1 ? commonBase(plan.map((call) => call.path)) : "";
  const writes = plan.filter((call) => call.effect === "write" && !call.skip).length;
  const counts = t("counts", {
    writes: writes === 0 ? t("noWrites") : t("writes", { count: writes }),
    skipped: t("skipped", { count: plan.filter((call) => call.skip).length }),
    reads: t("reads", { count: plan.filter((call) => call.effect === "read" && !call.skip).length }),
  });
  const keyed = plan.map((call, index) => ({ call, key: `${index} ${call.method} ${call.path}` }));
  return (
    <>
      <div className="plan-h">
        <h3>{t("calls")}</h3>
        <span className="muted">{counts}</span>
        {base !== "" && (
          <span className="muted clip mono" title={base}>
            {t("under", { base })}
          </span>
        )}
      </div>
      {plan.length === 0 ? (
        <p className="muted">{t("noCalls")}</p>
      ) : (
        <ol className="plan-l">
          {keyed.map(({ call, key }, index) => (
            <PlannedLine key={key} call={call} base={base} back={plan[index - 1]?.effect === "write"} />
          ))}
        </ol>
      )}
    </>
  );
}

function PlannedLine({ call, base, back }: { call: PlannedCall; base: string; back: boolean }) {
  const { t } = useTranslation("recover");
  const send = call.effect === "write" && !call.skip;
  const path = below(call.path, base);
  const shown = call.account ? t("as", { path, account: call.account }) : path;
  const word = call.skip
    ? t("tag.skip")
    : send
      ? t(call.conditional ? "tag.maybe" : "tag.send")
      : t(back ? "tag.back" : "tag.read");
  return (
    <li className={call.skip ? "skp" : send ? "send" : undefined}>
      <span className="m">{call.method}</span>
      <span className="p" title={`${call.remote} ${call.method} ${call.path}`}>
        {shown}
      </span>
      <span className="y" title={call.why ?? undefined}>
        <Sentence text={call.why ?? ""} />
      </span>
      <span className={`tag ${send ? "acc" : "skip"}`}>{word}</span>
    </li>
  );
}
