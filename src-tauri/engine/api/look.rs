//! Looking at one request: itself, its history, diffs, events, calls and files.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::{engine::Engine, store::operation::Operation};

use super::{
    Answer, Call, Problem, Reply, time,
    types::{StepView, view},
};

/// A side of a move.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct SideView {
    /// The step.
    pub step: StepView,
    /// The outward status.
    pub status: String,
}

/// Who caused it.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct ActorView {
    /// `operator`, `system`, `approval`, `gitlab`, `deploy` or `sweep`.
    #[ts(as = "crate::flow::actor::ActorKind")]
    pub kind: String,
    /// Name.
    pub name: String,
}

/// A row of history.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct HistoryView {
    /// Place in the history.
    #[ts(type = "number")]
    pub seq: i64,
    /// When.
    pub at: String,
    /// The event or act.
    pub event: String,
    /// The side it left; null for the first row.
    pub from: Option<SideView>,
    /// The side it entered.
    pub to: SideView,
    /// Who.
    pub actor: ActorView,
    /// Why, in words.
    pub reason: Option<String>,
    /// `exact`, `watermark` or null.
    pub evidence: Option<String>,
    /// How long the request had been in the step it left, in milliseconds.
    #[ts(type = "number | null")]
    pub duration_ms: Option<i64>,
    /// How many remote calls were made in the stay that this row ended.
    #[ts(type = "number")]
    pub calls: i64,
}

/// A remote call.
#[derive(Debug, Serialize, ts_rs::TS)]
#[allow(missing_docs, reason = "the names are the contract's")]
pub struct CallView {
    #[ts(type = "number")]
    pub id: i64,
    pub at: String,
    pub remote: String,
    pub account: String,
    pub method: String,
    pub path: String,
    #[ts(type = "\"read\" | \"write\"")]
    pub effect: String,
    pub outcome: String,
    #[ts(type = "number | null")]
    pub http_status: Option<i64>,
    #[ts(type = "number | null")]
    pub duration_ms: Option<i64>,
    #[ts(type = "number")]
    pub attempt: i64,
    pub error_class: Option<String>,
    pub error: Option<String>,
    pub detail: Option<String>,
    /// The row of history that ended the stay in which it was made; null while the stay lasts.
    #[ts(type = "number | null")]
    pub history_seq: Option<i64>,
}

/// An event from outside.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct EventView {
    /// Delivery id.
    pub id: String,
    /// Where it came from.
    #[ts(type = "\"approval\" | \"deploy\" | \"gitlab\" | \"platform\"")]
    pub source: String,
    /// When.
    pub received_at: String,
    /// What was decided.
    #[ts(
        type = "\"applied\" | \"parked\" | \"duplicate\" | \"ignored_stale\" | \"ignored_foreign\" | \"rejected_signature\""
    )]
    pub verdict: String,
    /// Why, in words.
    pub reason: String,
    /// The body as received.
    #[ts(type = "JsonValue")]
    pub body: Value,
}

pub(super) async fn found(engine: &Engine, id: &str) -> Result<Operation, Problem> {
    engine.core.store.operation(id).await?.ok_or_else(|| Problem::no_operation(id))
}

pub(super) async fn operation(engine: Engine, call: Call) -> Answer {
    let operation = found(&engine, call.part("id")).await?;
    let usual = engine.core.store.usual_stays().await?;
    Ok(Reply::json(200, &view(&engine.core, &operation, &usual, call.request.lang)))
}

pub(super) async fn history(engine: Engine, call: Call) -> Answer {
    let operation = found(&engine, call.part("id")).await?;
    let lang = call.request.lang;
    let mut made: BTreeMap<i64, i64> = BTreeMap::new();
    for row in engine.core.store.calls(&operation.operation_id).await? {
        *made.entry(row.version).or_default() += 1;
    }
    let side = |(step, status): (i64, String)| SideView { step: StepView::of(step), status };
    let items: Vec<_> = engine
        .core
        .store
        .history(&operation.operation_id)
        .await?
        .into_iter()
        .map(|row| HistoryView {
            seq: row.seq,
            at: time(row.at),
            event: row.event,
            from: row.from.map(side),
            to: side(row.to),
            actor: ActorView { kind: row.actor_kind, name: row.actor_name },
            reason: row.reason.map(|reason| reason.render(lang)),
            evidence: row.evidence,
            duration_ms: row.duration_ms,
            calls: made.remove(&(row.version - 1)).unwrap_or(0),
        })
        .collect();
    Ok(Reply::json(200, &json!({"items": items})))
}

pub(super) async fn diffs(engine: Engine, call: Call) -> Answer {
    let operation = found(&engine, call.part("id")).await?;
    let items: Vec<_> = engine
        .core
        .store
        .diffs(&operation.operation_id)
        .await?
        .into_iter()
        .map(|row| {
            json!({"seq": row.seq, "at": time(row.at), "actor": {"kind": row.actor_kind, "name": row.actor_name},
                "kind": row.kind, "comment": row.comment, "changes": row.changes})
        })
        .collect();
    Ok(Reply::json(200, &json!({"items": items})))
}

pub(super) async fn events(engine: Engine, call: Call) -> Answer {
    let operation = found(&engine, call.part("id")).await?;
    let items: Vec<_> = engine
        .core
        .store
        .events(&operation.operation_id)
        .await?
        .into_iter()
        .map(|row| EventView {
            id: row.delivery_id,
            source: row.source,
            received_at: time(row.received_at),
            verdict: row.verdict,
            reason: row.reason.render(call.request.lang),
            body: row.body,
        })
        .collect();
    Ok(Reply::json(200, &json!({"items": items})))
}

pub(super) async fn calls(engine: Engine, call: Call) -> Answer {
    let operation = found(&engine, call.part("id")).await?;
    let mut ended_by: BTreeMap<i64, i64> = BTreeMap::new();
    for row in engine.core.store.history(&operation.operation_id).await? {
        ended_by.entry(row.version - 1).or_insert(row.seq);
    }
    let items: Vec<_> = engine
        .core
        .store
        .calls(&operation.operation_id)
        .await?
        .into_iter()
        .map(|row| CallView {
            id: row.id,
            at: time(row.at),
            remote: row.remote,
            account: row.account,
            method: row.method,
            path: row.path,
            effect: row.effect,
            outcome: row.outcome,
            http_status: row.http_status,
            duration_ms: row.duration_ms,
            attempt: row.attempt,
            error_class: row.error_class,
            error: row.error,
            detail: row.detail,
            history_seq: ended_by.get(&row.version).copied(),
        })
        .collect();
    Ok(Reply::json(200, &json!({"items": items})))
}

pub(super) async fn files(engine: Engine, call: Call) -> Answer {
    let operation = found(&engine, call.part("id")).await?;
    let items: Vec<_> = engine
        .core
        .store
        .rendered_files(&operation.operation_id)
        .await?
        .into_iter()
        .map(|file| {
            json!({"path": file.path, "action": file.action, "before": file.before, "after": file.after, "diff": file.diff})
        })
        .collect();
    Ok(Reply::json(200, &json!({"items": items})))
}
