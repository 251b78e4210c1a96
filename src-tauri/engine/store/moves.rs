//! The one place where a step is written: operation, binding, history, diff and outbox together, guarded by version and step.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Value, json};
use sqlx::{Row as _, SqliteConnection};

use super::{
    Store, StoreResult,
    compensations::{NewCompensation, expect_late},
    operation::{Facts, LastError, Millis},
};
use crate::{
    flow::{Actor, Outlook, Status, Step},
    words::Sentence,
};

/// One row of history to be, with all that is written beside it.
#[derive(Debug, Clone)]
pub struct Transition {
    /// Which request.
    pub operation_id: String,
    /// The version that was read.
    pub version: i64,
    /// The step that was read.
    pub from: Step,
    /// The outward status that was read.
    pub from_status: Status,
    /// The step entered; the same one for an act that moves nothing.
    pub to: Step,
    /// Word of the event or act.
    pub event: String,
    /// Who caused it.
    pub actor: Actor,
    /// Why.
    pub reason: Option<Sentence>,
    /// `exact` or `watermark`, for deploy results.
    pub evidence: Option<&'static str>,
    /// When.
    pub at: Millis,
    /// When the request came to the step it leaves.
    pub entered_at: Millis,
    /// When it is looked at next.
    pub due_at: Option<Millis>,
    /// What is known now.
    pub facts: Facts,
    /// What went wrong last; None takes the message away.
    pub error: Option<LastError>,
    /// What the next look is for.
    pub wish: Option<&'static str>,
    /// The wish that this row fulfils; another one that came meanwhile stays, and is due at once.
    pub fulfils: Option<&'static str>,
    /// True where the worker that holds the lease commits, and gives it back.
    pub releases: bool,
    /// True where people must know of it before they act: every move, but no look that found nothing.
    pub new_version: bool,
    /// True where a person set it going again.
    pub new_attempt: bool,
    /// Verdicts on events that this move settles.
    pub verdicts: Vec<(i64, &'static str, Sentence)>,
    /// Work that must follow and may be retried.
    pub compensation: Option<NewCompensation>,
    /// New text to be found by.
    pub text: Option<String>,
}

/// What came of a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// It was written; the request has this version now.
    To(i64),
    /// Somebody was first; nothing was written.
    Conflict,
}

impl Transition {
    /// The outward status it brings.
    #[must_use]
    pub fn to_status(&self) -> Status {
        self.to.status().unwrap_or(self.from_status)
    }

    fn is_move(&self) -> bool {
        self.from != self.to
    }

    fn next_version(&self) -> i64 {
        self.version + i64::from(self.new_version)
    }

    fn row(&self) -> Value {
        let status = self.to_status();
        let late = match self.to.outlook() {
            Outlook::Done => crate::say!("event.ended", status = status.word()),
            _ => crate::say!("event.not_awaited", status = status.word()),
        };
        json!({
            "id": self.operation_id, "version": self.version, "next": self.next_version(),
            "from": self.from.code(), "from_status": self.from_status.word(),
            "to": self.to.code(), "status": status.word(), "outlook": self.to.outlook().word(),
            "event": self.event, "actor_kind": self.actor.kind.word(), "actor_name": self.actor.name,
            "reason": self.reason.as_ref().map(|reason| json!(reason).to_string()),
            "evidence": self.evidence, "at": self.at, "due_at": self.due_at,
            "duration_ms": self.is_move().then_some(self.at - self.entered_at),
            "entered_at": if self.is_move() { self.at } else { self.entered_at },
            "facts": json!(self.facts).to_string(), "project": self.facts.project, "project_id": self.facts.project_id,
            "mr_iid": self.facts.mr.as_ref().map(|mr| mr.iid), "ticket_id": self.facts.ticket.as_ref().map(|t| &t.id),
            "error_class": self.error.as_ref().map(|e| &e.class),
            "error_message": self.error.as_ref().map(|e| json!(e.message).to_string()),
            "error_at": self.error.as_ref().map(|e| e.at),
            "wish": self.wish, "fulfils": self.fulfils, "releases": self.releases, "attempt": i32::from(self.new_attempt),
            "changes": json!(self.changes()).to_string(), "late": json!(late).to_string(),
        })
    }

