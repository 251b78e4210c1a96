//! What comes in from outside: stored under its delivery id before it is answered, and never thrown away.

use serde_json::{Value, json};
use sqlx::{Row as _, SqliteConnection};

use super::{
    Store, StoreResult,
    operation::{Millis, Operation, from_row, read_sentence},
};
use crate::{
    flow::{Status, Step},
    operation_select,
    words::Sentence,
};

/// What was decided about an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It moved its request.
    Applied,
    /// Authentic, but it cannot be applied yet.
    Parked,
    /// The delivery id was here before.
    Duplicate,
    /// Its request waits for nothing of the kind.
    IgnoredStale,
    /// It is about nothing of ours.
    IgnoredForeign,
}

impl Verdict {
    /// The word of store and API.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Parked => "parked",
            Self::Duplicate => "duplicate",
            Self::IgnoredStale => "ignored_stale",
            Self::IgnoredForeign => "ignored_foreign",
        }
    }
}

/// An authentic delivery, with what is thought of it when it arrives.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// `approval`, `deploy` or `gitlab`.
    pub source: &'static str,
    /// Its id; unique for each source.
    pub delivery_id: String,
    /// The request it is about.
    pub operation_id: Option<String>,
    /// What it says, in one word: a decision or a status.
    pub says: String,
    /// The body.
    pub body: Value,
    /// The verdict, unless it is a duplicate.
    pub verdict: Verdict,
    /// Why.
    pub reason: Sentence,
    /// When.
    pub at: Millis,
    /// What it says of the watermark: project, number and sha of a merge request that is effective.
    pub mark: Option<(String, u64, Option<String>)>,
}

/// An event as stored.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are the columns'")]
pub struct EventRow {
    pub id: i64,
    pub source: String,
    pub delivery_id: String,
    pub received_at: Millis,
    pub verdict: String,
    pub reason: Sentence,
    pub says: String,
    pub body: Value,
}

impl Store {
    /// Stores a delivery and answers what became of it. A parked one brings the next look of its request forward.
    pub async fn receive(&self, delivery: Delivery) -> StoreResult<(Verdict, Sentence)> {
        self.writer.run(move |connection| Box::pin(receive(connection, delivery))).await
    }

    /// Counts a delivery that was not authentic.
    pub async fn refuse_delivery(&self, source: &'static str, reason: String, at: Millis) -> StoreResult<()> {
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    sqlx::query(
                        "INSERT INTO refused_delivery (source, reason, count, last_at) VALUES (?, ?, 1, ?) \
                         ON CONFLICT (source, reason) DO UPDATE SET count = count + 1, last_at = excluded.last_at",
                    )
                    .bind(source)
                    .bind(reason)
                    .bind(at)
                    .execute(connection)
                    .await?;
                    Ok(())
                })
            })
            .await
    }

    /// All events of a request, oldest first.
    pub async fn events(&self, operation_id: &str) -> StoreResult<Vec<EventRow>> {
        let rows = sqlx::query(
            "SELECT id, source, delivery_id, received_at, verdict, reason, coalesce(says, '') AS says, body \
             FROM inbox WHERE operation_id = ? ORDER BY id",
        )
        .bind(operation_id.to_owned())
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().map(event).collect())
    }

    /// Events that wait for the state to move.
    pub async fn parked(&self, operation_id: &str) -> StoreResult<Vec<EventRow>> {
        let rows = sqlx::query(
            "SELECT id, source, delivery_id, received_at, verdict, reason, coalesce(says, '') AS says, body \
             FROM inbox WHERE operation_id = ? AND verdict = 'parked' ORDER BY id",
        )
        .bind(operation_id.to_owned())
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().map(event).collect())
    }

    /// The request that holds this ticket, the newest where an earlier one held it too.
    pub async fn operation_of_ticket(&self, ticket_id: &str) -> StoreResult<Option<Operation>> {
        let row = sqlx::query(operation_select!("WHERE o.ticket_id = ? ORDER BY o.created_at DESC LIMIT 1"))
            .bind(ticket_id.to_owned())
            .fetch_optional(&self.readers)
            .await?;
        row.as_ref().map(from_row).transpose()
    }

    /// Gives a parked event its verdict without a move.
    pub async fn settle_event(&self, id: i64, verdict: Verdict, reason: Sentence) -> StoreResult<()> {
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    sqlx::query("UPDATE inbox SET verdict = ?, reason = ? WHERE id = ? AND verdict = 'parked'")
                        .bind(verdict.word())
                        .bind(json!(reason).to_string())
                        .bind(id)
                        .execute(connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }
}

