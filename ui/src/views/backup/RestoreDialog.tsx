import { useTranslation } from "react-i18next";
import { useBackupMeaning, useRestore } from "../../api/backups";
import type { BackupMeaning } from "../../api/types";
import { MOD } from "../../frame/mod";
import { useHost } from "../../host/context";
import type { PickedBackup } from "../../host/host";
import { CopyText } from "../../parts/CopyText";
import { Dialog } from "../../parts/Dialog";
import { ErrorNote, Loading } from "../../parts/Notes";
import { OutlookShape } from "../../parts/OutlookMark";
import { momentText } from "../../parts/time";
import { sizeText } from "./size";

/** The name under which the store that is replaced is kept; the moment is that of the restore. */
const KEPT_AS = "signalbox.replaced-\u2026Z.db";

interface Props {
  /** A backup of the data directory, by its name, or a file that the person chose. */
  what: { name: string } | { picked: PickedBackup; damagedStore?: boolean };
  onClose: () => void;
}

/** Before a backup takes the place of the store: which it is, what comes of it, and what is kept. */
export function RestoreDialog({ what, onClose }: Props) {
  const { t } = useTranslation("backup");
  const host = useHost();
  const restore = useRestore();
  const listed = "name" in what;
  const meaning = useBackupMeaning(listed ? what.name : "", listed);
  const backup = listed ? meaning.data && { ...meaning.data.backup, ...meaning.data } : what.picked;
  const ready = backup?.damage === null && host.backups !== undefined && !restore.isPending;
  const act = () => {
    if (ready) restore.mutate(backup.file);
  };
  return (
    <Dialog
      narrow
      title={t("dialog.title")}
      about={
        <span className="soft clip">
          {backup?.at ? t("dialog.from", { moment: momentText(backup.at) }) : t("dialog.fromFile")}
        </span>
      }
      onClose={restore.isPending ? () => {} : onClose}
      onConfirm={act}
      footer={
        <>
          {restore.error && (
            <p className="told o-failed" role="alert">
              <OutlookShape outlook="failed" />
              {t("dialog.failed", { detail: restore.error.message })}
            </p>
          )}
          {host.backups === undefined && meaning.data && <ByHand meaning={meaning.data} />}
          <div className="dlg-acts">
            <span className="grow why" role="status">
              {restore.isPending ? t("dialog.doing") : ""}
            </span>
            <button type="button" className="btn big" disabled={restore.isPending} onClick={onClose}>
              {t("dialog.cancel")} <kbd>{"Esc"}</kbd>
            </button>
            {host.backups && (
              <button type="button" className="btn pri big" disabled={!ready} onClick={act}>
                {t("dialog.do")} <kbd>{`${MOD} Enter`}</kbd>
              </button>
            )}
          </div>
        </>
      }
    >
      {listed && meaning.isPending && <Loading what={t("dialog.reading")} />}
      {listed && meaning.error && <ErrorNote error={meaning.error} again={() => void meaning.refetch()} />}
      {backup && (
        <div className="pad ask">
          <p className="mono restore-file">{backup.file}</p>
          {backup.damage === null ? (
            <>
              <p>{t("dialog.in", { count: backup.requests ?? 0, size: sizeText(backup.bytes) })}</p>
              <h3>{t("dialog.means")}</h3>
              <Means meaning={meaning.data} damagedStore={!listed && what.damagedStore === true} />
            </>
          ) : (
            <p className="told o-failed" role="alert">
              <OutlookShape outlook="failed" />
              {t("dialog.damaged", { damage: backup.damage })}
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Means({ meaning, damagedStore }: { meaning: BackupMeaning | undefined; damagedStore: boolean }) {
  const { t } = useTranslation("backup");
  if (damagedStore) {
    return (
      <ul className="means">
        <li>{t("damaged.kept", { name: KEPT_AS })}</li>
        <li>{t("damaged.after")}</li>
      </ul>
    );
  }
  const changes = meaning?.changes_after;
  return (
    <ul className="means">
      <li>{t("dialog.stops")}</li>
      <li>
        {changes === undefined
          ? t("dialog.againUnknown")
          : changes === 0
            ? t("dialog.againNone")
            : t("dialog.again", { count: changes })}
      </li>
      {meaning && meaning.submitted_after > 0 && <li>{t("dialog.gone", { count: meaning.submitted_after })}</li>}
      <li>{t("dialog.kept", { name: KEPT_AS })}</li>
    </ul>
  );
}

/** Where the engine that serves this page has to stop: the exact command, and why. */
function ByHand({ meaning }: { meaning: BackupMeaning }) {
  const { t } = useTranslation("backup");
  if (meaning.damage !== null) return null;
  return (
    <div className="by-hand">
      <p>{t("dialog.byHand")}</p>
      <CopyText value={meaning.command} what={t("dialog.command")} />
    </div>
  );
}
