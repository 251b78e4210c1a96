import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { StartState } from "../../host/host";
import { CopyText } from "../../parts/CopyText";
import { Welcome } from "./Welcome";

/** The engine refused to start: its own words, and a way to try again. */
export function StartFailed({ state, onAgain }: { state: StartState; onAgain: () => Promise<unknown> }) {
  const { t } = useTranslation("first");
  const again = useMutation({ mutationFn: onAgain });
  return (
    <Welcome title={t("failed.title")} why={t("failed.why")}>
      <pre className="card failed-words">{state.message ?? t("failed.noMessage")}</pre>
      {state.settings_path && <Path name={t("file")} path={state.settings_path} />}
      {state.log_path && <Path name={t("log")} path={state.log_path} />}
      <button type="button" className="btn pri big" disabled={again.isPending} onClick={() => again.mutate()}>
        {again.isPending ? t("failed.trying") : t("failed.again")}
      </button>
    </Welcome>
  );
}

function Path({ name, path }: { name: string; path: string }) {
  const { t } = useTranslation("first");
  return (
    <p className="door-path">
      <span className="lbl">{name}</span>
      <CopyText value={path} what={t("fileWhat")} />
    </p>
  );
}
