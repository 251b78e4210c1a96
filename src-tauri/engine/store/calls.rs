//! The journal of remote calls. A write is refused where its request moved on: this is also the fence of the leases.

use async_trait::async_trait;
use sqlx::Row as _;

use super::{Store, StoreResult, operation::Millis};
use crate::ports::{
    clock::Clock,
    journal::{CallEnd, CallId, CallIntent, IntentRefused, Journal},
};
use std::sync::Arc;

/// A remote call on record.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are the columns'")]
pub struct CallRow {
    pub id: i64,
    pub version: i64,
    pub at: Millis,
    pub remote: String,
    pub account: String,
    pub method: String,
    pub path: String,
    pub effect: String,
    pub attempt: i64,
    pub detail: Option<String>,
    pub outcome: String,
    pub http_status: Option<i64>,
    pub duration_ms: Option<i64>,
    pub error_class: Option<String>,
    pub error: Option<String>,
}

/// How many writes of one sort are on record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Writes {
    /// Those that were meant to be sent, whatever became of them.
    pub sent: u32,
    /// Those that the remote answered, with success or with a refusal of its own.
    pub answered: u32,
}

/// The journal of one request at one version, for one worker.
pub struct OperationJournal {
    store: Store,
    clock: Arc<dyn Clock>,
    operation_id: String,
    version: i64,
    /// Who must hold the lease for a write to be sent; None for work that follows a finished move.
    owner: Option<String>,
}

impl OperationJournal {
    /// Calls made by `owner` for this version of the request.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>, operation_id: &str, version: i64, owner: &str) -> Self {
        Self { store, clock, operation_id: operation_id.into(), version, owner: Some(owner.into()) }
    }

    /// Calls that follow a move which cannot be taken back, so that no lease fences them.
    #[must_use]
    pub fn unfenced(store: Store, clock: Arc<dyn Clock>, operation_id: &str, version: i64) -> Self {
        Self { store, clock, operation_id: operation_id.into(), version, owner: None }
    }

    async fn insert(&self, intent: &CallIntent, end: Option<&CallEnd>) -> StoreResult<Option<CallId>> {
        let (intent, end, at) = (intent.clone(), end.cloned(), self.clock.now().timestamp_millis());
        let (id, version, owner) = (self.operation_id.clone(), self.version, self.owner.clone());
        self.store
            .writer
            .run(move |connection| {
                Box::pin(async move {
                    let failed = end.as_ref().and_then(|end| end.error.clone());
                    let row = sqlx::query(
                        "INSERT INTO remote_call (operation_id, version, at, remote, account, method, path, effect, attempt, detail, \
                           outcome, http_status, duration_ms, error_class, error, request_id) \
                         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16 \
                         WHERE ?8 = 'read' OR ?17 IS NULL OR EXISTS \
                           (SELECT 1 FROM operation WHERE operation_id = ?1 AND version = ?2 AND lease_owner = ?17) RETURNING id",
                    )
                    .bind(id)
                    .bind(version)
                    .bind(at - end.as_ref().map_or(0, |end| millis(end.took)))
                    .bind(intent.remote)
                    .bind(intent.account)
                    .bind(intent.method)
                    .bind(intent.path)
                    .bind(intent.effect.word())
                    .bind(intent.attempt)
                    .bind(intent.detail)
                    .bind(end.as_ref().map_or("intended", outcome))
                    .bind(end.as_ref().and_then(|end| end.status))
                    .bind(end.as_ref().map(|end| millis(end.took)))
                    .bind(failed.as_ref().map(|(class, _)| class.word()))
                    .bind(failed.map(|(_, text)| text))
                    .bind(end.and_then(|end| end.request_id))
                    .bind(owner)
                    .fetch_optional(connection)
                    .await?;
                    Ok(row.map(|row| row.get(0)))
                })
            })
            .await
    }
}

fn millis(time: std::time::Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn outcome(end: &CallEnd) -> &'static str {
    match (end.status, &end.error) {
        (_, None) => "answered",
        (Some(_), Some(_)) => "refused",
        (None, Some(_)) => "no_answer",
    }
}

