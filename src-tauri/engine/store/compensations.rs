//! Work that must follow a move and may be retried (workflow.md, section 8).

mod tries;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{Row as _, SqliteConnection};

pub use tries::{Asker, Tried};

use super::{Store, StoreResult, operation::Millis};

/// Closes the merge request of a request that was rejected.
pub const CLOSE_MR: &str = "close_mr";
/// Looks for what a call that got no answer made after its request had ended.
pub const CLOSE_LATE: &str = "close_late";

/// A record to make together with a move.
#[derive(Debug, Clone)]
pub struct NewCompensation {
    /// What is to be done: `close_mr`, `close_late`.
    pub kind: &'static str,
    /// Which request.
    pub operation_id: String,
    /// The step it follows from.
    pub step: u16,
    /// What it needs to know.
    pub content: Value,
    /// Tries before a person must look.
    pub max_retries: u32,
}

/// A record.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are the columns'")]
pub struct Compensation {
    pub code: String,
    pub kind: String,
    pub operation_id: String,
    pub step: i64,
    pub idempotency_key: String,
    pub retry_count: i64,
    pub max_retries: i64,
    pub error_class: Option<String>,
    pub error_message: Option<String>,
    pub effect: String,
    pub status: String,
    pub content: Value,
    pub due_at: Option<Millis>,
    pub created_at: Millis,
    pub updated_at: Millis,
    /// Who gave it up, and why.
    pub given_up: Option<GivenUp>,
    /// What the request that it follows from changes, and where.
    pub subject_id: String,
    pub target_key: String,
}

/// Why a person gave a record up.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GivenUp {
    /// Who.
    pub person: String,
    /// Why, in the person's words.
    pub reason: String,
}

/// How many records there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Following {
    /// Those that have not ended.
    pub open: i64,
    /// Those of them that nobody tries any more unless a person does.
    pub given_over: i64,
    /// Those that have ended.
    pub ended: i64,
}

impl NewCompensation {
    pub(super) async fn insert(&self, connection: &mut SqliteConnection, at: Millis) -> StoreResult<()> {
        let key = format!("{}:{}", self.kind, self.operation_id);
        sqlx::query(
            "INSERT INTO compensation (code, kind, operation_id, step, idempotency_key, max_retries, status, content, due_at, \
               created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?1, ?5, 'INIT', ?6, ?7, ?7, ?7) ON CONFLICT DO NOTHING",
        )
        .bind(key)
        .bind(self.kind)
        .bind(self.operation_id.clone())
        .bind(self.step)
        .bind(self.max_retries)
        .bind(self.content.to_string())
        .bind(at)
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// Makes a record for a request that ends while something may be open outside that it does not know of: a call that opens a merge
/// request or a ticket has had no answer and may still arrive; or it was answered to a worker that was overtaken meanwhile, so that
/// what it opened was never noted. The record is due after three times as long as the longest of these calls was waited for, or
/// after 30 s where a process died while it waited.
pub(super) async fn expect_late(
    connection: &mut SqliteConnection,
    operation_id: &str,
    step: u16,
    at: Millis,
) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO compensation (code, kind, operation_id, step, idempotency_key, max_retries, status, content, due_at, \
           created_at, updated_at) \
         SELECT ?1 || ':' || ?2, ?1, ?2, ?3, ?1 || ':' || ?2, 10, 'INIT', '{}', \
           ?4 + max(1000, 3 * max(coalesce(c.duration_ms, 10000))), ?4, ?4 \
         FROM remote_call c JOIN operation o USING (operation_id) WHERE o.operation_id = ?2 AND c.effect = 'write' \
           AND c.method = 'POST' AND (c.path LIKE '%/merge_requests' OR c.path LIKE '%/approvals') \
         HAVING count(CASE WHEN c.outcome = 'intended' OR c.error_class = 'ambiguous' THEN 1 END) > 0 \
           OR count(CASE WHEN c.outcome = 'answered' AND c.path LIKE '%/merge_requests' THEN 1 END) \
             > (o.mr_iid IS NOT NULL) + coalesce(json_array_length(o.facts, '$.given_up'), 0) \
           OR (count(CASE WHEN c.outcome = 'answered' AND c.path LIKE '%/approvals' THEN 1 END) > 0 AND o.ticket_id IS NULL) \
         ON CONFLICT DO NOTHING",
    )
    .bind(CLOSE_LATE)
    .bind(operation_id.to_owned())
    .bind(step)
    .bind(at)
    .execute(connection)
    .await?;
    Ok(())
}

fn row(row: &sqlx::sqlite::SqliteRow) -> Compensation {
    Compensation {
        code: row.get("code"),
        kind: row.get("kind"),
        operation_id: row.get("operation_id"),
        step: row.get("step"),
        idempotency_key: row.get("idempotency_key"),
        retry_count: row.get("retry_count"),
        max_retries: row.get("max_retries"),
        error_class: row.get("error_class"),
        error_message: row.get("error_message"),
        effect: row.get("effect"),
        status: row.get("status"),
        content: serde_json::from_str(&row.get::<String, _>("content")).unwrap_or_default(),
        due_at: row.get("due_at"),
        created_at: row.get("created_at"),
        updated_at: row.get("updated_at"),
        given_up: row.get::<Option<String>, _>("reason").and_then(|text| serde_json::from_str(&text).ok()),
        subject_id: row.get("subject_id"),
        target_key: row.get("target_key"),
    }
}

/// A record with what its request changes. A macro, because the driver takes only literal SQL.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.*, o.subject_id, o.target_key FROM compensation c JOIN operation o USING (operation_id) ",
            $rest
        )
    };
}

impl Store {
    /// Records, those that have not ended first, then the newest; of the others only where they are asked for.
    pub async fn compensations(&self, ended_too: bool, most: u32) -> StoreResult<Vec<Compensation>> {
        let rows = sqlx::query(select!(
            "WHERE ?1 OR c.status NOT IN ('SUCCESS', 'IGNORED') \
             ORDER BY c.status IN ('SUCCESS', 'IGNORED'), c.created_at DESC, c.code LIMIT ?2"
        ))
        .bind(ended_too)
        .bind(most)
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().map(row).collect())
    }

    /// How many records there are.
    pub async fn following(&self) -> StoreResult<Following> {
        let row = sqlx::query(
            "SELECT count(*) FILTER (WHERE status NOT IN ('SUCCESS', 'IGNORED')), \
               count(*) FILTER (WHERE status IN ('FAIL', 'FINAL_FAIL')), \
               count(*) FILTER (WHERE status IN ('SUCCESS', 'IGNORED')) FROM compensation",
        )
        .fetch_one(&self.readers)
        .await?;
        Ok(Following { open: row.get(0), given_over: row.get(1), ended: row.get(2) })
    }

    /// One record.
    pub async fn compensation(&self, code: &str) -> StoreResult<Option<Compensation>> {
        let found =
            sqlx::query(select!("WHERE c.code = ?")).bind(code.to_owned()).fetch_optional(&self.readers).await?;
        Ok(found.as_ref().map(row))
    }

    /// Records that are due.
    pub async fn due_compensations(&self, now: Millis) -> StoreResult<Vec<Compensation>> {
        let rows = sqlx::query(select!("WHERE c.due_at <= ? ORDER BY c.due_at LIMIT 32"))
            .bind(now)
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().map(row).collect())
    }

    /// When the next record falls due.
    pub async fn next_compensation(&self) -> StoreResult<Option<Millis>> {
        Ok(sqlx::query_scalar("SELECT min(due_at) FROM compensation").fetch_one(&self.readers).await?)
    }
}
