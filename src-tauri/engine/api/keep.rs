//! What is kept elsewhere: the evidence of a request, and backups of the store.

use serde::Serialize;
use serde_json::json;

use crate::{
    engine::Engine,
    evidence::{self, EvidenceError},
    store::backup::Backup,
};

use super::{Answer, Call, Problem, Reply, time};

/// A backup of the store.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct BackupView {
    /// Path of the file on the machine of the engine.
    pub file: String,
    /// When it was made.
    pub at: String,
    /// Its size in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
}

impl From<Backup> for BackupView {
    fn from(backup: Backup) -> Self {
        Self { file: backup.file.display().to_string(), at: time(backup.at), bytes: backup.bytes }
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
    let items: Vec<BackupView> = engine.core.store.backups().into_iter().map(Into::into).collect();
    Ok(Reply::json(200, &json!({"items": items})))
}

pub(super) async fn back_up(engine: Engine, _: Call) -> Answer {
    let backup = engine.core.store.back_up(engine.core.now()).await?;
    Ok(Reply::json(201, &BackupView::from(backup)))
}
