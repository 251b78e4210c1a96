//! Submitting, previewing and applying again.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    documents::kinds::Kind,
    engine::{Core, Engine},
    flow::Status,
    say,
    submit::{self, Ask, Refused, Rendered},
    words::{Lang, Sentence},
};

use super::{Answer, Call, Problem, Reply, look};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    kind: String,
    fields: Value,
    #[serde(default)]
    idempotency_key: Option<String>,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Again {
    #[serde(default)]
    fields: Option<Value>,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

/// The longest idempotency key, in bytes.
const LONGEST_KEY: usize = 255;

pub(super) async fn submit(engine: Engine, call: Call) -> Answer {
    let body: Body = call.body()?;
    if call.query("dry_run") == Some("true") {
        return preview(&engine.core, &body, call.request.lang).await;
    }
    if body.idempotency_key.as_ref().is_some_and(|key| key.is_empty() || key.len() > LONGEST_KEY) {
        return Err(Problem::unprocessable(format!("idempotency_key must have 1 to {LONGEST_KEY} bytes.")));
    }
    let ask = Ask {
        kind: body.kind,
        fields: body.fields,
        idempotency_key: body.idempotency_key,
        comment: body.comment.filter(|comment| !comment.trim().is_empty()),
        person: call.request.person.clone(),
        instead_of: None,
    };
    Ok(accepted(&submit::submit(&engine.core, ask).await?))
}

fn accepted(operation_id: &str) -> Reply {
    let url = format!("/api/v1/operations/{operation_id}");
    Reply::json(202, &json!({"operation_id": operation_id, "status_url": url})).header("location", url)
}

async fn preview(core: &Arc<Core>, body: &Body, lang: Lang) -> Answer {
    let kind = submit::kind_of(core, &body.kind)?;
    let rendered = submit::render(core, &kind, &body.fields, "preview").await?;
    let files: Vec<_> = submit::rendered_files(&rendered.files)
        .into_iter()
        .map(|file| {
            json!({"path": file.path, "action": file.action, "before": file.before, "after": file.after, "diff": file.diff})
        })
        .collect();
    let warnings: Vec<_> = rendered.warning.iter().map(|warning| warning.render(lang)).collect();
    Ok(Reply::json(
        200,
        &json!({
            "subject_id": rendered.relation.subject_id, "target_key": rendered.relation.target_key,
            "files": files, "warnings": warnings, "relation": relation(core, &kind, &rendered, lang).await?,
        }),
    ))
}

/// Who holds the relation, and whether it may be applied for.
async fn relation(core: &Core, kind: &Kind, rendered: &Rendered, lang: Lang) -> Result<Value, Problem> {
    let held = core.store.owner_of(&rendered.relation.subject_id, &rendered.relation.target_key).await?;
    let (state, sentence, id): (&str, Sentence, Option<String>) = match held {
        None => ("free", say!("relation.free"), None),
        Some(owner) if owner.status.reappliable(kind.repeatable) => {
            ("reappliable", say!("relation.reappliable", status = owner.status.word()), Some(owner.operation_id))
        }
        Some(owner) if owner.status == Status::Validated => {
            ("validated", say!("relation.validated"), Some(owner.operation_id))
        }
        Some(owner) => (
            "busy",
            say!("relation.busy", status = owner.status.word(), who = owner.requested_by),
            Some(owner.operation_id),
        ),
    };
    Ok(json!({"state": state, "operation_id": id, "sentence": sentence.render(lang)}))
}

pub(super) async fn reapply(engine: Engine, call: Call) -> Answer {
    let operation = look::found(&engine, call.part("id")).await?;
    let body: Again = call.body()?;
    let core = &engine.core;
    let kind = submit::kind_of(core, &operation.kind)?;
    if !operation.owner {
        let owner = core.store.owner_of(&operation.subject_id, &operation.target_key).await?;
        return Err(Refused::Busy(owner.map_or(operation.operation_id, |owner| owner.operation_id)).into());
    }
    if !operation.status.reappliable(kind.repeatable) {
        return Err(match operation.status {
            Status::Validated => Refused::NotReappliable(operation.operation_id).into(),
            _ => Refused::Busy(operation.operation_id).into(),
        });
    }
    let fields = body.fields.unwrap_or_else(|| operation.fields.clone());
    if kind.check_fields(&fields).is_empty() {
        let relation = kind.relation(&fields).map_err(|error| Problem::unprocessable(error.to_string()))?;
        if (relation.subject_id.as_str(), relation.target_key.as_str())
            != (operation.subject_id.as_str(), operation.target_key.as_str())
        {
            return Err(Problem::unprocessable(say!("edit.other_relation")));
        }
    }
    let ask = Ask {
        kind: operation.kind,
        fields,
        idempotency_key: None,
        comment: body.comment.filter(|comment| !comment.trim().is_empty()),
        person: call.request.person.clone(),
        instead_of: Some(operation.operation_id),
    };
    Ok(accepted(&submit::submit(core, ask).await?))
}
