//! The control API: JSON in and out, for tests and scripts.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value, json};

use crate::accounts::place;
use crate::acts;
use crate::clock::{iso, now};
use crate::desk::{Decision, decide};
use crate::forge::{facts, snapshot};
use crate::state::{Deployed, MrState};
use crate::world::World;

/// Everything the panel shows.
pub(super) async fn state(State(world): State<Arc<World>>) -> Json<Value> {
    let now = now();
    let mut merge_requests = Vec::new();
    for (project, iid) in unfinished(&world) {
        let Some(shot) = snapshot(&world, project, iid) else { continue };
        let why = match facts(&world, &shot).await {
            Ok(facts) => shot.blocker(&facts, true).unwrap_or("mergeable"),
            Err(_) => "unknown",
        };
        let approved_by: Vec<&str> = shot.mr.approvals.iter().map(|approval| approval.user.as_str()).collect();
        merge_requests.push(json!({
            "project": place(project).path, "project_id": project, "iid": iid, "title": shot.mr.title, "state": shot.mr.state.word(),
            "source_branch": shot.mr.source, "target_branch": shot.mr.target, "sha": shot.mr.head, "status": why,
            "approved_by": approved_by, "deployed": shot.mr.deployed.map(Deployed::word),
            "pipeline": shot.head_pipeline().map(|found| json!({ "id": found.id, "status": found.status(now) })),
        }));
    }
    let urls = world.urls();
    let (switches, counters, tickets, callbacks, origin) = world.read(|state| {
        let tickets: Vec<Value> = state
            .tickets
            .values()
            .rev()
            .map(|ticket| {
                json!({
                    "approval_id": ticket.approval_id(), "request_id": ticket.request_id, "title": ticket.title,
                    "operation_id": ticket.operation_id, "state": ticket.state.word(), "created_at": iso(ticket.created),
                })
            })
            .collect();
        let callbacks = state.jobs.values().filter(|job| matches!(job.work, crate::state::Work::Send { .. })).count();
        (world.switches.view(state), state.happened.clone(), tickets, callbacks, state.callback_origin.clone())
    });
    Json(json!({
        "urls": { "gitlab": urls.gitlab, "desk": urls.desk, "panel": urls.panel },
        "callback_base": crate::callbacks::base(&world).or(origin), "callbacks_under_way": callbacks,
        "switches": switches, "counters": counters, "merge_requests": merge_requests, "tickets": tickets,
    }))
}

/// So many merge requests are shown.
const SHOWN: usize = 20;

/// The merge requests of both projects that need something, a deploy that failed included: open ones first, each newest first.
pub(super) fn unfinished(world: &World) -> Vec<(u64, u64)> {
    let mut open: Vec<(bool, i64, u64, u64)> = world.read(|state| {
        let all =
            state.projects.iter().flat_map(|(id, project)| project.merge_requests.values().map(move |mr| (*id, mr)));
        all.filter(|(_, mr)| mr.state != MrState::Merged || mr.deployed == Some(Deployed::Failed))
            .map(|(project, mr)| (mr.state == MrState::Opened, mr.updated, project, mr.iid))
            .collect()
    });
    open.sort_unstable();
    open.into_iter().rev().take(SHOWN).map(|(_, _, project, iid)| (project, iid)).collect()
}

pub(super) async fn log(State(world): State<Arc<World>>) -> Json<Value> {
    Json(json!({ "items": world.journal.lines() }))
}

/// Sets all switches of the body or none.
pub(super) async fn switches(State(world): State<Arc<World>>, body: Bytes) -> Response {
    let given: Map<String, Value> = match serde_json::from_slice(&body) {
        Ok(given) => given,
        Err(_) => {
            let message = "The body is not a JSON object of switches and values.";
            return (StatusCode::BAD_REQUEST, Json(json!({ "message": message }))).into_response();
        }
    };
    let errors: Vec<Value> = world.write(|state| {
        let before = state.switches.clone();
        let set = |(key, value): (&String, &Value)| {
            world.switches.set(state, key, value).err().map(|error| (key.clone(), error))
        };
        let errors: Vec<_> = given.iter().filter_map(set).collect();
        if !errors.is_empty() {
            state.switches = before;
        }
        errors.into_iter().map(|(key, error)| json!({ "key": key, "message": error.to_string() })).collect()
    });
    if errors.is_empty() {
        let view = world.read(|state| world.switches.view(state));
        return Json(json!({ "switches": view })).into_response();
    }
    (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({ "errors": errors }))).into_response()
}

pub(super) async fn reset(State(world): State<Arc<World>>) -> Json<Value> {
    let view = world.write(|state| {
        world.switches.reset_faults(state);
        world.switches.view(state)
    });
    Json(json!({ "switches": view }))
}

fn told(outcome: Result<String, String>) -> Response {
    match outcome {
        Ok(sentence) => Json(json!({ "message": sentence })).into_response(),
        Err(sentence) => (StatusCode::CONFLICT, Json(json!({ "message": sentence }))).into_response(),
    }
}

pub(super) async fn merge_request(
    State(world): State<Arc<World>>,
    Path((project, iid, act)): Path<(u64, u64, String)>,
) -> Response {
    told(acts::on_merge_request(&world, project, iid, &act).await)
}

pub(super) async fn pipelines(
    State(world): State<Arc<World>>,
    Path((which, word)): Path<(String, String)>,
) -> Response {
    told(acts::on_pipelines(&world, &which, &word))
}

/// Body: `{actor?, reason?}`.
pub(super) async fn ticket(
    State(world): State<Arc<World>>,
    Path((id, word)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let given: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let Some(decision) = Decision::read(&word) else {
        return told(Err(format!("`{word}` is not one of approve, reject, withdraw.")));
    };
    let actor = given["actor"].as_str().unwrap_or("hanna");
    let decided = decide(&world, &id, decision, actor, given["reason"].as_str().unwrap_or_default());
    told(decided.map(|ticket| format!("{} is {}.", ticket.approval_id(), ticket.state.word())))
}
