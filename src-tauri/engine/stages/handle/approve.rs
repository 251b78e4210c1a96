//! 10101: every configured reviewer approves the current head, each with retries of its own.

use crate::{
    flow::{Actor, Event},
    ports::{
        error::{ErrorClass, RemoteError, RemoteResult},
        forge::MergeRequest,
    },
    say,
    stages::{
        Advance, Bench, Outcome, Pause,
        checks::{self, Verdict},
        outcome::{backoff, told},
        remote::{self, Reading, project_of},
    },
    store::operation::{Facts, Operation, Review},
    words::{Sentence, short},
};

/// Reads who has approved, makes each call that is missing, and reads again.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    match approve(bench, operation, &mut facts).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let message = told(&error);
            Outcome::stumble(operation, &bench.ladder(), facts, &error, |facts| failed(facts, error.class, message))
        }
    }
}

fn failed(facts: Facts, class: ErrorClass, message: Sentence) -> Advance {
    Advance::with(Event::ApproveFailed, Actor::system(), facts).failing(class, message)
}

async fn approve(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Outcome> {
    let mr = match remote::read(bench, operation, facts).await? {
        Reading::Ended(outcome) => return Ok(outcome),
        Reading::Ours(mr) => mr,
        Reading::Locked(_) => return Ok(look_again(bench, operation, facts)),
        Reading::Absent => {
            return Ok(Outcome::look_again(operation, &bench.ladder(), facts.clone(), |facts| {
                let seen = facts.seen.clone().unwrap_or_else(|| say!("approve.never_settled"));
                failed(facts, ErrorClass::Retryable, seen)
            }));
        }
    };
    let Some(head) = mr.head_sha.clone() else { return Ok(look_again(bench, operation, facts)) };
    // An approval given while GitLab still works out the diff may be wiped again (field guide 4.5).
    let unsettled = matches!(mr.readiness_word.as_str(), "preparing" | "approvals_syncing");
    if unsettled && operation.look + 1 < bench.merge_ladder().max_looks {
        facts.seen = Some(say!("approve.settling", iid = mr.iid, word = mr.readiness_word));
        return Ok(look_again(bench, operation, facts));
    }
    if let Some(outcome) = unchecked(bench, operation, facts, mr.iid, &head).await? {
        return Ok(outcome);
    }
    let reviewers = bench.forge.reviewers(&bench.scope).await?;
    let list = bench.forge.approvals(&bench.scope, &project_of(facts), mr.iid).await;
    let mut list = readable(list)?;
    note(facts, list.as_deref());
    let mut pauses = Vec::new();
    for (n, reviewer) in reviewers.iter().enumerate() {
        if has_approved(facts, list.as_deref(), reviewer, &head) {
            continue;
        }
        if let Some(lost) = lost_twice(facts, reviewer, &head) {
            return Ok(failed(facts.clone(), ErrorClass::Terminal, lost).into());
        }
        if let Some(spent) = spent(bench, facts, reviewer, &head).await {
            return Ok(spent.into());
        }
        match call(bench, facts, mr.iid, &head, n, reviewer).await {
            Ok(()) => {}
            Err(error) if error.class == ErrorClass::Superseded => return Err(error),
            Err(error) => match retry_in(bench, facts, reviewer, reviewer == &mr.author, &error) {
                Some(pause) => pauses.push(pause),
                None => {
                    // 401 stands both for "you already approved" and for "you may not": only this read tells them apart.
                    list = readable(bench.forge.approvals(&bench.scope, &project_of(facts), mr.iid).await)?;
                    note(facts, list.as_deref());
                    if !has_approved(facts, list.as_deref(), reviewer, &head) {
                        return Ok(refused(facts, reviewer, &mr, &head, &error).into());
                    }
                }
            },
        }
    }
    if let Some(after) = pauses.into_iter().min() {
        return Ok(Pause {
            facts: facts.clone(),
            after: Some(after),
            error: None,
            spends_look: true,
            verdicts: Vec::new(),
        }
        .into());
    }
    all_there(bench, operation, facts, mr.iid, &head, &reviewers).await
}

/// A head that came here past its checks, such as after a resume, is checked first: nothing unchecked is ever approved.
async fn unchecked(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    iid: u64,
    head: &str,
) -> RemoteResult<Option<Outcome>> {
    if facts.checked.as_deref() == Some(head) {
        return Ok(None);
    }
    Ok(match checks::verdict(bench, facts, iid, head).await? {
        Verdict::Passed(_) => {
            facts.checked = Some(head.to_owned());
            None
        }
        Verdict::Failed(reason) => Some(failed(facts.clone(), ErrorClass::Terminal, reason).into()),
        Verdict::None if checks::is_optional(bench) && operation.look + 1 >= bench.pipeline_ladder().max_looks => {
            facts.checked = Some(head.to_owned());
            None
        }
        Verdict::Waiting | Verdict::None => {
            let sha = short(head).to_owned();
            Some(Outcome::look_again(operation, &bench.pipeline_ladder(), facts.clone(), |facts| {
                failed(facts, ErrorClass::Retryable, say!("approve.unchecked", sha = sha))
            }))
        }
    })
}

/// A last read, so that what is announced was seen. Where the list cannot be read, our own success for this head counts.
async fn all_there(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    iid: u64,
    head: &str,
    reviewers: &[String],
) -> RemoteResult<Outcome> {
    let list = readable(bench.forge.approvals(&bench.scope, &project_of(facts), iid).await)?;
    note(facts, list.as_deref());
    if !reviewers.iter().all(|reviewer| has_approved(facts, list.as_deref(), reviewer, head)) {
        return Ok(look_again(bench, operation, facts));
    }
    facts.seen = None;
    facts.stumbles = 0;
    Ok(Advance::with(Event::Approved, Actor::system(), facts.clone())
        .because(say!("approve.all", who = reviewers.to_vec(), sha = short(head)))
        .into())
}

/// The list, or None where it could not be read: then nobody counts as approved by it.
fn readable(list: RemoteResult<Vec<String>>) -> RemoteResult<Option<Vec<String>>> {
    match list {
        Ok(list) => Ok(Some(list)),
        Err(error) if error.class == ErrorClass::Superseded => Err(error),
        Err(_) => Ok(None),
    }
}

fn note(facts: &mut Facts, list: Option<&[String]>) {
    if let Some(list) = list {
        facts.believed.approved_by = list.to_vec();
    }
}

/// Seen in the list; or, where the list cannot be read, as the success of our own call for this head.
#[must_use]
pub fn has_approved(facts: &Facts, list: Option<&[String]>, reviewer: &str, head: &str) -> bool {
    match list {
        Some(list) => list.iter().any(|name| name == reviewer),
        None => facts.reviews.get(reviewer).is_some_and(|review| review.answered && review.head == head),
    }
}

/// An approval that was lost on this head, given again and lost again.
fn lost_twice(facts: &Facts, reviewer: &str, head: &str) -> Option<Sentence> {
    let lost = facts.lost.as_ref()?;
    (lost.head == head && lost.times > 1).then(|| say!("approve.lost_twice", who = reviewer, sha = short(head)))
}

/// The end where every try is on record already and the list shows none of them: the process died before it could tell.
async fn spent(bench: &Bench<'_>, facts: &mut Facts, reviewer: &str, head: &str) -> Option<Advance> {
    let review = facts.reviews.entry(reviewer.to_owned()).or_default();
    if review.head != head {
        *review = Review { head: head.to_owned(), ..Review::default() };
    }
    let sent = bench.asked.writes_by("/approve", reviewer).await.sent;
    review.tries = review.tries.max(sent);
    let tries = review.tries;
    (sent > retries(bench)).then(|| {
        facts.reviews.remove(reviewer);
        let message = say!("approve.spent", who = reviewer, sha = short(head), tries = tries);
        failed(facts.clone(), ErrorClass::Terminal, message)
    })
}

/// How often a try may be made again.
fn retries(bench: &Bench<'_>) -> u32 {
    u32::try_from(bench.settings.gitlab.approve.max_retries.max(0)).unwrap_or(u32::MAX)
}

async fn call(
    bench: &Bench<'_>,
    facts: &mut Facts,
    iid: u64,
    head: &str,
    n: usize,
    reviewer: &str,
) -> RemoteResult<()> {
    let project = project_of(facts);
    let review = facts.reviews.entry(reviewer.to_owned()).or_default();
    review.tries = review.tries.saturating_add(1);
    let scope = bench.scope.attempt(review.tries);
    match bench.forge.approve(&scope, &project, iid, head, n).await {
        Ok(()) => {
            review.answered = true;
            review.refusal = None;
            Ok(())
        }
        Err(error) => {
            review.refusal = Some(error.to_string());
            Err(error)
        }
    }
}

/// The pause before the next try of this reviewer, or None after the last one. A bad credential, and the right of an author
/// over his own merge request, do not come back by trying.
fn retry_in(
    bench: &Bench<'_>,
    facts: &Facts,
    reviewer: &str,
    is_author: bool,
    error: &RemoteError,
) -> Option<std::time::Duration> {
    let settings = &bench.settings.gitlab.approve;
    let tries = facts.reviews.get(reviewer).map_or(0, |review| review.tries);
    let hopeless = error.class == ErrorClass::Auth || (is_author && error.is(401));
    (!hopeless && tries <= retries(bench))
        .then(|| backoff(settings.backoff.get(), tries).max(error.retry_after.unwrap_or_default()))
}

fn refused(facts: &mut Facts, reviewer: &str, mr: &MergeRequest, head: &str, error: &RemoteError) -> Advance {
    let tries = facts.reviews.get(reviewer).map_or(0, |review| review.tries);
    facts.reviews.remove(reviewer);
    if reviewer == mr.author && error.is(401) {
        let message = say!("approve.own", who = reviewer, iid = mr.iid);
        return failed(facts.clone(), ErrorClass::Terminal, message);
    }
    if error.class == ErrorClass::Auth {
        let message = say!("approve.credential", who = reviewer, sha = short(head), why = told(error));
        return failed(facts.clone(), ErrorClass::Auth, message);
    }
    let message = say!(
        "approve.refused",
        who = reviewer,
        sha = short(head),
        tries = tries,
        why = answer(error),
        listed = facts.believed.approved_by.clone(),
    );
    failed(facts.clone(), error.class, message)
}

/// What GitLab said to this very call; who was asked stands in the sentence around it.
fn answer(error: &RemoteError) -> Sentence {
    match error.status {
        Some(status) if error.class != ErrorClass::Auth => {
            Sentence::quoted(&format!("{status} {}.", error.message.trim_end_matches('.')))
        }
        _ => told(error),
    }
}

fn look_again(bench: &Bench<'_>, operation: &Operation, facts: &Facts) -> Outcome {
    Outcome::look_again(operation, &bench.ladder(), facts.clone(), |facts| {
        failed(facts, ErrorClass::Retryable, say!("approve.never_settled"))
    })
}
