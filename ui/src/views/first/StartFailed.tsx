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
      {state.settings_path && (
        <p className="door-path">
          <span className="lbl">{t("file")}</span>
          <CopyText value={state.settings_path} what={t("fileWhat")} />
        </p>
      )}
      <button type="button" className="btn pri big" disabled={again.isPending} onClick={() => again.mutate()}>
        {again.isPending ? t("failed.trying") : t("failed.again")}
      </button>
    </Welcome>
  );
}