    /// The move as changes, so that the path and the edits share one log.
    fn changes(&self) -> Vec<Value> {
        let mut changes = Vec::new();
        if self.is_move() {
            changes.push(json!({"path": "step", "pointer": "/step", "from": self.from.code(), "to": self.to.code(), "op": "replace"}));
        }
        if self.from_status != self.to_status() {
            changes.push(json!({"path": "status", "pointer": "/status",
                "from": self.from_status.word(), "to": self.to_status().word(), "op": "replace"}));
        }
        changes
    }
}

/// Writes a batch as sets: one guarded UPDATE, then one INSERT for each table, of those that kept their guard.
pub(super) async fn write(connection: &mut SqliteConnection, batch: &[&Transition]) -> StoreResult<Vec<Moved>> {
    let mut rows: Vec<Value> = batch.iter().map(|transition| transition.row()).collect();
    for transition in batch {
        claim_events(connection, transition).await?;
    }
    let moved: HashMap<String, i64> = sqlx::query(
        "UPDATE operation SET step = j.value ->> 'to', status = j.value ->> 'status', outlook = j.value ->> 'outlook', \
           version = j.value ->> 'next', last_seq = last_seq + 1, \
           updated_at = iif(j.value ->> 'next' = j.value ->> 'version', updated_at, j.value ->> 'at'), \
           entered_at = j.value ->> 'entered_at', look = iif(j.value ->> 'from' = j.value ->> 'to', look, 0), \
           due_at = CASE WHEN operation.wish IS NOT j.value ->> 'fulfils' AND j.value ->> 'fulfils' IS NOT NULL THEN j.value ->> 'at' \
             WHEN j.value ->> 'to' IN (10402, 10109, 10302) AND EXISTS \
             (SELECT 1 FROM inbox i WHERE i.operation_id = operation.operation_id AND i.verdict = 'parked') \
             THEN j.value ->> 'at' ELSE j.value ->> 'due_at' END, \
           lease_owner = iif(j.value ->> 'releases', NULL, lease_owner), lease_until = iif(j.value ->> 'releases', NULL, lease_until), \
           wish = iif(operation.wish IS NOT j.value ->> 'fulfils' AND j.value ->> 'fulfils' IS NOT NULL, operation.wish, j.value ->> 'wish'), \
           attempts = attempts + (j.value ->> 'attempt'), facts = j.value ->> 'facts', \
           project = j.value ->> 'project', project_id = j.value ->> 'project_id', mr_iid = j.value ->> 'mr_iid', \
           ticket_id = j.value ->> 'ticket_id', error_class = j.value ->> 'error_class', \
           error_message = j.value ->> 'error_message', error_at = j.value ->> 'error_at' \
         FROM json_each(?) j WHERE operation.operation_id = j.value ->> 'id' \
           AND operation.version = j.value ->> 'version' AND operation.step = j.value ->> 'from' \
         RETURNING operation.operation_id, operation.last_seq",
    )
    .bind(json!(rows).to_string())
    .fetch_all(&mut *connection)
    .await?
    .into_iter()
    .map(|row| (row.get(0), row.get(1)))
    .collect();
    let won = |transition: &Transition| moved.get(&transition.operation_id).copied();
    let mut kept = Vec::with_capacity(moved.len());
    for (transition, row) in batch.iter().zip(&mut rows) {
        if let Some(seq) = won(transition) {
            row["seq"] = seq.into();
            kept.push(row.take());
        }
    }
    if !kept.is_empty() {
        follow(connection, &json!(kept).to_string()).await?;
        for transition in batch.iter().filter(|transition| won(transition).is_some()) {
            settle_beside(connection, transition).await?;
        }
        leave_behind(connection, &json!(kept).to_string()).await?;
    }
    Ok(batch.iter().map(|t| if won(t).is_some() { Moved::To(t.next_version()) } else { Moved::Conflict }).collect())
}

/// Decisions that named only a ticket and came before we knew whose it is: they belong to the request that learns of it now.
async fn claim_events(connection: &mut SqliteConnection, transition: &Transition) -> StoreResult<()> {
    let Some(ticket) = transition.facts.ticket.as_ref().filter(|_| transition.from == Step::ApprovalSending) else {
        return Ok(());
    };
    sqlx::query(
        "UPDATE inbox SET operation_id = ? WHERE source = 'approval' AND operation_id IS NULL AND verdict = 'parked' \
           AND CAST(coalesce(body ->> '$.data.approval_id', body ->> '$.approval_id') AS TEXT) = ?",
    )
    .bind(transition.operation_id.clone())
    .bind(ticket.id.clone())
    .execute(connection)
    .await?;
    Ok(())
}

