//! The buttons: shown with their consequence, and pressed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    engine::Engine,
    reconcile,
    recovery::{
        self, Action, Pressed,
        plan::{self, PlannedCall},
        remotes::{self, RemoteReading},
    },
    store::operation::Operation,
};

use super::{Answer, Call, Problem, Reply, look, time, types::view};

/// A button with its consequence.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct ActionView {
    /// Its word.
    pub action: &'static str,
    /// May it be pressed?
    pub allowed: bool,
    /// Why not.
    pub reason: Option<String>,
    /// What would happen.
    pub consequence: Option<String>,
    /// The calls that would be made, in order.
    pub plan: Vec<PlannedCall>,
}

/// All buttons, beside what the remotes say now and what we believed.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct ActionsView {
    /// When the remotes were read.
    pub observed_at: String,
    /// The version that these plans are for.
    #[ts(type = "number")]
    pub version: i64,
    /// What they say.
    pub remote: RemoteReading,
    /// What we believed.
    pub believed: BelievedView,
    /// The buttons.
    pub actions: Vec<ActionView>,
}

/// What the engine believed before it read again.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct BelievedView {
    /// When that was read.
    pub at: Option<String>,
    /// State of the merge request.
    pub mr_state: Option<String>,
    /// Its head.
    pub head_sha: Option<String>,
    /// Newest pipeline of the head.
    #[ts(type = "{ id: string; status: string; web_url: string } | null")]
    pub pipeline: Option<Value>,
    /// Who had approved.
    pub approved_by: Vec<String>,
    /// The ticket.
    #[ts(type = "{ id: string; state: string | null } | null")]
    pub ticket: Option<Value>,
}

fn believed(operation: &Operation) -> BelievedView {
    let facts = &operation.facts;
    BelievedView {
        at: facts.believed.at.map(time),
        mr_state: facts.believed.mr_state.clone(),
        head_sha: facts.head.clone(),
        pipeline: facts
            .pipeline
            .as_ref()
            .map(|p| json!({"id": p.id.to_string(), "status": p.status, "web_url": p.web_url})),
        approved_by: facts.believed.approved_by.clone(),
        ticket: facts.ticket.as_ref().map(|ticket| json!({"id": ticket.id, "state": ticket.state})),
    }
}

pub(super) async fn actions(engine: Engine, call: Call) -> Answer {
    let operation = look::found(&engine, call.part("id")).await?;
    let lang = call.request.lang;
    let remote = remotes::read(&engine.core, &operation, lang).await;
    let approve_api = engine.core.settings().flow.approve_api;
    let actions = Action::ALL
        .into_iter()
        .map(|action| match recovery::legal(&operation, action) {
            Ok(to) => ActionView {
                action: action.word(),
                allowed: true,
                reason: None,
                consequence: Some(recovery::consequence(&operation, action, to).render(lang)),
                plan: plan::calls(&operation, action, to, &remote, approve_api, lang),
            },
            Err(reason) => ActionView {
                action: action.word(),
                allowed: false,
                reason: Some(reason.render(lang)),
                consequence: None,
                plan: Vec::new(),
            },
        })
        .collect();
    let observed_at = time(engine.core.now());
    let believed = believed(&operation);
    Ok(Reply::json(200, &ActionsView { observed_at, version: operation.version, remote, believed, actions }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Press {
    expected_version: i64,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

pub(super) async fn press(engine: Engine, call: Call) -> Answer {
    let operation = look::found(&engine, call.part("id")).await?;
    let word = call.part("action");
    let Some(action) = Action::from_word(word) else {
        let known: Vec<_> = Action::ALL.into_iter().map(Action::word).collect();
        let detail = format!("There is no action {word:?}; there are {}.", known.join(", "));
        return Err(Problem::new(404, "not-found", "No such action").detail(detail));
    };
    let body: Press = call.body()?;
    let (core, lang) = (&engine.core, call.request.lang);
    let person = &call.request.person;
    match recovery::press(core, &operation, action, body.expected_version, person, body.comment).await? {
        Pressed::Accepted => {
            let operation = look::found(&engine, &operation.operation_id).await?;
            let usual = core.store.usual_stays().await?;
            Ok(Reply::json(202, &view(core, &operation, &usual, lang)))
        }
        Pressed::Illegal(reason) => {
            let reason = reason.render(lang);
            Err(Problem::new(422, "illegal", "Not possible now").detail(reason.clone()).with("reason", reason))
        }
        Pressed::Stale => Err(stale(&engine, &operation.operation_id).await?),
    }
}

/// 409 that says who was first, with what, and which version is current.
pub(super) async fn stale(engine: &Engine, id: &str) -> Result<Problem, Problem> {
    let operation = look::found(engine, id).await?;
    let last = engine.core.store.last_change(id).await?;
    Ok(Problem::stale(operation.version, last.as_ref()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

pub(super) async fn reconcile(engine: Engine, call: Call) -> Answer {
    let body: Sweep = call.body()?;
    Ok(Reply::json(200, &reconcile::sweep(&engine.core, body.dry_run).await?))
}
