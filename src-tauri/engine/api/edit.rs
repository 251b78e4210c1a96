//! Editing fields, and turning switches.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    documents::field_diff,
    engine::{Core, Engine},
    flow::Step,
    say,
    settings::{Flow, Settings},
    store::{StoreResult, operation::Operation},
    submit,
    words::Sentence,
};

use super::{Answer, Call, Problem, Reply, act, look, time, types::view};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    expected_version: i64,
    fields: Value,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

/// Why the fields of a request cannot be edited; None where it was rejected, or failed before anything of it left. A ticket
/// that was approved, or a commit that was made, shows the fields as they were: others must not go on in their name.
async fn refusal(core: &Core, operation: &Operation) -> StoreResult<Option<Sentence>> {
    let failed_early = match operation.step {
        Step::ApprovalRejected | Step::ApprovalWithdrawn => return Ok(None),
        Step::CreateFailed | Step::CreateConflict | Step::CreateOverloaded | Step::ApprovalSendFailed => true,
        _ => false,
    };
    if !failed_early || operation.has_mr() {
        return Ok(Some(say!("edit.not_here", step = operation.step.to_string())));
    }
    let written = core.store.has_written(&operation.operation_id).await?;
    Ok(written.then(|| say!("edit.left_already")))
}

pub(super) async fn fields(engine: Engine, call: Call) -> Answer {
    let operation = look::found(&engine, call.part("id")).await?;
    let body: Edit = call.body()?;
    let (core, lang) = (&engine.core, call.request.lang);
    if operation.version != body.expected_version {
        return Err(act::stale(&engine, &operation.operation_id).await?);
    }
    if let Some(reason) = refusal(core, &operation).await? {
        let reason = reason.render(lang);
        return Err(Problem::new(422, "illegal", "Not possible now").detail(reason.clone()).with("reason", reason));
    }
    let kind = submit::kind_of(core, &operation.kind)?;
    let rendered = submit::render(core, &kind, &body.fields, &operation.operation_id).await?;
    let relation = (&rendered.relation.subject_id, &rendered.relation.target_key);
    if relation != (&operation.subject_id, &operation.target_key) {
        return Err(Problem::unprocessable(say!("edit.other_relation")));
    }
    let changes = field_diff::diff(&operation.fields, &body.fields, Some(&kind.schema));
    let mut edited = operation.clone();
    edited.facts.observed = rendered.observed;
    let files = submit::rendered_files(&rendered.files);
    let person = call.request.person.clone();
    let kept =
        core.store.edit_fields(&edited, body.fields, json!(changes), files, &person, body.comment, core.now()).await?;
    if !kept {
        return Err(act::stale(&engine, &operation.operation_id).await?);
    }
    core.wake();
    let operation = look::found(&engine, &operation.operation_id).await?;
    let usual = core.store.usual_stays().await?;
    Ok(Reply::json(200, &view(core, &operation, &usual, lang)))
}

/// Settings as JSON. A secret that is a reference shows where it lives; a literal one is masked.
fn shown(settings: &Settings) -> Value {
    let mut value = json!(settings);
    mask(&mut value);
    value
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let secret = key.contains("token") || key.contains("secret") || key.contains("password");
                match value {
                    Value::String(text) if secret => *text = masked(text),
                    Value::Array(items) if secret && items.iter().all(Value::is_string) => {
                        for item in items {
                            *item = masked(item.as_str().unwrap_or_default()).into();
                        }
                    }
                    other => mask(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        _ => {}
    }
}

fn masked(text: &str) -> String {
    let named = ["env:", "file:", "keyring:"].iter().any(|prefix| text.starts_with(prefix));
    if named { text.to_owned() } else { "***".into() }
}

pub(super) async fn settings(engine: Engine, call: Call) -> Answer {
    let mut value = shown(&engine.core.settings());
    let changes: Vec<_> = engine
        .core
        .store
        .switch_changes(50)
        .await?
        .into_iter()
        .map(|(at, who, changes)| json!({"at": time(at), "actor": {"kind": "operator", "name": who}, "changes": changes}))
        .collect();
    value["changes"] = changes.into();
    drop(call);
    Ok(Reply::json(200, &value))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    flow: Value,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

pub(super) async fn turn(engine: Engine, call: Call) -> Answer {
    let body: Turn = call.body()?;
    let core = &engine.core;
    let before = core.settings();
    let mut flow = json!(before.flow);
    let Value::Object(parts) = body.flow else { return Err(Problem::unprocessable("flow is an object of switches.")) };
    for (name, value) in parts {
        flow[name] = value;
    }
    let flow: Flow = serde_json::from_value(flow)
        .map_err(|error| Problem::unprocessable(format!("These switches cannot be turned so: {error}.")))?;
    let changes = field_diff::diff(&json!({"flow": before.flow}), &json!({"flow": flow}), None);
    if !changes.is_empty() {
        let person = &call.request.person;
        core.store.turn_switches(vec![("flow", json!(flow))], json!(changes), person, core.now()).await?;
        core.settings.rcu(|settings| {
            let mut changed = Settings::clone(settings);
            changed.flow = flow;
            Arc::new(changed)
        });
        tracing::info!(person, order = flow.order.word(), "switches turned");
    }
    settings(engine, call).await
}