/// What every transition writes beside the operation.
async fn follow(connection: &mut SqliteConnection, kept: &str) -> StoreResult<()> {
    for sql in [
        "UPDATE binding SET status = j.value ->> 'status', updated_at = j.value ->> 'at' \
         FROM json_each(?) j WHERE binding.operation_id = j.value ->> 'id'",
        "INSERT INTO history (operation_id, seq, version, at, event, from_step, from_status, to_step, to_status, actor_kind, \
           actor_name, reason, evidence, duration_ms) \
         SELECT value ->> 'id', value ->> 'seq', value ->> 'next', value ->> 'at', value ->> 'event', value ->> 'from', \
           value ->> 'from_status', value ->> 'to', value ->> 'status', value ->> 'actor_kind', value ->> 'actor_name', \
           value ->> 'reason', value ->> 'evidence', value ->> 'duration_ms' FROM json_each(?)",
        "INSERT INTO diff (operation_id, seq, at, kind, actor_kind, actor_name, changes) \
         SELECT value ->> 'id', value ->> 'seq', value ->> 'at', 'state', value ->> 'actor_kind', value ->> 'actor_name', \
           value ->> 'changes' FROM json_each(?) WHERE value ->> 'changes' <> '[]'",
        "INSERT INTO outbox (topic, operation_id, history_seq, version, step, status, at) \
         SELECT 'operation', value ->> 'id', value ->> 'seq', value ->> 'next', value ->> 'to', value ->> 'status', value ->> 'at' \
         FROM json_each(?)",
    ] {
        sqlx::query(sql).bind(kept.to_owned()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Events that nobody waits for any more say so: all of a request that ended, and decisions once none is awaited.
async fn leave_behind(connection: &mut SqliteConnection, kept: &str) -> StoreResult<()> {
    sqlx::query(
        "UPDATE inbox SET verdict = 'ignored_stale', reason = j.value ->> 'late' FROM json_each(?) j \
         WHERE inbox.operation_id = j.value ->> 'id' AND inbox.verdict = 'parked' AND (j.value ->> 'outlook' = 'done' \
           OR (inbox.source = 'approval' AND j.value ->> 'status' NOT IN ('APPROVAL_SENDING', 'APPROVAL_SENT')))",
    )
    .bind(kept.to_owned())
    .execute(connection)
    .await?;
    Ok(())
}

/// What only some transitions write.
async fn settle_beside(connection: &mut SqliteConnection, transition: &Transition) -> StoreResult<()> {
    for (id, verdict, reason) in &transition.verdicts {
        sqlx::query("UPDATE inbox SET verdict = ?, reason = ? WHERE id = ? AND verdict = 'parked'")
            .bind(*verdict)
            .bind(json!(reason).to_string())
            .bind(*id)
            .execute(&mut *connection)
            .await?;
    }
    if let Some(compensation) = &transition.compensation {
        compensation.insert(connection, transition.at).await?;
    }
    let ends = !transition.from.is_merged() && (transition.to.is_merged() || transition.to.is_terminal());
    if ends {
        expect_late(connection, &transition.operation_id, transition.to.code(), transition.at).await?;
    }
    if let Some(text) = &transition.text {
        write_text(connection, &transition.operation_id, text).await?;
    }
    Ok(())
}

/// Replaces the text that a request is found by.
pub(super) async fn write_text(connection: &mut SqliteConnection, operation_id: &str, text: &str) -> StoreResult<()> {
    sqlx::query("DELETE FROM operation_text WHERE rowid = (SELECT rowid FROM operation WHERE operation_id = ?)")
        .bind(operation_id.to_owned())
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO operation_text (rowid, operation_id, text) SELECT rowid, operation_id, ? FROM operation WHERE operation_id = ?",
    )
    .bind(text.to_owned())
    .bind(operation_id.to_owned())
    .execute(connection)
    .await?;
    Ok(())
}

impl Store {
    /// Writes a transition. The answer comes after the commit is durable.
    pub async fn commit(&self, transition: Transition) -> StoreResult<Moved> {
        self.writer.transition(Arc::new(transition)).await
    }
}
