//! Putting a backup in the place of the store, while no engine has it open.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Serialize;
use signalbox_engine::api::time;
use signalbox_engine::ports::clock::{Clock as _, SystemClock};
use signalbox_engine::store::backup::{self, Backup};
use signalboxd::host::DamagedStore;
use signalboxd::lock::DataDir;

/// A backup that was looked into.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Looked {
    file: String,
    at: Option<String>,
    bytes: u64,
    requests: Option<i64>,
    damage: Option<String>,
}

/// A store that could not be read at the start, with the newest backup that can.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Damaged {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<Looked>,
}

/// What a restore did.
#[derive(Debug, Serialize)]
pub(crate) struct Restored {
    file: String,
    at: Option<String>,
    requests: i64,
    aside: Option<String>,
}

/// Looks into a file that a person chose.
pub(crate) async fn look_into(file: &Path) -> Result<Looked, String> {
    let found = file.metadata().map_err(|error| format!("{} cannot be read: {error}.", file.display()))?;
    let made = found.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let at = made.and_then(|made| i64::try_from(made.as_millis()).ok()).unwrap_or_default();
    look(Backup { file: file.to_owned(), at, bytes: found.len() }).await
}

async fn look(backup: Backup) -> Result<Looked, String> {
    let contents = backup::look_into(&backup.file).await.map_err(|error| format!("{error}."))?;
    Ok(Looked {
        file: backup.file.display().to_string(),
        at: Some(time(backup.at)),
        bytes: backup.bytes,
        requests: contents.operations,
        damage: contents.damage,
    })
}

/// The damaged store with the last good backup beside it.
pub(crate) async fn offer(damaged: &DamagedStore) -> Damaged {
    let dir = damaged.file.parent().unwrap_or(Path::new("."));
    let backup = match backup::last_good(dir).await {
        Some(good) => look(good).await.ok(),
        None => None,
    };
    Damaged { file: damaged.file.display().to_string(), backup }
}

/// The moment of a backup that may be put in place: one of the directory's own, or the one that the person chose.
pub(crate) fn allowed(dir: &Path, file: &Path, chosen: Option<&PathBuf>) -> Result<Option<i64>, String> {
    if let Some(own) = backup::list(dir).into_iter().find(|own| own.file == file) {
        return Ok(Some(own.at));
    }
    if chosen.is_some_and(|chosen| chosen == file) {
        return Ok(None);
    }
    Err(format!(
        "{} is not among the backups of {}, and nobody has chosen it. Nothing was changed.",
        file.display(),
        dir.display()
    ))
}

/// Refuses a backup that is not whole, so that no engine is stopped for it.
pub(crate) async fn refuse_damaged(file: &Path) -> Result<(), String> {
    match backup::look_into(file).await {
        Ok(contents) => match contents.damage {
            None => Ok(()),
            Some(what) => Err(format!("{} is damaged itself ({what}). Nothing was changed.", file.display())),
        },
        Err(error) => Err(format!("{error}. Nothing was changed.")),
    }
}

/// Puts the backup in the place of the store of a directory that no process has open.
pub(crate) async fn replace(dir: &Path, file: &Path, at: Option<i64>) -> Result<Restored, String> {
    let own = DataDir::own(dir).await.map_err(|error| error.to_string())?;
    let now = SystemClock.now().timestamp_millis();
    let done = backup::restore(own.path(), file, now).await.map_err(|error| format!("{error}."))?;
    let aside = done.aside.map(|aside| aside.display().to_string());
    tracing::info!(file = %file.display(), requests = done.operations, aside, "a backup was put in the place of the store");
    Ok(Restored { file: file.display().to_string(), at: at.map(time), requests: done.operations, aside })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_own_backup_or_a_chosen_one_is_put_in_place() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("backups");
        std::fs::create_dir(&folder).unwrap();
        let own = folder.join("signalbox-20261130T160000Z.db");
        let other = folder.join("notes.db");
        for file in [&own, &other] {
            std::fs::write(file, "").unwrap();
        }
        assert!(allowed(dir.path(), &own, None).unwrap().is_some());
        let sentence = allowed(dir.path(), &other, None).unwrap_err();
        assert!(sentence.contains("notes.db") && sentence.ends_with("Nothing was changed."), "{sentence}");
        assert_eq!(allowed(dir.path(), &other, Some(&other)), Ok(None));
        assert!(allowed(dir.path(), &dir.path().join("backups/../notes.db"), Some(&other)).is_err());
    }
}
