//! Whole copies of the store: made while it is in use, checked before they count, kept seven deep, and put back.

mod copy;
mod restore;

use std::{
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};

pub use copy::copy;
pub use restore::{Restored, restore};

use super::{FILE, Store, StoreResult, damage, operation::Millis};

/// Folder of the automatic backups, in the data directory.
const FOLDER: &str = "backups";
/// How a backup is named by the moment it was made.
const NAME: &str = "signalbox-%Y%m%dT%H%M%SZ.db";
/// Automatic backups that are kept; with one a day, a week.
const KEPT: usize = 7;

/// A copy of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Where it is.
    pub file: PathBuf,
    /// When it was made.
    pub at: Millis,
    /// Its size.
    pub bytes: u64,
}

impl Store {
    /// Makes a backup in the data directory and lets go of the oldest beyond seven. Nobody has to stop meanwhile.
    pub async fn back_up(&self, at: Millis) -> StoreResult<Backup> {
        let folder = folder_of(&self.file).join(FOLDER);
        let moment = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default();
        let file = folder.join(moment.format(NAME).to_string());
        let bytes = copy(&self.file, &file).await?;
        for old in automatic(&folder).into_iter().skip(KEPT) {
            if let Err(error) = std::fs::remove_file(&old.file) {
                tracing::warn!(file = %old.file.display(), %error, "an old backup could not be removed");
            }
        }
        Ok(Backup { file, at, bytes })
    }

    /// The backups there are, newest first.
    #[must_use]
    pub fn backups(&self) -> Vec<Backup> {
        list(folder_of(&self.file))
    }
}

/// The backups of a data directory, newest first: the automatic ones and those made before a migration.
#[must_use]
pub fn list(data_dir: &Path) -> Vec<Backup> {
    let mut found = automatic(&data_dir.join(FOLDER));
    found.extend(files(data_dir).filter_map(|file| {
        let name = file.file_name()?.to_str()?;
        let version = name.strip_prefix("signalbox.before-")?.strip_suffix(".db")?;
        version.parse::<i64>().ok()?;
        let made = file.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        backup(file, Millis::try_from(made.as_millis()).ok()?)
    }));
    found.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    found
}

/// The newest backup that is whole.
pub async fn last_good(data_dir: &Path) -> Option<Backup> {
    for backup in list(data_dir) {
        if damage::find(&backup.file, damage::Depth::Deep).await.is_ok_and(|found| found.is_none()) {
            return Some(backup);
        }
    }
    None
}

/// A moment as people read it in a sentence.
#[must_use]
pub fn moment(at: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn automatic(folder: &Path) -> Vec<Backup> {
    let mut found: Vec<_> = files(folder)
        .filter_map(|file| {
            let made = NaiveDateTime::parse_from_str(file.file_name()?.to_str()?, NAME).ok()?;
            backup(file, made.and_utc().timestamp_millis())
        })
        .collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    found
}

fn backup(file: PathBuf, at: Millis) -> Option<Backup> {
    let bytes = file.metadata().ok()?.len();
    Some(Backup { file, at, bytes })
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("."))
}

/// The store of a data directory.
#[must_use]
pub fn store_of(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}
