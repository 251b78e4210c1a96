import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePickBackup } from "../../api/backups";
import { useHost } from "../../host/context";
import type { Damaged, PickedBackup, StartState } from "../../host/host";
import { CopyText } from "../../parts/CopyText";
import { momentText } from "../../parts/time";
import { RestoreDialog } from "../backup/RestoreDialog";
import { Welcome } from "./Welcome";

/** The engine refused to start: its own words, and a way to try again; a damaged store with its last good backup. */
export function StartFailed({ state, onAgain }: { state: StartState; onAgain: () => Promise<unknown> }) {
  const { t } = useTranslation(["first", "backup"]);
  const again = useMutation({ mutationFn: onAgain });
  const { damaged } = state;
  return (
    <Welcome
      title={damaged ? t("backup:damaged.title") : t("first:failed.title")}
      why={damaged ? t("backup:damaged.why") : t("first:failed.why")}
    >
      {damaged && <LastGood damaged={damaged} />}
      <pre className="card failed-words">{state.message ?? t("first:failed.noMessage")}</pre>
      {state.settings_path && <Path name={t("first:file")} path={state.settings_path} />}
      {state.log_path && <Path name={t("first:log")} path={state.log_path} />}
      <button
        type="button"
        className={`btn big${damaged ? "" : " pri"}`}
        disabled={again.isPending}
        onClick={() => again.mutate()}
      >
        {again.isPending ? t("first:failed.trying") : t("first:failed.again")}
      </button>
    </Welcome>
  );
}

/** The damaged file, the newest backup that is whole, and the way to put it in place. */
function LastGood({ damaged }: { damaged: Damaged }) {
  const { t } = useTranslation("backup");
  const host = useHost();
  const pick = usePickBackup();
  const [asked, setAsked] = useState<PickedBackup | null>(null);
  const { file, backup } = damaged;
  return (
    <section className="card last-good" aria-label={t("damaged.last")}>
      <dl className="kv">
        <dt>{t("damaged.file")}</dt>
        <dd>
          <CopyText value={file} what={t("damaged.file")} />
        </dd>
        <dt>{t("damaged.last")}</dt>
        <dd>
          {backup ? (
            <>
              {backup.at && <p>{t("damaged.of", { moment: momentText(backup.at), count: backup.requests ?? 0 })}</p>}
              <CopyText value={backup.file} what={t("fileWhat")} />
            </>
          ) : (
            t("damaged.none")
          )}
        </dd>
      </dl>
      {host.backups && (
        <div className="last-good-acts">
          {backup && (
            <button type="button" className="btn pri big" onClick={() => setAsked(backup)}>
              {t("damaged.restore")}
            </button>
          )}
          <button
            type="button"
            className="btn big"
            disabled={pick.isPending}
            onClick={() => pick.mutate(undefined, { onSuccess: (picked) => picked && setAsked(picked) })}
          >
            {t("damaged.pick")}
          </button>
        </div>
      )}
      {pick.error && (
        <p className="err" role="alert">
          {t("notPicked", { detail: String(pick.error.message ?? pick.error) })}
        </p>
      )}
      {asked && <RestoreDialog what={{ picked: asked, damagedStore: true }} onClose={() => setAsked(null)} />}
    </section>
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
