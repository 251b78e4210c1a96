//! One try of a record: taken by one, and what came of it.

use serde_json::json;

use super::{
    super::{Store, StoreResult, operation::Millis},
    GivenUp,
};

/// Who wants a record tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// The clock: while tries are left.
    Clock,
    /// A person: one more try is granted where none is left.
    Person,
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

/// Changes record ?1 at ?2, unless it has ended or is being tried.
macro_rules! update_free {
    ($set:literal, $and:literal) => {
        concat!(
            "UPDATE compensation SET updated_at = ?2, ",
            $set,
            " WHERE code = ?1 AND status NOT IN ('SUCCESS', 'IGNORED') \
               AND (status <> 'PROCESSING' OR due_at IS NULL OR due_at <= ?2) ",
            $and
        )
    };
}

impl Store {
    /// Takes a record to try it; nobody else tries it before `until`. False where it has ended, or is being tried.
    pub async fn take_compensation(&self, code: &str, asker: Asker, at: Millis, until: Millis) -> StoreResult<bool> {
        let code = code.to_owned();
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let done = sqlx::query(
                        update_free!(
                            "status = 'PROCESSING', due_at = ?3, max_retries = max(max_retries, iif(?4, retry_count + 1, 0))",
                            "AND (?4 OR due_at <= ?2)"
                        ),
                    )
                    .bind(code)
                    .bind(at)
                    .bind(until)
                    .bind(asker == Asker::Person)
                    .execute(connection)
                    .await?;
                    Ok(done.rows_affected() == 1)
                })
            })
            .await
    }

    /// At start, with the data directory locked, nobody tries a record: what was being tried is due at once.
    pub async fn take_back_compensations(&self) -> StoreResult<()> {
        self.writer
            .run(|connection| {
                Box::pin(async move {
                    sqlx::query(
                        "UPDATE compensation SET status = 'WAIT_COMPENSATE', due_at = updated_at WHERE status = 'PROCESSING'",
                    )
                    .execute(connection)
                    .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Writes what a try came to. False where the record is no longer being tried.
    pub async fn tried(&self, code: &str, tried: Tried, at: Millis) -> StoreResult<bool> {
        let code = code.to_owned();
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let (class, message) = tried.error.unzip();
                    let done = sqlx::query(
                        "UPDATE compensation SET status = ?, effect = ?, error_class = ?, error_message = ?, due_at = ?, \
                           retry_count = retry_count + ?, updated_at = ? WHERE code = ? AND status = 'PROCESSING'",
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

    /// A person gives a record up, with a reason. False where it has ended already, or is being tried.
    pub async fn ignore_compensation(&self, code: &str, given_up: &GivenUp, at: Millis) -> StoreResult<bool> {
        let (code, reason) = (code.to_owned(), json!(given_up).to_string());
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let done = sqlx::query(update_free!("status = 'IGNORED', due_at = NULL, reason = ?3", ""))
                        .bind(code)
                        .bind(at)
                        .bind(reason)
                        .execute(connection)
                        .await?;
                    Ok(done.rows_affected() == 1)
                })
            })
            .await
    }
}
