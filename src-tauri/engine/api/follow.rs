//! Work that follows from a request and may be retried: shown with what a person may do about it, tried, given up.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    compensation,
    documents::kinds::FieldError,
    engine::Engine,
    say,
    store::compensations::{Asker, CLOSE_LATE, CLOSE_MR, Compensation, GivenUp},
    words::{Lang, Sentence},
};

use super::{Answer, Call, Problem, Reply, time, types::StepView};

/// Records of an answer at most; those that have not ended come first.
const MOST: u32 = 500;

/// What a person may do about a record.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct FollowAction {
    /// `replay` or `ignore`.
    pub action: &'static str,
    /// May it be pressed?
    pub allowed: bool,
    /// Why not.
    pub reason: Option<String>,
    /// What would happen.
    pub consequence: Option<String>,
}

/// Work that follows from a request (workflow.md, section 8).
#[derive(Debug, Serialize, ts_rs::TS)]
#[allow(missing_docs, reason = "the names are the columns', which the migration explains")]
pub struct CompensationView {
    pub code: String,
    pub kind: String,
    pub operation_id: String,
    pub subject_id: String,
    pub target_key: String,
    pub step: StepView,
    /// Why there is this work.
    pub sentence: String,
    pub idempotency_key: String,
    #[ts(type = "number")]
    pub retry_count: i64,
    #[ts(type = "number")]
    pub max_retries: i64,
    pub error_class: Option<String>,
    pub error_message: Option<String>,
    /// `none`, `applied` or `unknown`.
    #[ts(type = "\"none\" | \"applied\" | \"unknown\"")]
    pub effect: String,
    /// One of the seven words of the specification.
    #[ts(
        type = "\"INIT\" | \"PROCESSING\" | \"SUCCESS\" | \"FAIL\" | \"WAIT_COMPENSATE\" | \"IGNORED\" | \"FINAL_FAIL\""
    )]
    pub status: String,
    #[ts(type = "JsonValue")]
    pub content: Value,
    /// Why it was given up, in the person's words.
    pub reason: Option<String>,
    /// Who gave it up.
    pub given_up_by: Option<String>,
    pub next_try_at: Option<String>,
    pub created_at: String,
    pub updated_at: String,
    /// What a person may do about it.
    pub actions: Vec<FollowAction>,
}

/// Records of work that follows.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct CompensationsView {
    /// Those that have not ended first, then the newest; 500 at most.
    pub items: Vec<CompensationView>,
    /// How many have not ended.
    #[ts(type = "number")]
    pub open: i64,
    /// How many of them nobody tries any more unless a person does.
    #[ts(type = "number")]
    pub given_over: i64,
    /// How many have ended.
    #[ts(type = "number")]
    pub ended: i64,
}

fn text<'a>(record: &'a Compensation, name: &str) -> &'a str {
    record.content.get(name).and_then(Value::as_str).unwrap_or("?")
}

fn iid(record: &Compensation) -> u64 {
    record.content.get("iid").and_then(Value::as_u64).unwrap_or_default()
}

/// Why there is this work.
fn why(record: &Compensation) -> Sentence {
    match record.kind.as_str() {
        CLOSE_MR => say!("follow.close_mr", iid = iid(record), project = text(record, "project")),
        CLOSE_LATE => say!("follow.close_late"),
        other => say!("follow.other", kind = other),
    }
}

/// What stands against pressing a button now.
fn refusal(record: &Compensation, now: i64) -> Option<Sentence> {
    match record.status.as_str() {
        "SUCCESS" => Some(say!("follow.done")),
        "IGNORED" => Some(match &record.given_up {
            Some(given_up) => {
                say!("follow.given_up", who = given_up.person.clone(), why = given_up.reason.clone())
            }
            None => say!("follow.nothing_left"),
        }),
        "PROCESSING" if record.due_at.is_some_and(|until| until > now) => Some(say!("follow.busy")),
        _ => None,
    }
}

fn consequence(record: &Compensation, action: &str) -> Sentence {
    match (action, record.kind.as_str()) {
        ("replay", CLOSE_MR) => say!("follow.replay_close_mr", iid = iid(record), project = text(record, "project")),
        ("replay", CLOSE_LATE) => say!("follow.replay_close_late"),
        ("replay", _) => say!("follow.replay_other"),
        (_, CLOSE_MR) => say!("follow.ignore_close_mr", iid = iid(record)),
        _ => say!("follow.ignore"),
    }
}

