//! The schedule: which requests are due, who works on them, and what a look that moved nothing leaves behind.

use serde_json::json;
use sqlx::{Row as _, SqliteConnection};

use super::{
    Store, StoreResult,
    operation::{Facts, LastError, Millis, Operation, readable},
};
use crate::operation_select;

/// What a look left behind: nothing moved, so the version stays.
#[derive(Debug, Clone)]
pub struct Look {
    /// Which request.
    pub operation_id: String,
    /// The version that was read.
    pub version: i64,
    /// Who holds the lease.
    pub owner: String,
    /// Looks made in this step so far.
    pub look: u32,
    /// When it is looked at next.
    pub due_at: Option<Millis>,
    /// The newest parked event that the look knew of; one that came later brings another look at once.
    pub newest_event: i64,
    /// What is known now.
    pub facts: Facts,
    /// What went wrong last; None takes the message away.
    pub error: Option<LastError>,
    /// The wish that this look fulfilled; another one that came meanwhile stays.
    pub wish: Option<String>,
    /// When.
    pub at: Millis,
}

impl Store {
    /// Leases up to `limit` due requests to `owner` until `until`, the longest due first. One that cannot be read is leased
    /// too, and left out: it comes up again when the lease has run out, and stops no other meanwhile.
    pub async fn take_due(&self, now: Millis, owner: &str, until: Millis, limit: u32) -> StoreResult<Vec<Operation>> {
        let owner = owner.to_owned();
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let rows = sqlx::query(operation_select!(
                        "WHERE o.due_at <= ? AND (o.lease_until IS NULL OR o.lease_until <= ?) ORDER BY o.due_at LIMIT ?"
                    ))
                    .bind(now)
                    .bind(now)
                    .bind(limit)
                    .fetch_all(&mut *connection)
                    .await?;
                    let ids: Vec<String> = rows.iter().map(|row| row.get("operation_id")).collect();
                    let due = rows.iter().filter_map(readable).collect();
                    sqlx::query(
                        "UPDATE operation SET lease_owner = ?, lease_until = ? WHERE operation_id IN (SELECT value FROM json_each(?))",
                    )
                    .bind(owner)
                    .bind(until)
                    .bind(json!(ids).to_string())
                    .execute(connection)
                    .await?;
                    Ok(due)
                })
            })
            .await
    }

    /// The moment when the next request falls due; a leased one when its lease runs out.
    pub async fn next_due(&self) -> StoreResult<Option<Millis>> {
        Ok(sqlx::query_scalar(
            "SELECT min(max(due_at, coalesce(lease_until, due_at))) FROM operation WHERE due_at IS NOT NULL",
        )
        .fetch_one(&self.readers)
        .await?)
    }

    /// Extends the lease of a worker that is still busy.
    pub async fn extend_lease(&self, operation_id: &str, owner: &str, until: Millis) -> StoreResult<()> {
        let (id, owner) = (operation_id.to_owned(), owner.to_owned());
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    sqlx::query("UPDATE operation SET lease_until = ? WHERE operation_id = ? AND lease_owner = ?")
                        .bind(until)
                        .bind(id)
                        .bind(owner)
                        .execute(connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Keeps what a look found and gives the lease back. False where the request moved meanwhile: then only the lease goes.
    pub async fn looked(&self, look: Look) -> StoreResult<bool> {
        self.writer.run(move |connection| Box::pin(looked(connection, look))).await
    }

    /// Gives a lease back without a word, so that the request is taken up again at once.
    pub async fn release(&self, operation_id: &str, owner: &str) -> StoreResult<()> {
        let (id, owner) = (operation_id.to_owned(), owner.to_owned());
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    sqlx::query(
                        "UPDATE operation SET lease_owner = NULL, lease_until = NULL WHERE operation_id = ? AND lease_owner = ?",
                    )
                    .bind(id)
                    .bind(owner)
                    .execute(connection)
                    .await?;
                    Ok(())
                })
            })
            .await
    }

    /// At start, with the data directory locked, nobody else can hold a lease. Says how many were taken back.
    pub async fn take_back_leases(&self) -> StoreResult<u64> {
        self.writer
            .run(|connection| {
                Box::pin(async move {
                    let done = sqlx::query(
                        "UPDATE operation SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL",
                    )
                    .execute(connection)
                    .await?;
                    Ok(done.rows_affected())
                })
            })
            .await
    }

    /// The clock was set back by so much: what was to come in a while still comes in a while, not hours later. A lease that
    /// reaches further than `longest` from `now` was written under the old time; one that does not is left alone.
    pub async fn wind_back(&self, by: Millis, now: Millis, longest: Millis) -> StoreResult<()> {
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    sqlx::query(
                        "UPDATE operation SET due_at = iif(due_at > ?2, due_at - ?1, due_at), \
                           lease_until = iif(lease_until > ?2 + ?3, lease_until - ?1, lease_until) \
                         WHERE due_at > ?2 OR lease_until > ?2 + ?3",
                    )
                    .bind(by)
                    .bind(now)
                    .bind(longest)
                    .execute(&mut *connection)
                    .await?;
                    sqlx::query("UPDATE compensation SET due_at = due_at - ?1 WHERE due_at > ?2")
                        .bind(by)
                        .bind(now)
                        .execute(connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// The latest moment on record: a clock that shows less was set back while nothing ran.
    pub async fn latest_moment(&self) -> StoreResult<Option<Millis>> {
        Ok(sqlx::query_scalar(
            "SELECT max(at) FROM (SELECT * FROM (SELECT at FROM remote_call ORDER BY id DESC LIMIT 1) \
             UNION ALL SELECT * FROM (SELECT at FROM outbox ORDER BY seq DESC LIMIT 1))",
        )
        .fetch_one(&self.readers)
        .await?)
    }

    /// Brings the next look of a request forward. Where a ladder has ended it is looked at once more, which begins no new one.
    /// False where the request waits for no look.
    pub async fn hurry(&self, operation_id: &str, now: Millis) -> StoreResult<bool> {
        let id = operation_id.to_owned();
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    let done = sqlx::query(
                        "UPDATE operation SET due_at = min(coalesce(due_at, ?1), ?1), wish = iif(due_at IS NULL, 'reconcile', wish) \
                         WHERE operation_id = ?2 AND (due_at IS NOT NULL OR outlook = 'unknown')",
                    )
                    .bind(now)
                    .bind(id)
                    .execute(connection)
                    .await?;
                    Ok(done.rows_affected() > 0)
                })
            })
            .await
    }
}

