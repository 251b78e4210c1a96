//! The engine that this window works on, and the practice remotes when it works on those.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast;

/// One call of the page, as under `/api/v1`.
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) body: Option<Value>,
    pub(crate) lang: String,
}

/// What the engine answered.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: String,
}

/// One commit of the engine, in the shape of the public stream.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Change {
    pub(crate) seq: i64,
    pub(crate) operation_id: String,
    pub(crate) version: i64,
    pub(crate) step: Value,
    pub(crate) status: String,
}

/// A running engine.
pub(crate) struct Open {
    changes: broadcast::Sender<Change>,
}

impl Open {
    /// Opens the engine of a data directory with the settings given.
    pub(crate) async fn with_settings(data_dir: &Path, _config: &Path) -> Result<Self, String> {
        Err(format!("The engine of {} cannot be opened by this build.", data_dir.display()))
    }

    /// Starts the practice remotes in `dir` and opens the engine on them.
    pub(crate) async fn practice(dir: &Path) -> Result<Self, String> {
        Self::with_settings(dir, &crate::place::practice_settings(dir)).await
    }

    /// Hands one call to the engine, in the name of this window's operator.
    pub(crate) async fn call(&self, _call: Call) -> Answer {
        Answer { status: 501, content_type: "application/problem+json".into(), body: "{}".into() }
    }

    /// Hears of each commit from now on.
    pub(crate) fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    /// Commits after `seq`, oldest first, at most `limit`.
    pub(crate) async fn changes_since(&self, _seq: i64, _limit: i64) -> Vec<Change> {
        Vec::new()
    }

    /// Stops taking work, lets remote calls finish within the limit, and ends the practice remotes.
    pub(crate) async fn stop(&self, _limit: Duration) {}
}
