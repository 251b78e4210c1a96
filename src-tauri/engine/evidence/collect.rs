//! Everything that the store holds of a request, as rows.

use serde_json::{Value, json};

use super::{Chain, Evidence, EvidenceError, FORMAT};
use crate::{
    api::time,
    flow::chart,
    store::{
        Store,
        operation::{Millis, Operation},
    },
    words::{Lang, Sentence},
};

/// Tries to read a request that moves meanwhile.
const TRIES: u32 = 10;
/// The newest changes of switches that are told.
const SWITCHES: u32 = 1000;

/// The evidence of a request as it stands at one version.
pub async fn collect(store: &Store, operation_id: &str, at: Millis) -> Result<Evidence, EvidenceError> {
    for _ in 0..TRIES {
        let before = read(store, operation_id).await?;
        let evidence = write(store, &before, at).await?;
        if read(store, operation_id).await?.version == before.version {
            return Ok(evidence);
        }
    }
    Err(EvidenceError::Moving(operation_id.into()))
}

async fn read(store: &Store, operation_id: &str) -> Result<Operation, EvidenceError> {
    store.operation(operation_id).await?.ok_or_else(|| EvidenceError::NoOperation(operation_id.into()))
}

async fn write(store: &Store, operation: &Operation, at: Millis) -> Result<Evidence, EvidenceError> {
    let id = operation.operation_id.as_str();
    let mut chain = Chain::new();
    chain.push(
        "head",
        json!({"format": FORMAT, "program": env!("CARGO_PKG_VERSION"), "exported_at": time(at), "operation_id": id}),
    );
    chain.push("definition", json!(chart::chart()));
    chain.push("settings", settings(store, operation).await?);
    chain.push("request", request(operation));
    for file in store.rendered_files(id).await? {
        chain.push(
            "file",
            json!({"path": file.path, "action": file.action, "before": file.before, "after": file.after, "diff": file.diff}),
        );
    }
    for row in store.history(id).await? {
        chain.push(
            "history",
            json!({
                "seq": row.seq, "version": row.version, "at": time(row.at), "event": row.event,
                "from": row.from.map(|(step, status)| json!({"step": step, "status": status})),
                "to": {"step": row.to.0, "status": row.to.1},
                "actor": {"kind": row.actor_kind, "name": row.actor_name},
                "reason": row.reason.as_ref().map(sentence), "evidence": row.evidence, "duration_ms": row.duration_ms,
            }),
        );
    }
    for row in store.diffs(id).await? {
        chain.push(
            "diff",
            json!({
                "seq": row.seq, "at": time(row.at), "kind": row.kind, "comment": row.comment, "changes": row.changes,
                "actor": {"kind": row.actor_kind, "name": row.actor_name},
            }),
        );
    }
    for row in store.events(id).await? {
        chain.push(
            "event",
            json!({
                "id": row.id, "source": row.source, "delivery_id": row.delivery_id, "received_at": time(row.received_at),
                "verdict": row.verdict, "reason": sentence(&row.reason), "says": row.says, "body": row.body,
            }),
        );
    }
    for row in store.calls(id).await? {
        chain.push(
            "call",
            json!({
                "id": row.id, "version": row.version, "at": time(row.at), "remote": row.remote, "account": row.account,
                "method": row.method, "path": row.path, "effect": row.effect, "attempt": row.attempt, "detail": row.detail,
                "outcome": row.outcome, "http_status": row.http_status, "duration_ms": row.duration_ms,
                "error_class": row.error_class, "error": row.error,
            }),
        );
    }
    Ok(chain.seal())
}

fn request(operation: &Operation) -> Value {
    json!({
        "operation_id": operation.operation_id, "kind": operation.kind,
        "subject_id": operation.subject_id, "target_key": operation.target_key,
        "step": operation.step.code(), "name": operation.step.name(), "status": operation.status.word(),
        "version": operation.version, "fields": operation.fields, "comment": operation.comment,
        "requested_by": operation.requested_by, "created_at": time(operation.created_at),
        "entered_at": time(operation.entered_at), "attempts": operation.attempts, "owner": operation.owner,
        "facts": operation.facts,
        "last_error": operation.error.as_ref().map(|error| json!({
            "class": error.class, "message": sentence(&error.message), "at": time(error.at),
        })),
    })
}

/// The order it began in, and every switch that was turned, with its time: what held at any moment can be told from it.
async fn settings(store: &Store, operation: &Operation) -> Result<Value, EvidenceError> {
    let now: Vec<Value> =
        store.switches().await?.into_iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
    let changes: Vec<Value> = store
        .switch_changes(SWITCHES)
        .await?
        .into_iter()
        .map(|(at, person, changes)| json!({"at": time(at), "person": person, "changes": changes}))
        .collect();
    Ok(json!({"flow_order": operation.flow_order.word(), "switches": now, "changes": changes}))
}

/// A sentence as it is kept, and in English.
fn sentence(sentence: &Sentence) -> Value {
    json!({"code": sentence.code, "with": sentence.with, "text": sentence.render(Lang::En)})
}
