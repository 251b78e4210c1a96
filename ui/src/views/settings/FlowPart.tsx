import { useTranslation } from "react-i18next";
import { useSettings, useSwitchFlow } from "../../api/settings";
import type { Flow } from "../../api/types";
import { Moment } from "../../parts/Time";
import { Choice, Part } from "./Part";

const ORDERS = ["approval-first", "mr-first"] as const;
const APPROVE_APIS = ["classic", "checklist"] as const;

/** The two switches of the flow, each with what it affects. */
export function FlowPart({ flow }: { flow: Flow }) {
  const { t } = useTranslation("settings");
  const { mutate, isPending, isSuccess, error, variables } = useSwitchFlow();
  const shown = isPending ? { ...flow, ...variables } : flow;
  return (
    <Part title={t("flow")} why={t("flowWhy")}>
      <Choice
        name={t("order")}
        value={shown.order}
        disabled={isPending}
        choices={ORDERS.map((value) => ({ value, label: t(`orderValue.${value}`), means: t(`orderMeans.${value}`) }))}
        onChoose={(order) => mutate({ order })}
      />
      <Choice
        name={t("approveApi")}
        value={shown.approve_api}
        disabled={isPending}
        choices={APPROVE_APIS.map((value) => ({
          value,
          label: t(`approveApiValue.${value}`),
          means: t(`approveApiMeans.${value}`),
        }))}
        onChoose={(approve_api) => mutate({ approve_api })}
      />
      <LastTurns />
      <p className="set-note" role="status">
        {isPending && t("saving")}
        {isSuccess && t("saved")}
        {error && t("notSaved", { detail: error.message })}
      </p>
    </Part>
  );
}

const SHOWN = 5;

/** Who turned a switch, when, and from what to what. */
function LastTurns() {
  const { t } = useTranslation("settings");
  const turns = useSettings().data?.changes ?? [];
  if (turns.length === 0) return null;
  return (
    <div className="set-row">
      <span className="set-name">{t("turned")}</span>
      <ul className="turns">
        {turns.slice(0, SHOWN).map(({ at, actor, changes }) => (
          <li key={at}>
            <Moment at={at} />
            <span>{actor.name}</span>
            {changes.map(({ path, from, to }) => (
              <span key={path} className="mono">
                {t("turn", { path, from: String(from), to: String(to) })}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
