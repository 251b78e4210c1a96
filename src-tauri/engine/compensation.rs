//! Replay of work that must follow a move: taken by one; tries left? done already? run; count; give up visibly.

use std::{sync::Arc, time::Duration};

use tracing::{info, warn};

mod late;

use crate::{
    engine::Core,
    ports::{
        error::{ErrorClass, RemoteError},
        forge::MrState,
        journal::Scope,
    },
    run::{caught, commit::millis},
    stages::outcome::backoff,
    store::{
        StoreResult,
        calls::OperationJournal,
        compensations::{Asker, CLOSE_LATE, Compensation, Tried},
    },
};

/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// How long a try may take before somebody else may begin one: several calls, each with its own limit.
const LEASE: Duration = Duration::from_secs(180);

/// Tries every record that is due.
pub async fn replay_due(core: &Arc<Core>) -> StoreResult<()> {
    for record in core.store.due_compensations(core.now()).await? {
        replay(core, &record.code, Asker::Clock).await?;
    }
    Ok(())
}

/// One try of a record (workflow.md, section 8). False where it has ended, or somebody else is trying it.
pub async fn replay(core: &Arc<Core>, code: &str, asker: Asker) -> StoreResult<bool> {
    let now = core.now();
    if !core.store.take_compensation(code, asker, now, now + millis(LEASE)).await? {
        return Ok(false);
    }
    if let Some(record) = core.store.compensation(code).await? {
        attempt(core, &record).await?;
    }
    if asker == Asker::Person {
        core.timers.notify_one();
    }
    Ok(true)
}

async fn attempt(core: &Arc<Core>, record: &Compensation) -> StoreResult<()> {
    let is_late = record.kind == CLOSE_LATE;
    let tried =
        caught(async { if is_late { close_late(core, record).await } else { close_rejected(core, record).await } });
    match tried.await.unwrap_or_else(|| Err(failure(ErrorClass::Terminal, "a bug ended this try".into()))) {
        Ok("none") if is_late && let Some(pause) = late::next_look(record, core.now()) => {
            let tried = Tried {
                status: "WAIT_COMPENSATE",
                effect: "none",
                error: None,
                due_at: Some(core.now() + millis(pause)),
                counts: true,
            };
            core.store.tried(&record.code, tried, core.now()).await.map(drop)
        }
        Ok(effect) => {
            info!(code = %record.code, effect, "compensated");
            end(core, record, if effect == "none" { "IGNORED" } else { "SUCCESS" }, effect, None).await
        }
        Err(error) if error.class == ErrorClass::Terminal || error.class == ErrorClass::Auth => {
            warn!(code = %record.code, %error, "a compensation failed for good");
            end(core, record, "FINAL_FAIL", "unknown", Some(&error)).await
        }
        Err(error) if record.retry_count + 1 >= record.max_retries => {
            warn!(code = %record.code, %error, "a compensation failed for the last time; a person must look");
            end(core, record, "FINAL_FAIL", "unknown", Some(&error)).await
        }
        Err(error) => {
            let tries = u32::try_from(record.retry_count + 1).unwrap_or(u32::MAX);
            let pause =
                backoff(Duration::from_secs(1), tries).min(LONGEST_PAUSE).max(error.retry_after.unwrap_or_default());
            let tried = Tried {
                status: "WAIT_COMPENSATE",
                effect: "unknown",
                error: Some((error.class.word().into(), error.to_string())),
                due_at: Some(core.now() + millis(pause)),
                counts: true,
            };
            core.store.tried(&record.code, tried, core.now()).await.map(drop)
        }
    }
}

async fn end(
    core: &Arc<Core>,
    record: &Compensation,
    status: &'static str,
    effect: &str,
    error: Option<&RemoteError>,
) -> StoreResult<()> {
    let effect = match effect {
        "none" => "none",
        "applied" => "applied",
        _ => "unknown",
    };
    let counts = error.is_some();
    let error = error.map(|error| (error.class.word().to_owned(), error.to_string()));
    let tried = Tried { status, effect, error, due_at: None, counts };
    core.store.tried(&record.code, tried, core.now()).await.map(drop)
}

/// Closes the merge request of a rejected request.
async fn close_rejected(core: &Arc<Core>, record: &Compensation) -> Result<&'static str, RemoteError> {
    let project = record.content.get("project").and_then(|project| project.as_str()).ok_or_else(unreadable)?;
    let iid = record.content.get("iid").and_then(serde_json::Value::as_u64).ok_or_else(unreadable)?;
    let operation = core.store.operation(&record.operation_id).await.ok().flatten();
    let scope = scope(core, record, operation.map_or(0, |operation| operation.version));
    close_merge_request(core, &scope, project, iid).await
}

/// Ends what a call that got no answer made after its request had ended.
async fn close_late(core: &Arc<Core>, record: &Compensation) -> Result<&'static str, RemoteError> {
    let operation = core.store.operation(&record.operation_id).await.ok().flatten().ok_or_else(unreadable)?;
    late::close(core, &scope(core, record, operation.version), &operation).await
}

fn scope(core: &Arc<Core>, record: &Compensation, version: i64) -> Scope {
    let (store, clock) = (core.store.clone(), core.clock.clone());
    Scope::new(Arc::new(OperationJournal::unfenced(store, clock, &record.operation_id, version)))
}

fn unreadable() -> RemoteError {
    failure(ErrorClass::Terminal, "the record does not say which merge request".into())
}

/// Closes a merge request and reads it back; `none` where somebody closed or merged it before.
async fn close_merge_request(
    core: &Arc<Core>,
    scope: &Scope,
    project: &str,
    iid: u64,
) -> Result<&'static str, RemoteError> {
    let state = |mr: Option<crate::ports::forge::MergeRequest>| mr.map(|mr| mr.state);
    match state(core.forge.merge_request(scope, project, iid).await?) {
        Some(MrState::Opened) => core.forge.close(scope, project, iid).await?,
        Some(MrState::Locked | MrState::Other(_)) => return Err(still_open(iid)),
        Some(MrState::Closed | MrState::Merged) => return Ok("none"),
        // One 404 ends nothing: a replica may lag behind.
        None => return Err(failure(ErrorClass::Retryable, format!("GitLab did not show !{iid}"))),
    }
    match state(core.forge.merge_request(scope, project, iid).await?) {
        Some(MrState::Closed) => Ok("applied"),
        _ => Err(still_open(iid)),
    }
}

fn still_open(iid: u64) -> RemoteError {
    failure(ErrorClass::Retryable, format!("!{iid} is not closed yet"))
}

/// A failure that is our own finding and not GitLab's answer.
fn failure(class: ErrorClass, message: String) -> RemoteError {
    RemoteError {
        class,
        remote: "gitlab",
        account: String::new(),
        status: None,
        message,
        retry_after: None,
        body: None,
    }
}