fn event(row: &sqlx::sqlite::SqliteRow) -> EventRow {
    EventRow {
        id: row.get("id"),
        source: row.get("source"),
        delivery_id: row.get("delivery_id"),
        received_at: row.get("received_at"),
        verdict: row.get("verdict"),
        reason: read_sentence(row.get::<Option<String>, _>("reason").as_deref()),
        says: row.get("says"),
        body: serde_json::from_str(&row.get::<String, _>("body")).unwrap_or_default(),
    }
}

/// Why nobody waits for an event of this source any more (workflow.md, section 5, the second guard).
#[must_use]
pub fn not_awaited(source: &str, step: Step, status: Status) -> Option<Sentence> {
    if step.is_terminal() {
        return Some(crate::say!("event.ended", status = status.word()));
    }
    let is_awaited = source != "approval" || Status::AWAITING_APPROVAL.contains(&status);
    (!is_awaited).then(|| crate::say!("event.not_awaited", status = status.word()))
}

/// The request may have moved since the verdict was thought of, and an event that is parked after that would wait for ever.
async fn too_late(
    connection: &mut SqliteConnection,
    operation_id: &str,
    source: &str,
) -> StoreResult<Option<Sentence>> {
    let row = sqlx::query("SELECT step, status FROM operation WHERE operation_id = ?")
        .bind(operation_id.to_owned())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let (step, status) = (Step::from_code(row.get(0)), Status::from_word(row.get(1)));
    let (Some(step), Some(status)) = (step, status) else { return Ok(None) };
    Ok(not_awaited(source, step, status))
}

async fn receive(connection: &mut SqliteConnection, mut delivery: Delivery) -> StoreResult<(Verdict, Sentence)> {
    if delivery.operation_id.is_none() && delivery.verdict == Verdict::Parked {
        // The ticket may have become known since the verdict was thought of.
        delivery.operation_id = sqlx::query_scalar(
            "SELECT operation_id FROM operation WHERE ticket_id = \
               (SELECT CAST(coalesce(?1 ->> '$.data.approval_id', ?1 ->> '$.approval_id') AS TEXT)) \
             ORDER BY created_at DESC LIMIT 1",
        )
        .bind(delivery.body.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    }
    if let (Verdict::Parked, Some(id)) = (delivery.verdict, &delivery.operation_id)
        && let Some(late) = too_late(connection, id, delivery.source).await?
    {
        (delivery.verdict, delivery.reason) = (Verdict::IgnoredStale, late);
    }
    let seen: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM inbox WHERE source = ? AND delivery_id = ? AND verdict <> 'duplicate'",
    )
    .bind(delivery.source)
    .bind(delivery.delivery_id.clone())
    .fetch_one(&mut *connection)
    .await?;
    let (verdict, reason) = match seen {
        0 => (delivery.verdict, delivery.reason),
        _ => (Verdict::Duplicate, crate::say!("event.duplicate", id = delivery.delivery_id.clone())),
    };
    sqlx::query(
        "INSERT INTO inbox (source, delivery_id, operation_id, received_at, verdict, reason, says, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(delivery.source)
    .bind(delivery.delivery_id)
    .bind(delivery.operation_id.clone())
    .bind(delivery.at)
    .bind(verdict.word())
    .bind(json!(reason).to_string())
    .bind(delivery.says)
    .bind(delivery.body.to_string())
    .execute(&mut *connection)
    .await?;
    if verdict == Verdict::Duplicate {
        return Ok((verdict, reason));
    }
    if let Some((project, iid, sha)) = delivery.mark {
        sqlx::query(
            "INSERT INTO deploy_mark (project, mr_iid, sha, at) VALUES (?, ?, ?, ?) \
             ON CONFLICT (project, mr_iid) DO UPDATE SET sha = coalesce(excluded.sha, sha), at = excluded.at",
        )
        .bind(project)
        .bind(iid.cast_signed())
        .bind(sha)
        .bind(delivery.at)
        .execute(&mut *connection)
        .await?;
    }
    if let (Verdict::Parked, Some(id)) = (verdict, delivery.operation_id) {
        sqlx::query(
            "UPDATE operation SET due_at = ? WHERE operation_id = ? AND step IN (10401, 10402, 10109, 10302) \
                     AND (due_at IS NULL OR due_at > ?)",
        )
        .bind(delivery.at)
        .bind(id)
        .bind(delivery.at)
        .execute(connection)
        .await?;
    }
    Ok((verdict, reason))
}
