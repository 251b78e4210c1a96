import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePickBackup } from "../../api/backups";
import { useRestored } from "../../api/restored";
import { useHost } from "../../host/context";
import type { PickedBackup, StartState } from "../../host/host";
import { CopyText } from "../../parts/CopyText";
import { RestoreDialog } from "../backup/RestoreDialog";
import { RestoredNotice } from "../backup/RestoredNotice";
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
      <RestoredNotice />
      <div className="doors">
        <Practise onAgain={onAgain} />
        <Connect path={state.settings_path} onAgain={onAgain} />
        <OpenBackup dataDir={state.data_dir} />
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

/** A backup of another installation, chosen and put into the data directory. The settings come after it. */
function OpenBackup({ dataDir }: { dataDir: string | undefined }) {
  const { t } = useTranslation(["first", "backup"]);
  const host = useHost();
  const restored = useRestored();
  const pick = usePickBackup();
  const [asked, setAsked] = useState<PickedBackup | null>(null);
  return (
    <section className="card door" aria-labelledby="door-backup">
      <h2 id="door-backup">{t("first:backup.title")}</h2>
      <p>{t("first:backup.why")}</p>
      {dataDir && <CopyText value={dataDir} what={t("first:fileWhat")} />}
      {host.backups && (
        <button
          type="button"
          className="btn big"
          disabled={pick.isPending}
          onClick={() => pick.mutate(undefined, { onSuccess: (picked) => picked && setAsked(picked) })}
        >
          {t("backup:door.do")}
        </button>
      )}
      {pick.error && (
        <p className="err" role="alert">
          {t("backup:notPicked", { detail: String(pick.error.message ?? pick.error) })}
        </p>
      )}
      {restored && <p className="why">{t("backup:door.then")}</p>}
      {asked && <RestoreDialog what={{ picked: asked }} onClose={() => setAsked(null)} />}
    </section>
  );
}
