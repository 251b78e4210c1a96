//! 10107: asks for a rebase once, waits for it, and adopts the new head only where it is our commit again.

use crate::{
    flow::{Actor, ActorKind, Event},
    ports::{
        error::{ErrorClass, RemoteResult},
        forge::{MergeRequest, MrState},
    },
    say,
    stages::{
        Advance, Bench, Outcome,
        outcome::told,
        remote::{self, is_ours, project_of},
    },
    store::operation::{Facts, Operation},
    words::{Sentence, short},
};

/// Looks of patience before a rebase that left no trace is asked for again: its job may have died.
const PATIENCE: u32 = 8;

/// One look.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    match look(bench, operation, &mut facts).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let mut passing = error.clone();
            if error.class != ErrorClass::Superseded {
                passing.class = ErrorClass::Retryable;
            }
            let message = told(&error);
            match Outcome::stumble(operation, &bench.rebase_ladder(), facts, &passing, unknown) {
                Outcome::Pause(mut pause) => {
                    pause.error = Some((error.class, message));
                    Outcome::Pause(pause)
                }
                other => other,
            }
        }
    }
}

async fn look(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Outcome> {
    let Some(iid) = facts.mr.as_ref().map(|mr| mr.iid) else {
        return Ok(wait(bench, operation, facts, say!("rebase.unknown")));
    };
    let Some(mr) = bench.forge.merge_request_behind(&bench.scope, &project_of(facts), iid).await? else {
        return Ok(wait(bench, operation, facts, say!("merge.absent", iid = iid)));
    };
    remote::believe(bench, facts, &mr);
    let rebase = facts.rebase.clone().unwrap_or_default();
    match mr.state {
        MrState::Merged => return Ok(remote::merged(bench, operation, facts, &mr).await),
        MrState::Closed => return Ok(remote::closed(bench, facts, &mr).await),
        _ => {}
    }
    if mr.target_branch != facts.target_branch {
        let reason =
            say!("mr.retargeted", iid = mr.iid, wanted = facts.target_branch.clone(), found = mr.target_branch.clone());
        return Ok(head_moved(facts, reason).into());
    }
    if mr.rebase_in_progress {
        return Ok(wait(
            bench,
            operation,
            facts,
            say!("rebase.running", iid = mr.iid, target = mr.target_branch.clone()),
        ));
    }
    let asked = bench.asked.writes("/rebase").await.sent;
    match &mr.head_sha {
        Some(head) if *head != rebase.from => adopt(bench, operation, facts, &mr, head).await,
        _ if asked > 0 && mr.merge_error.is_some() && mr.merge_error != rebase.error_before => {
            Ok(conflict(facts, &mr).into())
        }
        _ if asked > 0 && mr.behind == Some(0) => Ok(rebased(facts, say!("rebase.not_needed", iid = mr.iid))),
        _ if !bench.read_only
            && (asked == 0 || operation.look > 0 && operation.look.is_multiple_of(PATIENCE) && asked < 3) =>
        {
            ask(bench, operation, facts, &mr, asked).await
        }
        _ => Ok(wait(bench, operation, facts, say!("rebase.waiting", iid = mr.iid, target = mr.target_branch.clone()))),
    }
}

async fn ask(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    mr: &MergeRequest,
    asked: u32,
) -> RemoteResult<Outcome> {
    match bench.forge.rebase(&bench.scope.attempt(asked + 1), &project_of(facts), mr.iid).await {
        // 409: one is running already, or the merge request is not open any more; the next look tells.
        Ok(()) => {}
        Err(error) if error.is(409) => {}
        Err(error) if error.is(403) => {
            let message = say!("rebase.may_not", iid = mr.iid, why = error.to_string());
            return Ok(Advance::with(Event::RebaseConflict, Actor::system(), facts.clone())
                .failing(ErrorClass::Terminal, message)
                .into());
        }
        Err(error) => return Err(error),
    }
    Ok(wait(bench, operation, facts, say!("rebase.running", iid = mr.iid, target = mr.target_branch.clone())))
}

/// The head moved while we had asked for a rebase: it is the rebase when it is exactly our one commit on the target.
async fn adopt(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    mr: &MergeRequest,
    head: &str,
) -> RemoteResult<Outcome> {
    let project = project_of(facts);
    let commits = bench.forge.commits_between(&bench.scope, &project, &mr.target_branch, head).await?;
    if commits.is_empty() {
        let reason = say!("rebase.empty", iid = mr.iid, target = mr.target_branch.clone());
        return Ok(Advance::with(Event::RebaseConflict, Actor::new(ActorKind::Gitlab, "gitlab"), facts.clone())
            .failing(ErrorClass::Terminal, reason)
            .into());
    }
    let ours = commits.len() == 1 && commits.iter().all(|commit| is_ours(commit, &operation.operation_id));
    if !ours {
        let from = facts.rebase.as_ref().map(|rebase| short(&rebase.from).to_owned()).unwrap_or_default();
        return Ok(head_moved(facts, say!("mr.head_moved", iid = mr.iid, ours = from, theirs = short(head))).into());
    }
    facts.head = Some(head.to_owned());
    Ok(rebased(facts, say!("rebase.done", iid = mr.iid, sha = short(head), target = mr.target_branch.clone())))
}

fn rebased(facts: &mut Facts, reason: Sentence) -> Outcome {
    facts.rebase = None;
    facts.seen = None;
    facts.pipeline = None;
    Advance::with(Event::Rebased, Actor::new(ActorKind::Gitlab, "gitlab"), facts.clone()).because(reason).into()
}

fn conflict(facts: &Facts, mr: &MergeRequest) -> Advance {
    let why = mr.merge_error.clone().unwrap_or_default();
    Advance::with(Event::RebaseConflict, Actor::new(ActorKind::Gitlab, "gitlab"), facts.clone()).failing(
        ErrorClass::Terminal,
        say!("rebase.conflict", iid = mr.iid, target = mr.target_branch.clone(), why = why),
    )
}

fn head_moved(facts: &Facts, reason: Sentence) -> Advance {
    Advance::with(Event::HeadMoved, Actor::new(ActorKind::Gitlab, "gitlab"), facts.clone())
        .failing(ErrorClass::Terminal, reason)
}

fn unknown(facts: Facts) -> Advance {
    Advance::exhausted(facts, say!("rebase.unknown"))
}

fn wait(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, seen: Sentence) -> Outcome {
    facts.seen = Some(seen);
    Outcome::look_again(operation, &bench.rebase_ladder(), facts.clone(), unknown)
}
