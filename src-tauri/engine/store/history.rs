//! Reading the one log: the path, the edits, and how long a step usually takes. Editing fields is written here too.

use serde_json::{Value, json};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{
    Store, StoreResult,
    operation::{Millis, Operation, read_sentence},
    submission::{self, RenderedFile},
};
use crate::words::Sentence;

/// A row of history.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are the columns'")]
pub struct HistoryRow {
    pub seq: i64,
    pub version: i64,
    pub at: Millis,
    pub event: String,
    pub from: Option<(i64, String)>,
    pub to: (i64, String),
    pub actor_kind: String,
    pub actor_name: String,
    pub reason: Option<Sentence>,
    pub evidence: Option<String>,
    pub duration_ms: Option<i64>,
}

/// A row of the diff log.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are the columns'")]
pub struct DiffRow {
    pub seq: i64,
    pub at: Millis,
    pub kind: String,
    pub actor_kind: String,
    pub actor_name: String,
    pub comment: Option<String>,
    pub changes: Value,
}

fn history_row(row: &SqliteRow) -> HistoryRow {
    let from: Option<i64> = row.get("from_step");
    HistoryRow {
        seq: row.get("seq"),
        version: row.get("version"),
        at: row.get("at"),
        event: row.get("event"),
        from: from.map(|step| (step, row.get::<Option<String>, _>("from_status").unwrap_or_default())),
        to: (row.get("to_step"), row.get("to_status")),
        actor_kind: row.get("actor_kind"),
        actor_name: row.get("actor_name"),
        reason: row.get::<Option<String>, _>("reason").map(|text| read_sentence(Some(&text))),
        evidence: row.get("evidence"),
        duration_ms: row.get("duration_ms"),
    }
}

/// Asked for with every look at the list, so that an index alone has to answer it.
pub(super) const USUAL_STAYS: &str = "WITH stay AS (SELECT from_step, duration_ms, \
       row_number() OVER (PARTITION BY from_step ORDER BY duration_ms) AS place, \
       count(*) OVER (PARTITION BY from_step) AS stays FROM \
       (SELECT from_step, duration_ms FROM history WHERE duration_ms IS NOT NULL ORDER BY at DESC LIMIT 4000)) \
     SELECT from_step, duration_ms FROM stay WHERE place = (stays + 1) / 2 AND stays >= 3";

impl Store {
    /// The history of a request, oldest first.
    pub async fn history(&self, operation_id: &str) -> StoreResult<Vec<HistoryRow>> {
        let rows = sqlx::query("SELECT * FROM history WHERE operation_id = ? ORDER BY seq")
            .bind(operation_id.to_owned())
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().map(history_row).collect())
    }

    /// The newest row of history of a request.
    pub async fn last_change(&self, operation_id: &str) -> StoreResult<Option<HistoryRow>> {
        let row = sqlx::query("SELECT * FROM history WHERE operation_id = ? ORDER BY seq DESC LIMIT 1")
            .bind(operation_id.to_owned())
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.as_ref().map(history_row))
    }

    /// Every change of a request, oldest first.
    pub async fn diffs(&self, operation_id: &str) -> StoreResult<Vec<DiffRow>> {
        let rows = sqlx::query("SELECT * FROM diff WHERE operation_id = ? ORDER BY seq, kind")
            .bind(operation_id.to_owned())
            .fetch_all(&self.readers)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| DiffRow {
                seq: row.get("seq"),
                at: row.get("at"),
                kind: row.get("kind"),
                actor_kind: row.get("actor_kind"),
                actor_name: row.get("actor_name"),
                comment: row.get("comment"),
                changes: serde_json::from_str(&row.get::<String, _>("changes")).unwrap_or_default(),
            })
            .collect())
    }

    /// The median stay in each step over the last four thousand stays, in milliseconds.
    pub async fn usual_stays(&self) -> StoreResult<Vec<(i64, i64)>> {
        let rows = sqlx::query(USUAL_STAYS).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Replaces the fields of a request under its version, with what was rendered from them. False where somebody was first.
    #[allow(clippy::too_many_arguments, reason = "each is a column of one row")]
    pub async fn edit_fields(
        &self,
        operation: &Operation,
        fields: Value,
        changes: Value,
        files: Vec<RenderedFile>,
        person: &str,
        comment: Option<String>,
        at: Millis,
    ) -> StoreResult<bool> {
        let (operation, person) = (operation.clone(), person.to_owned());
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let id = operation.operation_id;
                    let done = sqlx::query(
                        "UPDATE operation SET fields = ?, facts = ?, version = version + 1, last_seq = last_seq + 1, updated_at = ? \
                         WHERE operation_id = ? AND version = ? RETURNING last_seq",
                    )
                    .bind(fields.to_string())
                    .bind(json!(operation.facts).to_string())
                    .bind(at)
                    .bind(id.clone())
                    .bind(operation.version)
                    .fetch_optional(&mut *connection)
                    .await?;
                    let Some(seq) = done.map(|row| row.get::<i64, _>(0)) else { return Ok(false) };
                    submission::replace_files(connection, &id, &files).await?;
                    let (version, step, status) = (operation.version + 1, operation.step.code(), operation.status.word());
                    sqlx::query(
                        "INSERT INTO history (operation_id, seq, version, at, event, from_step, from_status, to_step, to_status, actor_kind, \
                           actor_name, reason) VALUES (?1, ?2, ?8, ?3, 'edit', ?4, ?5, ?4, ?5, 'operator', ?6, ?7)",
                    )
                    .bind(id.clone())
                    .bind(seq)
                    .bind(at)
                    .bind(step)
                    .bind(status)
                    .bind(person.clone())
                    .bind(comment.as_deref().map(|text| json!(Sentence::quoted(text)).to_string()))
                    .bind(version)
                    .execute(&mut *connection)
                    .await?;
                    sqlx::query(
                        "INSERT INTO diff (operation_id, seq, at, kind, actor_kind, actor_name, comment, changes) \
                         VALUES (?, ?, ?, 'field', 'operator', ?, ?, ?)",
                    )
                    .bind(id.clone())
                    .bind(seq)
                    .bind(at)
                    .bind(person)
                    .bind(comment)
                    .bind(changes.to_string())
                    .execute(&mut *connection)
                    .await?;
                    sqlx::query(
                        "INSERT INTO outbox (topic, operation_id, history_seq, version, step, status, at) \
                         VALUES ('operation', ?, ?, ?, ?, ?, ?)",
                    )
                    .bind(id)
                    .bind(seq)
                    .bind(version)
                    .bind(step)
                    .bind(status)
                    .bind(at)
                    .execute(connection)
                    .await?;
                    Ok(true)
                })
            })
            .await
    }
}
