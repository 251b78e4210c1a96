import type { Backup, BackupMeaning, Backups } from "../../api/types";
import type { BackupDesk } from "../host";

const DIR = "/home/ops/.local/share/signalbox";
const DAY = 24 * 3600_000;

function backup(at: number): Backup {
  const moment = `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
  const name = `signalbox-${moment}.db`;
  return { name, file: `${DIR}/backups/${name}`, at: new Date(at).toISOString(), bytes: 18_350_080 };
}

/** Backups as a mock engine has them. */
export class BackupSamples {
  private items = [1, 2, 3].map((days) => backup(Date.now() - days * DAY + 3600_000));

  list(): Backups {
    const next_at = new Date(Date.now() + 3600_000).toISOString();
    return { items: this.items, data_dir: DIR, kept: 7, every_ms: DAY, next_at };
  }

  make(): Backup {
    const made = backup(Date.now());
    this.items = [made, ...this.items].slice(0, 7);
    return made;
  }

  /** The oldest is damaged, so that this can be looked at too. */
  meaning(name: string): BackupMeaning | null {
    const at = this.items.findIndex((each) => each.name === name);
    const found = this.items[at];
    if (!found) return null;
    const damage = at === 2 ? "database disk image is malformed" : null;
    return {
      backup: found,
      damage,
      requests: damage ? null : 2024 - at,
      submitted_after: at + 3,
      changes_after: 41 + at * 12,
      command: `signalboxd restore ${found.file} --data-dir ${DIR}`,
    };
  }

  /** What only the desktop has. */
  desk(onRestored: () => void): BackupDesk {
    return {
      pick: async () => ({
        ...backup(Date.now() - 30 * DAY),
        file: "/media/usb/signalbox.db",
        requests: 1871,
        damage: null,
      }),
      restore: async (file) => {
        onRestored();
        const aside = `${DIR}/signalbox.replaced-20261201T010203Z.db`;
        return { file, at: this.items.find((each) => each.file === file)?.at ?? null, requests: 2021, aside };
      },
    };
  }
}
