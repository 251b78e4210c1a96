//! 10102: merges with the head pinned, and believes only what it reads back.

use std::time::Duration;

use crate::{
    flow::{Actor, ActorKind, Event},
    ports::{
        error::{ErrorClass, RemoteResult},
        forge::{MergeRequest, Readiness},
    },
    say,
    stages::{
        Advance, Bench, Outcome, Pause,
        outcome::{backoff, told},
        remote::{self, Reading, project_of},
    },
    store::operation::{Facts, LostApproval, Operation, RebaseFacts},
    words::{Sentence, short},
};

use super::approve::has_approved;

/// A merge that GitLab confirms and does not do is asked for again so often (workflow.md, section 6).
const MOST_ASKS: u32 = 5;
/// Quick looks between two of the ladder, each after this part of its short pause: a quarter of a second and one of five.
const GLANCES: [u32; 2] = [20, 5];
/// The longest rest between two merge calls that a server did not take.
const LONGEST_REST: Duration = Duration::from_secs(300);

/// Looks, and merges where GitLab says it may be merged.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    match look(bench, operation, &mut facts).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let message = told(&error);
            Outcome::stumble(operation, &bench.merge_ladder(), facts, &error, |facts| {
                if error.class.passes() { pending(facts) } else { failed(facts, error.class, message) }
            })
        }
    }
}

