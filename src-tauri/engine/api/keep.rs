//! What is kept elsewhere: the evidence of a request, and backups of the store.

use serde::Serialize;

use crate::{
    engine::Engine,
    evidence::{self, EvidenceError},
    run::backups::BACKUP,
    store::backup::{self, Backup},
};

use super::{Answer, Call, Problem, Reply, time};

/// A backup of the store.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct BackupView {
    /// Its name, by which it is asked for.
    pub name: String,
    /// Path of the file on the machine of the engine.
    pub file: String,
    /// When it was made.
    pub at: String,
    /// Its size in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// The backups of the store, and how they are made.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct BackupsView {
    /// Newest first.
    pub items: Vec<BackupView>,
    /// The directory of the store.
    pub data_dir: String,
    /// How many of those that are made by themselves or by the button are kept.
    pub kept: usize,
    /// How often one is made by itself, in milliseconds; null where that is turned off.
    #[ts(type = "number | null")]
    pub every_ms: Option<u64>,
    /// When the next is made by itself; null where that is turned off, or not known yet.
    pub next_at: Option<String>,
}

/// What putting a backup in the place of the store would mean.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct BackupMeaning {
    /// The backup.
    pub backup: BackupView,
    /// What is damaged in it; null where it is whole. A damaged one is never put in place.
    pub damage: Option<String>,
    /// Requests in it.
    #[ts(type = "number | null")]
    pub requests: Option<i64>,
    /// Requests that were submitted after it was made.
    #[ts(type = "number")]
    pub submitted_after: i64,
    /// Moves, edits and acts after it was made, of whatever request.
    #[ts(type = "number")]
    pub changes_after: i64,
    /// The command that puts it in place where the engine does not stop for it.
    pub command: String,
}

impl From<Backup> for BackupView {
    fn from(backup: Backup) -> Self {
        let name = backup.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, file: backup.file.display().to_string(), at: time(backup.at), bytes: backup.bytes }
    }
}

pub(super) async fn evidence(engine: Engine, call: Call) -> Answer {
    let core = &engine.core;
    let id = call.part("id");
    match evidence::collect(&core.store, id, core.now()).await {
        Ok(evidence) => Ok(Reply::text("application/jsonl", evidence.text)
            .header("content-disposition", format!("attachment; filename=\"signalbox-{id}.jsonl\""))
            .header("etag", format!("\"{}\"", evidence.digest))),
        Err(EvidenceError::NoOperation(id)) => Err(Problem::no_operation(&id)),
        Err(error @ EvidenceError::Moving(_)) => Err(Problem::store(&error.to_string())),
        Err(EvidenceError::Store(error)) => Err(error.into()),
    }
}

pub(super) async fn backups(engine: Engine, _: Call) -> Answer {
    let core = &engine.core;
    let every = core.settings().engine.backup;
    let due = if every.is_off() { None } else { core.store.timer(BACKUP).await? };
    Ok(Reply::json(
        200,
        &BackupsView {
            items: core.store.backups().into_iter().map(Into::into).collect(),
            data_dir: core.store.data_dir().display().to_string(),
            kept: backup::KEPT,
            every_ms: (!every.is_off()).then(|| u64::try_from(every.get().as_millis()).unwrap_or(u64::MAX)),
            next_at: due.map(time),
        },
    ))
}

pub(super) async fn back_up(engine: Engine, _: Call) -> Answer {
    let backup = engine.core.store.back_up(engine.core.now()).await?;
    Ok(Reply::json(201, &BackupView::from(backup)))
}

pub(super) async fn meaning(engine: Engine, call: Call) -> Answer {
    let (store, name) = (&engine.core.store, call.part("name"));
    let named = |backup: &Backup| backup.file.file_name().is_some_and(|file| file.to_string_lossy() == name);
    let Some(backup) = store.backups().into_iter().find(named) else {
        let detail = format!("There is no backup {name:?} in {}.", store.data_dir().display());
        return Err(Problem::new(404, "not-found", "No such backup").detail(detail));
    };
    let contents = backup::look_into(&backup.file).await?;
    let since = store.since(backup.at).await?;
    let (file, dir) = (in_shell(&backup.file.to_string_lossy()), in_shell(&store.data_dir().to_string_lossy()));
    Ok(Reply::json(
        200,
        &BackupMeaning {
            backup: backup.into(),
            damage: contents.damage,
            requests: contents.operations,
            submitted_after: since.submitted,
            changes_after: since.changes,
            command: format!("signalboxd restore {file} --data-dir {dir}"),
        },
    ))
}

/// A word as a shell takes it.
fn in_shell(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::in_shell;

    #[test]
    fn a_path_is_one_word_of_the_shell() {
        assert_eq!(in_shell("/var/lib/signalbox/a.db"), "/var/lib/signalbox/a.db");
        assert_eq!(in_shell("/home/ann lee/it's.db"), r"'/home/ann lee/it'\''s.db'");
    }
}
