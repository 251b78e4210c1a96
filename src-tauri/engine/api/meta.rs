//! What belongs to no single request: kinds, workflows, compensations, status.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    compensation,
    documents::kinds::{Checks, Kind},
    engine::Engine,
    flow::chart,
    health,
    store::compensations::Compensation,
    words::Lang,
};

use super::{Answer, Call, Problem, Reply, time};

fn kind_view(kind: &Kind, lang: Lang) -> Value {
    json!({
        "kind": kind.kind, "title": kind.title.in_language(lang.tag()), "titles": kind.title, "workflow": kind.workflow,
        "repeatable": kind.repeatable, "project": kind.project, "target_branch": kind.target_branch, "schema": kind.schema,
        "checks": match kind.checks { Checks::Required => "required", Checks::Optional => "optional" },
    })
}

pub(super) async fn kinds(engine: Engine, call: Call) -> Answer {
    let items: Vec<_> = engine.core.catalogue.iter().map(|kind| kind_view(kind, call.request.lang)).collect();
    Ok(Reply::json(200, &json!({"items": items})))
}

pub(super) async fn kind(engine: Engine, call: Call) -> Answer {
    let name = call.part("kind");
    let kind = engine.core.catalogue.get(name).ok_or_else(|| {
        Problem::new(404, "not-found", "No such kind").detail(format!("There is no change kind {name:?}."))
    })?;
    Ok(Reply::json(200, &kind_view(kind, call.request.lang)))
}

pub(super) async fn workflow(_: Engine, call: Call) -> Answer {
    let name = call.part("workflow");
    if name != "merge-request" {
        let detail = format!("There is no workflow {name:?} here; there is \"merge-request\".");
        return Err(Problem::new(404, "not-found", "No such workflow").detail(detail));
    }
    match call.query("format").unwrap_or("json") {
        "json" => Ok(Reply::json(200, &chart::chart())),
        "mermaid" => Ok(Reply::text("text/plain; charset=utf-8", chart::mermaid())),
        "dot" => Ok(Reply::text("text/vnd.graphviz; charset=utf-8", chart::dot())),
        other => {
            Err(Problem::unprocessable(&format!("There is no format {other:?}; there are json, mermaid and dot.")))
        }
    }
}

fn compensation_view(record: &Compensation) -> Value {
    json!({
        "code": record.code, "kind": record.kind, "operation_id": record.operation_id, "step": record.step,
        "idempotency_key": record.idempotency_key, "retry_count": record.retry_count, "max_retries": record.max_retries,
        "error_class": record.error_class, "error_message": record.error_message, "effect": record.effect,
        "status": record.status, "content": record.content, "reason": record.reason,
        "next_try_at": record.due_at.map(time), "created_at": time(record.created_at), "updated_at": time(record.updated_at),
    })
}

pub(super) async fn compensations(engine: Engine, _: Call) -> Answer {
    let items: Vec<_> = engine.core.store.compensations().await?.iter().map(compensation_view).collect();
    Ok(Reply::json(200, &json!({"items": items})))
}

async fn record(engine: &Engine, code: &str) -> Result<Compensation, Problem> {
    engine.core.store.compensation(code).await?.ok_or_else(|| {
        Problem::new(404, "not-found", "No such record").detail(format!("There is no compensation {code:?}."))
    })
}

fn ended(record: &Compensation) -> Option<Problem> {
    matches!(record.status.as_str(), "SUCCESS" | "IGNORED").then(|| {
        let reason = format!("The record {} has ended as {}; nothing is left to do.", record.code, record.status);
        Problem::new(422, "illegal", "Not possible now").detail(reason.clone()).with("reason", reason)
    })
}

pub(super) async fn replay(engine: Engine, call: Call) -> Answer {
    let found = record(&engine, call.part("code")).await?;
    if let Some(problem) = ended(&found) {
        return Err(problem);
    }
    compensation::replay(&engine.core, &found).await?;
    Ok(Reply::json(200, &compensation_view(&record(&engine, &found.code).await?)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ignore {
    reason: String,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

pub(super) async fn ignore(engine: Engine, call: Call) -> Answer {
    let found = record(&engine, call.part("code")).await?;
    let body: Ignore = call.body()?;
    if body.reason.trim().is_empty() {
        return Err(Problem::unprocessable("Say why the record is given up."));
    }
    let core = &engine.core;
    if !core.store.ignore_compensation(&found.code, &call.request.person, &body.reason, core.now()).await? {
        return Err(ended(&found).unwrap_or_else(|| Problem::unprocessable("The record has ended meanwhile.")));
    }
    Ok(Reply::json(200, &compensation_view(&record(&engine, &found.code).await?)))
}

pub(super) async fn status(engine: Engine, call: Call) -> Answer {
    let core = &engine.core;
    let lang = call.request.lang;
    let counts = core.store.counts().await?;
    let sum = |wanted: &[&str]| -> i64 {
        counts.iter().filter(|(_, _, outlook, _)| wanted.contains(&outlook.as_str())).map(|(_, _, _, n)| n).sum()
    };
    Ok(Reply::json(
        200,
        &json!({
            "version": env!("CARGO_PKG_VERSION"), "person": call.request.person, "language": lang.tag(),
            "flow": core.settings().flow, "sandbox": core.sandbox, "remotes": health::read(core, lang).await,
            "attention": sum(&["failed", "unknown"]), "in_flight": sum(&["running", "waiting"]), "time": time(core.now()),
        }),
    ))
}
