//! What belongs to no single request: kinds, workflows, status.

use serde_json::{Value, json};

use crate::{
    documents::kinds::{Checks, Kind},
    engine::Engine,
    flow::chart,
    health,
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
        other => Err(Problem::unprocessable(format!("There is no format {other:?}; there are json, mermaid and dot."))),
    }
}

pub(super) async fn status(engine: Engine, call: Call) -> Answer {
    let core = &engine.core;
    let lang = call.request.lang;
    let counts = core.store.counts().await?;
    let recovery = core.store.stuck_causes().await? + core.store.following().await?.given_over;
    let sum = |wanted: &[&str]| -> i64 {
        counts.iter().filter(|(_, _, outlook, _)| wanted.contains(&outlook.as_str())).map(|(_, _, _, n)| n).sum()
    };
    Ok(Reply::json(
        200,
        &json!({
            "version": env!("CARGO_PKG_VERSION"), "person": call.request.person, "language": lang.tag(),
            "flow": core.settings().flow, "sandbox": core.sandbox, "remotes": health::read(core, lang).await,
            "attention": sum(&["failed", "unknown"]), "in_flight": sum(&["running", "waiting"]),
            "recovery": recovery, "time": time(core.now()),
        }),
    ))
}