async fn looked(connection: &mut SqliteConnection, look: Look) -> StoreResult<bool> {
    let kept = sqlx::query(
        "UPDATE operation SET look = ?1, facts = ?2, error_class = ?3, error_message = ?4, error_at = ?5, \
           due_at = CASE WHEN wish IS NOT ?6 OR EXISTS (SELECT 1 FROM inbox i WHERE i.operation_id = operation.operation_id \
             AND i.verdict = 'parked' AND i.id > ?7) THEN ?8 ELSE ?9 END, \
           wish = iif(wish IS ?6, NULL, wish), lease_owner = NULL, lease_until = NULL \
         WHERE operation_id = ?10 AND version = ?11 AND lease_owner = ?12",
    )
    .bind(look.look)
    .bind(json!(look.facts).to_string())
    .bind(look.error.as_ref().map(|e| e.class.clone()))
    .bind(look.error.as_ref().map(|e| json!(e.message).to_string()))
    .bind(look.error.as_ref().map(|e| e.at))
    .bind(look.wish.clone())
    .bind(look.newest_event)
    .bind(look.at)
    .bind(look.due_at)
    .bind(look.operation_id.clone())
    .bind(look.version)
    .bind(look.owner.clone())
    .execute(&mut *connection)
    .await?
    .rows_affected()
        == 1;
    if !kept {
        sqlx::query(
            "UPDATE operation SET lease_owner = NULL, lease_until = NULL WHERE operation_id = ? AND lease_owner = ?",
        )
        .bind(look.operation_id)
        .bind(look.owner)
        .execute(connection)
        .await?;
    }
    Ok(kept)
}