#[async_trait]
impl Journal for OperationJournal {
    async fn intend(&self, intent: &CallIntent) -> Result<CallId, IntentRefused> {
        match self.insert(intent, None).await {
            Ok(Some(id)) => Ok(id),
            Ok(None) => Err(IntentRefused::Superseded),
            Err(error) => Err(IntentRefused::Store(error.to_string())),
        }
    }

    async fn settle(&self, id: CallId, end: &CallEnd) {
        let end = end.clone();
        let settled = self
            .store
            .writer
            .run(move |connection| {
                Box::pin(async move {
                    sqlx::query(
                        "UPDATE remote_call SET outcome = ?, http_status = ?, duration_ms = ?, error_class = ?, error = ?, \
                           request_id = ? WHERE id = ?",
                    )
                    .bind(outcome(&end))
                    .bind(end.status)
                    .bind(millis(end.took))
                    .bind(end.error.as_ref().map(|(class, _)| class.word()))
                    .bind(end.error.as_ref().map(|(_, text)| text.clone()))
                    .bind(end.request_id.clone())
                    .bind(id)
                    .execute(connection)
                    .await?;
                    Ok(())
                })
            })
            .await;
        if let Err(error) = settled {
            tracing::error!(operation = %self.operation_id, call = id, %error, "the end of a remote call could not be recorded; it stays on record as intended");
        }
    }

    async fn note(&self, intent: &CallIntent, end: &CallEnd) {
        if let Err(error) = self.insert(intent, Some(end)).await {
            tracing::error!(operation = %self.operation_id, %error, "a read could not be recorded");
        }
    }
}

impl Store {
    /// All calls of a request, oldest first.
    pub async fn calls(&self, operation_id: &str) -> StoreResult<Vec<CallRow>> {
        let rows = sqlx::query(
            "SELECT id, version, at, remote, account, method, path, effect, attempt, detail, outcome, http_status, duration_ms, \
               error_class, error FROM remote_call WHERE operation_id = ? ORDER BY id",
        )
        .bind(operation_id.to_owned())
        .fetch_all(&self.readers)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| CallRow {
                id: row.get(0),
                version: row.get(1),
                at: row.get(2),
                remote: row.get(3),
                account: row.get(4),
                method: row.get(5),
                path: row.get(6),
                effect: row.get(7),
                attempt: row.get(8),
                detail: row.get(9),
                outcome: row.get(10),
                http_status: row.get(11),
                duration_ms: row.get(12),
                error_class: row.get(13),
                error: row.get(14),
            })
            .collect())
    }

    /// Whether a write of this request may have left something at a remote: all but those that were refused.
    pub async fn has_written(&self, operation_id: &str) -> StoreResult<bool> {
        Ok(sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM remote_call WHERE operation_id = ? AND effect = 'write' AND outcome <> 'refused' \
               AND (http_status IS NULL OR http_status NOT BETWEEN 400 AND 499))",
        )
        .bind(operation_id.to_owned())
        .fetch_one(&self.readers)
        .await?)
    }

    /// Writes whose path ends in `suffix` that are on record since the request entered its step. An act that moved nothing
    /// begins no new stay, and neither does the end of a ladder: what was asked before is still under way.
    /// With an account, only those that were sent with its credential.
    pub async fn writes_in_stay(&self, operation_id: &str, suffix: &str, account: Option<&str>) -> StoreResult<Writes> {
        let row = sqlx::query(
            "SELECT count(*) AS sent, count(CASE WHEN outcome = 'answered' OR http_status BETWEEN 400 AND 499 THEN 1 END) AS answered \
             FROM remote_call WHERE operation_id = ?1 AND effect = 'write' AND path LIKE '%' || ?2 AND account = coalesce(?3, account) AND version >= \
               (SELECT max(version) FROM history WHERE operation_id = ?1 AND from_step IS NOT to_step AND event <> 'wait_exhausted')",
        )
        .bind(operation_id.to_owned())
        .bind(suffix.to_owned())
        .bind(account.map(str::to_owned))
        .fetch_one(&self.readers)
        .await?;
        Ok(Writes { sent: row.get("sent"), answered: row.get("answered") })
    }
}
