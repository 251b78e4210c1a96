import "./backup.css";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useBackUp, useBackups, usePickBackup } from "../../api/backups";
import type { Backup, Backups } from "../../api/types";
import { useHost } from "../../host/context";
import type { PickedBackup } from "../../host/host";
import { CopyText } from "../../parts/CopyText";
import { useTimedText } from "../../parts/clock";
import { ErrorNote, Loading } from "../../parts/Notes";
import { Ago, Moment } from "../../parts/Time";
import { durationText } from "../../parts/time";
import { Part } from "../settings/Part";
import { RestoreDialog } from "./RestoreDialog";
import { sizeText } from "./size";

type Asked = { name: string } | { picked: PickedBackup };

/** Backups of the store: which there are, making one, and putting one back. */
export function BackupPart() {
  const { t } = useTranslation("backup");
  const host = useHost();
  const backups = useBackups();
  const make = useBackUp();
  const pick = usePickBackup();
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <Part title={t("title")} why={t("why")}>
      {backups.isPending && <Loading what={t("reading")} />}
      {backups.error && !backups.data && <ErrorNote error={backups.error} again={() => void backups.refetch()} />}
      {backups.data && <HowMade backups={backups.data} />}
      {backups.data?.items.length === 0 && <p className="set-note">{t("none")}</p>}
      {backups.data && backups.data.items.length > 0 && (
        <Table items={backups.data.items} onAsk={(name) => setAsked({ name })} />
      )}
      <div className="backup-acts">
        <button type="button" className="btn" disabled={make.isPending} onClick={() => make.mutate()}>
          {make.isPending ? t("making") : t("make")}
        </button>
        {host.backups && (
          <button
            type="button"
            className="btn ghost"
            disabled={pick.isPending}
            onClick={() => pick.mutate(undefined, { onSuccess: (picked) => picked && setAsked({ picked }) })}
          >
            {t("pick")}
          </button>
        )}
        <p className="why" role="status">
          {make.data && t("made", { name: make.data.name, size: sizeText(make.data.bytes) })}
          {make.error && t("notMade", { detail: make.error.message })}
          {pick.error && t("notPicked", { detail: String(pick.error.message ?? pick.error) })}
        </p>
      </div>
      {asked && <RestoreDialog what={asked} onClose={() => setAsked(null)} />}
    </Part>
  );
}

function HowMade({ backups }: { backups: Backups }) {
  const { t } = useTranslation("backup");
  const { t: words } = useTranslation("words");
  const due = Date.parse(backups.next_at ?? "");
  const next = useTimedText((now) => {
    const left = Math.max(1000, due - now);
    return Number.isNaN(left) ? "" : words("in", { duration: durationText(words, left) });
  }, due);
  const { every_ms, kept } = backups;
  if (every_ms === null) return <p className="set-note">{t("off", { kept })}</p>;
  const duration = hoursOrLess(words, every_ms);
  return (
    <p className="set-note">
      {next === "" ? t("everySoon", { duration, kept }) : t("every", { duration, kept, next })}
    </p>
  );
}

const HOUR_MS = 3_600_000;

/** An interval that is set in hours is shown in hours. */
function hoursOrLess(words: TFunction<"words">, ms: number): string {
  return ms % HOUR_MS === 0 ? words("duration.hours", { count: ms / HOUR_MS }) : durationText(words, ms);
}

function Table({ items, onAsk }: { items: readonly Backup[]; onAsk: (name: string) => void }) {
  const { t } = useTranslation("backup");
  const host = useHost();
  return (
    <table className="plain backups">
      <thead>
        <tr>
          {(["at", "size", "file", "acts"] as const).map((column) => (
            <th key={column} scope="col">
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((backup) => (
          <tr key={backup.file}>
            <th scope="row">
              <Moment at={backup.at} />
              <span className="target muted">
                <Ago at={backup.at} />
              </span>
            </th>
            <td className="nowrap">{sizeText(backup.bytes)}</td>
            <td>
              <CopyText value={backup.file} what={t("fileWhat")} shown={backup.name} />
            </td>
            <td>
              <button type="button" className="btn" onClick={() => onAsk(backup.name)}>
                {host.backups ? t("restore") : t("how")}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
