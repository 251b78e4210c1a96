import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useHost } from "../../host/context";
import type { StartState } from "../../host/host";
import { CopyText } from "../../parts/CopyText";
import { Welcome } from "./Welcome";

interface Props {
  state: StartState;
  onAgain: () => Promise<unknown>;
}

/** The first start: three doors, of which the first needs nothing and the others say what they need. */
export function FirstRun({ state, onAgain }: Props) {
  const { t } = useTranslation("first");
  return (
    <Welcome title={t("title")} why={t("why")}>
      <div className="doors">
        <Practise onAgain={onAgain} />
        <Connect path={state.settings_path} onAgain={onAgain} />
        <section className="card door" aria-labelledby="door-backup">
          <h2 id="door-backup">{t("backup.title")}</h2>
          <p>{t("backup.why")}</p>
          {state.data_dir && <CopyText value={state.data_dir} what={t("fileWhat")} />}
        </section>
      </div>
    </Welcome>
  );
}

function Practise({ onAgain }: Pick<Props, "onAgain">) {
  const { t } = useTranslation("first");
  const host = useHost();
  const start = useMutation({ mutationFn: () => host.startPractice().then(() => onAgain()) });
  return (
    <section className="card door main" aria-labelledby="door-practise">
      <h2 id="door-practise">{t("practise.title")}</h2>
      <p>{t("practise.why")}</p>
      <button type="button" className="btn pri big" disabled={start.isPending} onClick={() => start.mutate()}>
        {start.isPending ? t("practise.doing") : t("practise.do")}
      </button>
      {start.error && (
        <p className="err" role="alert">
          {t("practise.failed", { detail: String(start.error.message ?? start.error) })}
        </p>
      )}
    </section>
  );
}

function Connect({ path, onAgain }: { path: string | undefined } & Pick<Props, "onAgain">) {
  const { t } = useTranslation("first");
  const [looked, setLooked] = useState(false);
  const look = useMutation({ mutationFn: onAgain, onSuccess: () => setLooked(true) });
  return (
    <section className="card door" aria-labelledby="door-connect">
      <h2 id="door-connect">{t("connect.title")}</h2>
      <p>{t("connect.why")}</p>
      {path && (
        <p className="door-path">
          <span className="lbl">{t("file")}</span>
          <CopyText value={path} what={t("fileWhat")} />
        </p>
      )}
      <p>{t("connect.needs")}</p>
      <dl className="kv">
        <dt className="mono">{"[gitlab]"}</dt>
        <dd>{t("connect.gitlab")}</dd>
        <dt className="mono">{"[approval]"}</dt>
        <dd>{t("connect.approval")}</dd>
        <dt className="mono">{"kinds/"}</dt>
        <dd>{t("connect.kinds")}</dd>
      </dl>
      <button type="button" className="btn big" disabled={look.isPending} onClick={() => look.mutate()}>
        {look.isPending ? t("connect.looking") : t("connect.do")}
      </button>
      <p className="why" role="status">
        {looked && !look.isPending ? t("connect.still") : ""}
      </p>
    </section>
  );
}