fn view(record: &Compensation, now: i64, lang: Lang) -> CompensationView {
    let refused = refusal(record, now).map(|reason| reason.render(lang));
    let action = |action: &'static str| FollowAction {
        action,
        allowed: refused.is_none(),
        reason: refused.clone(),
        consequence: refused.is_none().then(|| consequence(record, action).render(lang)),
    };
    CompensationView {
        code: record.code.clone(),
        kind: record.kind.clone(),
        operation_id: record.operation_id.clone(),
        subject_id: record.subject_id.clone(),
        target_key: record.target_key.clone(),
        step: StepView::of(record.step),
        sentence: why(record).render(lang),
        idempotency_key: record.idempotency_key.clone(),
        retry_count: record.retry_count,
        max_retries: record.max_retries,
        error_class: record.error_class.clone(),
        error_message: record.error_message.clone(),
        effect: record.effect.clone(),
        status: record.status.clone(),
        content: record.content.clone(),
        reason: record.given_up.as_ref().map(|given_up| given_up.reason.clone()),
        given_up_by: record.given_up.as_ref().map(|given_up| given_up.person.clone()),
        next_try_at: record.due_at.filter(|_| record.status != "PROCESSING").map(time),
        created_at: time(record.created_at),
        updated_at: time(record.updated_at),
        actions: ["replay", "ignore"].map(action).into(),
    }
}

pub(super) async fn list(engine: Engine, call: Call) -> Answer {
    let store = &engine.core.store;
    let ended_too = call.query("ended") != Some("false");
    let now = engine.core.now();
    let items = store.compensations(ended_too, MOST).await?;
    let count = store.following().await?;
    let items = items.iter().map(|record| view(record, now, call.request.lang)).collect();
    let all = CompensationsView { items, open: count.open, given_over: count.given_over, ended: count.ended };
    Ok(Reply::json(200, &all))
}

async fn record(engine: &Engine, code: &str) -> Result<Compensation, Problem> {
    engine.core.store.compensation(code).await?.ok_or_else(|| {
        Problem::new(404, "not-found", "No such record").detail(format!("There is no compensation {code:?}."))
    })
}

/// The sentence of a refusal, as the list shows it.
async fn refused(engine: &Engine, code: &str, lang: Lang) -> Problem {
    let found = match record(engine, code).await {
        Ok(found) => found,
        Err(problem) => return problem,
    };
    let reason = refusal(&found, engine.core.now()).unwrap_or_else(|| say!("follow.busy")).render(lang);
    Problem::new(422, "illegal", "Not possible now").detail(reason.clone()).with("reason", reason)
}

async fn shown(engine: &Engine, code: &str, lang: Lang) -> Answer {
    Ok(Reply::json(200, &view(&record(engine, code).await?, engine.core.now(), lang)))
}

pub(super) async fn replay(engine: Engine, call: Call) -> Answer {
    let (code, lang) = (record(&engine, call.part("code")).await?.code, call.request.lang);
    if !compensation::replay(&engine.core, &code, Asker::Person).await? {
        return Err(refused(&engine, &code, lang).await);
    }
    shown(&engine, &code, lang).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ignore {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    #[allow(dead_code, reason = "callers may keep their own things here; we keep nothing of them")]
    ext: Option<Value>,
}

pub(super) async fn ignore(engine: Engine, call: Call) -> Answer {
    let (code, lang) = (record(&engine, call.part("code")).await?.code, call.request.lang);
    let body: Ignore = call.body()?;
    let reason = body.reason.trim();
    if reason.is_empty() {
        let message = say!("follow.no_reason");
        return Err(Problem::fields(vec![FieldError { path: "/reason".into(), message }]));
    }
    let given_up = GivenUp { person: call.request.person.clone(), reason: reason.to_owned() };
    if !engine.core.store.ignore_compensation(&code, &given_up, engine.core.now()).await? {
        return Err(refused(&engine, &code, lang).await);
    }
    shown(&engine, &code, lang).await
}
