//! Work that must follow a move and may be retried (workflow.md, section 8).

use serde_json::{Value, json};
use sqlx::{Row as _, SqliteConnection};

use super::{Store, StoreResult, operation::Millis};

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
    pub reason: Option<String>,
    pub due_at: Option<Millis>,
    pub created_at: Millis,
    pub updated_at: Millis,
}

/// What a try of a record came to.
#[derive(Debug, Clone)]
pub struct Tried {
    /// New status.
    pub status: &'static str,
    /// What is known of the effect.
    pub effect: &'static str,
    /// Why it failed.
    pub error: Option<(String, String)>,
    /// When it is tried again.
    pub due_at: Option<Millis>,
    /// True where it counts as a retry.
    pub counts: bool,
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
        reason: row.get("reason"),
        due_at: row.get("due_at"),
        created_at: row.get("created_at"),
        updated_at: row.get("updated_at"),
    }
}

impl Store {
    /// All records, newest first.
    pub async fn compensations(&self) -> StoreResult<Vec<Compensation>> {
        let rows =
            sqlx::query("SELECT * FROM compensation ORDER BY created_at DESC, code").fetch_all(&self.readers).await?;
        Ok(rows.iter().map(row).collect())
    }

    /// One record.
    pub async fn compensation(&self, code: &str) -> StoreResult<Option<Compensation>> {
        let found = sqlx::query("SELECT * FROM compensation WHERE code = ?")
            .bind(code.to_owned())
            .fetch_optional(&self.readers)
            .await?;
        Ok(found.as_ref().map(row))
    }

    /// Records that are due.
    pub async fn due_compensations(&self, now: Millis) -> StoreResult<Vec<Compensation>> {
        let rows = sqlx::query("SELECT * FROM compensation WHERE due_at <= ? ORDER BY due_at LIMIT 32")
            .bind(now)
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().map(row).collect())
    }

    /// When the next record falls due.
    pub async fn next_compensation(&self) -> StoreResult<Option<Millis>> {
        Ok(sqlx::query_scalar("SELECT min(due_at) FROM compensation").fetch_one(&self.readers).await?)
    }

    /// Writes what a try came to. False where the record has ended meanwhile.
    pub async fn tried(&self, code: &str, tried: Tried, at: Millis) -> StoreResult<bool> {
        let code = code.to_owned();
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let (class, message) = tried.error.unzip();
                    let done = sqlx::query(
                        "UPDATE compensation SET status = ?, effect = ?, error_class = ?, error_message = ?, due_at = ?, \
                           retry_count = retry_count + ?, updated_at = ? \
                         WHERE code = ? AND status NOT IN ('SUCCESS', 'IGNORED')",
                    )
                    .bind(tried.status)
                    .bind(tried.effect)
                    .bind(class)
                    .bind(message)
                    .bind(tried.due_at)
                    .bind(i32::from(tried.counts))
                    .bind(at)
                    .bind(code)
                    .execute(connection)
                    .await?;
                    Ok(done.rows_affected() == 1)
                })
            })
            .await
    }

    /// A person gives a record up, with a reason. False where it has ended already.
    pub async fn ignore_compensation(&self, code: &str, person: &str, reason: &str, at: Millis) -> StoreResult<bool> {
        let (code, reason) = (code.to_owned(), json!({"person": person, "reason": reason}).to_string());
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let done = sqlx::query(
                        "UPDATE compensation SET status = 'IGNORED', due_at = NULL, reason = ?, updated_at = ? \
                         WHERE code = ? AND status NOT IN ('SUCCESS', 'IGNORED')",
                    )
                    .bind(reason)
                    .bind(at)
                    .bind(code)
                    .execute(connection)
                    .await?;
                    Ok(done.rows_affected() == 1)
                })
            })
            .await
    }
}