async fn look(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Outcome> {
    let glances = std::mem::take(&mut facts.glances);
    let mr = match remote::read(bench, operation, facts).await? {
        Reading::Ended(outcome) => return Ok(outcome),
        Reading::Ours(mr) => mr,
        Reading::Locked(mr) => return Ok(wait(bench, operation, facts, say!("merge.locked", iid = mr.iid))),
        Reading::Absent => return Ok(Outcome::look_again(operation, &bench.merge_ladder(), facts.clone(), pending)),
    };
    let Some(head) = mr.head_sha.clone() else {
        return Ok(wait(bench, operation, facts, say!("merge.checking", iid = mr.iid)));
    };
    match &mr.readiness {
        Readiness::Mergeable => match lost_approval(bench, facts, &mr, &head).await? {
            Some(outcome) => Ok(outcome),
            None => ask(bench, operation, facts, &mr, &head).await,
        },
        Readiness::NotApproved => match lost_approval(bench, facts, &mr, &head).await? {
            Some(outcome) => Ok(outcome),
            None => Ok(wait(bench, operation, facts, say!("merge.not_approved", iid = mr.iid))),
        },
        Readiness::NeedsRebase => Ok(rebase(bench, facts, &mr, &head)),
        Readiness::Conflict => Ok(conflict(facts, &mr)),
        Readiness::Blocked(word) => Ok(failed(facts.clone(), ErrorClass::Terminal, blocked(mr.iid, word)).into()),
        Readiness::CiRunning | Readiness::CiMustPass => {
            Ok(wait(bench, operation, facts, say!("merge.ci", iid = mr.iid, word = mr.readiness_word.clone())))
        }
        Readiness::Checking | Readiness::NotOpen | Readiness::Unknown(_) => {
            let seen = say!("merge.not_ready", iid = mr.iid, word = mr.readiness_word.clone());
            Ok(match glance(bench, glances).filter(|_| mr.readiness == Readiness::Checking) {
                Some(pause) => look_at_once(facts, seen, glances, pause),
                None => wait(bench, operation, facts, seen),
            })
        }
    }
}

/// The pause before the next quick look; None where the ladder has to go on.
fn glance(bench: &Bench<'_>, glances: u32) -> Option<Duration> {
    let part = GLANCES.get(usize::try_from(glances).ok()?)?;
    Some(bench.merge_ladder().short.get() / *part)
}

/// The read itself has made GitLab test whether it can merge, and whatever is merged into the target makes it forget the
/// answer: who comes back only after the pause of the ladder meets the next test, on a busy branch for ever.
fn look_at_once(facts: &mut Facts, seen: Sentence, glances: u32, pause: Duration) -> Outcome {
    facts.seen = Some(seen);
    facts.glances = glances + 1;
    Pause { facts: facts.clone(), after: Some(pause), error: None, spends_look: false, verdicts: Vec::new() }.into()
}

/// What blocks the merge, in words where it is one of the two that people meet every week.
#[must_use]
pub fn blocked(iid: u64, word: &str) -> Sentence {
    match word {
        "draft_status" => say!("merge.draft", iid = iid, word = word),
        "discussions_not_resolved" => say!("merge.threads", iid = iid, word = word),
        other => say!("merge.blocked", iid = iid, word = other),
    }
}

/// Before anything is merged, both approvals are seen on this very head.
async fn lost_approval(
    bench: &Bench<'_>,
    facts: &mut Facts,
    mr: &MergeRequest,
    head: &str,
) -> RemoteResult<Option<Outcome>> {
    let reviewers = bench.forge.reviewers(&bench.scope).await?;
    let list = match bench.forge.approvals(&bench.scope, &project_of(facts), mr.iid).await {
        Ok(list) => Some(list),
        Err(error) if error.class == ErrorClass::Superseded => return Err(error),
        Err(_) => None,
    };
    if let Some(list) = &list {
        facts.believed.approved_by.clone_from(list);
    }
    let Some(missing) =
        reviewers.iter().find(|reviewer| !has_approved(facts, list.as_deref(), reviewer, head)).cloned()
    else {
        return Ok(None);
    };
    facts.reviews.remove(&missing);
    let times = facts.lost.as_ref().filter(|lost| lost.head == head).map_or(1, |lost| lost.times + 1);
    facts.lost = Some(LostApproval { head: head.to_owned(), times });
    let gitlab = Actor::new(ActorKind::Gitlab, "gitlab");
    Ok(Some(
        Advance::with(Event::ApprovalLost, gitlab, facts.clone())
            .because(say!("merge.approval_lost", who = missing, sha = short(head)))
            .into(),
    ))
}

async fn ask(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    mr: &MergeRequest,
    head: &str,
) -> RemoteResult<Outcome> {
    let asks = bench.asked.writes("/merge").await;
    if asks.sent > 0 && on_target(bench, facts, head).await? {
        return Ok(found_on_target(facts, mr, head));
    }
    if asks.answered >= MOST_ASKS {
        let why = mr.merge_error.clone().unwrap_or_default();
        let message = say!("merge.not_done", iid = mr.iid, asks = asks.answered, why = why);
        return Ok(failed(facts.clone(), ErrorClass::Terminal, message).into());
    }
    let scope = bench.scope.attempt(asks.sent.saturating_add(1));
    match bench.forge.merge(&scope, &project_of(facts), mr.iid, head).await {
        Ok(()) => read_back(bench, operation, facts, mr.iid, head).await,
        Err(error) if error.class != ErrorClass::Auth && (error.is(401) || error.is(403)) => {
            let message = say!("merge.may_not", iid = mr.iid, target = facts.target_branch.clone(), why = told(&error));
            Ok(failed(facts.clone(), ErrorClass::Terminal, message).into())
        }
        // 405, 406, 409 and 422 say that the merge request is not what it was a moment ago: read it again.
        Err(error) if matches!(error.status, Some(404 | 405 | 406 | 409 | 422)) => {
            Ok(wait(bench, operation, facts, say!("merge.refused", iid = mr.iid, why = told(&error))))
        }
        // A server that takes no writes for a while is asked less and less often.
        Err(mut error) if error.class.passes() => {
            let rest = backoff(bench.merge_ladder().short.get(), asks.sent.saturating_add(1)).min(LONGEST_REST);
            error.retry_after = Some(error.retry_after.unwrap_or_default().max(rest));
            Err(error)
        }
        Err(error) => Err(error),
    }
}

/// GitLab may have merged and not told its own merge request yet.
async fn on_target(bench: &Bench<'_>, facts: &Facts, head: &str) -> RemoteResult<bool> {
    let project = project_of(facts);
    let Some(target) = bench.forge.branch(&bench.scope, &project, &facts.target_branch).await? else {
        return Ok(false);
    };
    Ok(bench.forge.contains(&bench.scope, &project, &target.sha, head).await?.unwrap_or(false))
}

fn found_on_target(facts: &mut Facts, mr: &MergeRequest, head: &str) -> Outcome {
    facts.merged_sha = Some(head.to_owned());
    facts.seen = None;
    Advance::with(Event::Merged, Actor::system(), facts.clone())
        .because(say!("merge.on_target", iid = mr.iid, sha = short(head), target = facts.target_branch.clone()))
        .into()
}

async fn read_back(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    iid: u64,
    head: &str,
) -> RemoteResult<Outcome> {
    match remote::read(bench, operation, facts).await? {
        Reading::Ended(outcome) => Ok(outcome),
        _ => Ok(wait(bench, operation, facts, say!("merge.sent", iid = iid, sha = short(head)))),
    }
}

fn rebase(bench: &Bench<'_>, facts: &mut Facts, mr: &MergeRequest, head: &str) -> Outcome {
    let most = bench.settings.gitlab.merge.max_rebases;
    if facts.rebases >= most {
        let message =
            say!("merge.too_many_rebases", iid = mr.iid, rebases = facts.rebases, target = mr.target_branch.clone());
        return failed(facts.clone(), ErrorClass::Terminal, message).into();
    }
    facts.rebases += 1;
    facts.rebase = Some(RebaseFacts { from: head.to_owned(), error_before: mr.merge_error.clone() });
    let count = facts.rebases;
    facts.seen = None;
    Advance::with(Event::NeedsRebase, Actor::system(), facts.clone())
        .because(say!(
            "merge.needs_rebase",
            iid = mr.iid,
            target = mr.target_branch.clone(),
            count = count,
            most = most
        ))
        .into()
}

fn conflict(facts: &Facts, mr: &MergeRequest) -> Outcome {
    Advance::with(Event::RebaseConflict, Actor::new(ActorKind::Gitlab, "gitlab"), facts.clone())
        .failing(ErrorClass::Terminal, say!("merge.conflict", iid = mr.iid, target = mr.target_branch.clone()))
        .into()
}

fn failed(facts: Facts, class: ErrorClass, message: Sentence) -> Advance {
    Advance::with(Event::MergeFailed, Actor::system(), facts).failing(class, message)
}

fn pending(facts: Facts) -> Advance {
    Advance::exhausted(facts, say!("merge.unknown"))
}

fn wait(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, seen: Sentence) -> Outcome {
    facts.seen = Some(seen);
    Outcome::look_again(operation, &bench.merge_ladder(), facts.clone(), pending)
}
