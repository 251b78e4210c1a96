//! Whole copies of the store: made while it is in use, checked before they count, kept seven deep, and put back.

mod copy;
mod restore;

use std::{
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
use sqlx::Row as _;

pub use copy::copy;
pub(super) use restore::finish;
pub use restore::{Restored, restore};

use super::{FILE, Store, StoreResult, damage, operation::Millis, schema};

/// Folder of the automatic backups, in the data directory.
const FOLDER: &str = "backups";
/// How a backup is named by the moment it was made.
const NAME: &str = "signalbox-%Y%m%dT%H%M%SZ.db";
/// Automatic backups that are kept; with one a day, a week.
pub const KEPT: usize = 7;

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

/// What is in a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// What is damaged in it; None where it is whole.
    pub damage: Option<String>,
    /// Requests in it; None where they cannot be counted.
    pub operations: Option<i64>,
}

/// What the store holds that a copy of an earlier moment does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    /// Requests that were submitted after that moment.
    pub submitted: i64,
    /// Moves, edits and acts after it, of whatever request.
    pub changes: i64,
}

impl Store {
    /// What came after a moment.
    pub async fn since(&self, at: Millis) -> StoreResult<Since> {
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM operation WHERE created_at > ?1), (SELECT count(*) FROM outbox WHERE at > ?1)",
        )
        .bind(at)
        .fetch_one(&self.readers)
        .await?;
        Ok(Since { submitted: row.get(0), changes: row.get(1) })
    }

    /// Where the store and its backups are.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        folder_of(&self.file)
    }

    /// Makes a backup in the data directory and lets go of the oldest beyond seven. Nobody has to stop meanwhile.
    pub async fn back_up(&self, at: Millis) -> StoreResult<Backup> {
        let folder = folder_of(&self.file).join(FOLDER);
        let moment = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default();
        let file = folder.join(moment.format(NAME).to_string());
        let bytes = copy(&self.file, &file).await?;
        for old in beyond(automatic(&folder), at) {
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

/// Looks into a copy and changes nothing.
pub async fn look_into(file: &Path) -> StoreResult<Contents> {
    if let Some(what) = damage::find(file, damage::Depth::Deep).await? {
        return Ok(Contents { damage: Some(what), operations: None });
    }
    let mut connection = schema::look_at(file).await?;
    let operations = sqlx::query_scalar("SELECT count(*) FROM operation").fetch_one(&mut connection).await;
    Ok(match operations {
        Ok(operations) => Contents { damage: None, operations: Some(operations) },
        Err(error) => Contents { damage: Some(format!("it is no store of Signalbox: {error}")), operations: None },
    })
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

/// The backups that are let go. One that is dated after this moment was made by a clock that ran ahead: how old it is nobody
/// knows, so that it goes first.
fn beyond(mut found: Vec<Backup>, now: Millis) -> impl Iterator<Item = Backup> {
    // Names know seconds only.
    found.sort_by_key(|backup| (backup.at > now, std::cmp::Reverse(backup.at)));
    found.into_iter().skip(KEPT)
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
