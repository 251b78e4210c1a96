import { useTranslation } from "react-i18next";
import { useSwitchFlow } from "../../api/settings";
import type { Flow } from "../../api/types";
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
      <p className="set-note" role="status">
        {isPending && t("saving")}
        {isSuccess && t("saved")}
        {error && t("notSaved", { detail: error.message })}
      </p>
    </Part>
  );
}
