//! 10109: merged, waiting for the deploy pipeline. Callback and sweep end in the same moves, told apart by their evidence.

use crate::{
    flow::{Actor, ActorKind, Event, table},
    ports::{
        error::{ErrorClass, RemoteResult},
        forge::Forge,
        journal::Scope,
    },
    say,
    store::{
        deploys::DeployMark,
        inbox::{EventRow, Verdict},
        operation::{Facts, Operation},
    },
    words::{Sentence, short},
};

use super::{
    Advance, Bench, Outcome, Pause,
    outcome::{backoff, told},
    remote::project_of,
};

/// Looks at the deploy results that came in and are not applied yet. Without one there is nothing to look at: the sweep comes by.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    let (mut verdicts, mut later) = (Vec::new(), None);
    for event in bench.parked.iter().filter(|event| event.source == "deploy") {
        match weigh(bench, operation, &facts, event).await {
            Ok(Weight::Moves(advance)) => return (*advance).into(),
            Ok(Weight::OtherSha) => verdicts.push((event.id, Verdict::IgnoredStale, say!("event.other_sha"))),
            Ok(Weight::UnknownSha) if operation.look + 1 < bench.ladder().max_looks => {
                later = Some(bench.ladder().pause_after(operation.look + 1));
            }
            Ok(Weight::Nothing | Weight::UnknownSha) => {}
            Err(error) if error.class == ErrorClass::Superseded => return Outcome::Drop,
            Err(error) => {
                let message = told(&error);
                facts.stumbles += 1;
                facts.seen = Some(message.clone());
                let after = backoff(bench.ladder().short.get(), facts.stumbles).min(bench.ladder().long.get());
                let error = Some((error.class, message));
                return Pause { facts, after: Some(after), error, spends_look: true, verdicts }.into();
            }
        }
    }
    facts.stumbles = 0;
    facts.seen = None;
    Pause { facts, after: later, error: None, spends_look: true, verdicts }.into()
}

/// What an event brings.
enum Weight {
    /// A move.
    Moves(Box<Advance>),
    /// The deployed commit does not contain our merge: it is about something else.
    OtherSha,
    /// GitLab does not know the deployed commit yet: it is asked again for as long as the ladder goes.
    UnknownSha,
    /// Nothing that the table lists here.
    Nothing,
}

async fn weigh(bench: &Bench<'_>, operation: &Operation, facts: &Facts, event: &EventRow) -> RemoteResult<Weight> {
    let sha = event.body.pointer("/data/sha").or_else(|| event.body.get("sha")).and_then(|sha| sha.as_str());
    if let (Some(sha), Some(merged)) = (sha, &facts.merged_sha) {
        match holds(bench.forge, &bench.scope, facts, sha, merged).await? {
            Some(true) => {}
            Some(false) => return Ok(Weight::OtherSha),
            None => return Ok(Weight::UnknownSha),
        }
    }
    let effective = event.says == "effective";
    let word = if effective { Event::Deployed } else { Event::DeployFailed };
    if !table::lists(operation.step, word) {
        return Ok(Weight::Nothing);
    }
    let iid = facts.mr.as_ref().map_or(0, |mr| mr.iid);
    let advance = Advance::with(word, Actor::new(ActorKind::Deploy, "deploy"), facts.clone());
    let mut advance = if effective {
        let sha = facts.merged_sha.as_deref().map(short).unwrap_or_default().to_owned();
        Advance { evidence: Some("exact"), ..advance.because(say!("deploy.exact", iid = iid, sha = sha)) }
    } else {
        let why = event.body.pointer("/data/reason").and_then(|why| why.as_str()).unwrap_or("-").to_owned();
        advance.failing(ErrorClass::Terminal, say!("deploy.failed", iid = iid, why = why))
    };
    advance.verdicts = verdicts(bench, event.id);
    Ok(Weight::Moves(Box::new(advance)))
}

/// Does the deployed commit contain our merge? None where GitLab does not know one of them.
async fn holds(forge: &dyn Forge, scope: &Scope, facts: &Facts, sha: &str, merged: &str) -> RemoteResult<Option<bool>> {
    if sha == merged {
        return Ok(Some(true));
    }
    forge.contains(scope, &project_of(facts), sha, merged).await
}

fn verdicts(bench: &Bench<'_>, applied: i64) -> Vec<(i64, &'static str, Sentence)> {
    bench
        .parked
        .iter()
        .filter(|event| event.source == "deploy" && event.id <= applied)
        .map(|event| {
            if event.id == applied {
                (event.id, "applied", say!("event.deploy_applied"))
            } else {
                (event.id, "ignored_stale", say!("event.other_sha"))
            }
        })
        .collect()
}

/// How many deployed commits are asked about for one request in one sweep.
const MOST_ASKED: usize = 3;

/// What the deploys of this merge request and of later ones say, newest first. A deploy that named no commit leaves only the number to
/// go by; one that did is asked about, and a commit that does not contain our merge changes nothing.
pub async fn by_marks(
    forge: &dyn Forge,
    scope: &Scope,
    operation: &Operation,
    marks: &[DeployMark],
) -> RemoteResult<Option<Advance>> {
    let unnamed = marks.iter().filter(|mark| mark.sha.is_none()).map(|mark| mark.mr_iid).max();
    let Some(merged) = operation.facts.merged_sha.as_deref() else {
        return Ok(marks.iter().map(|mark| mark.mr_iid).max().map(|highest| by_watermark(operation, highest)));
    };
    if let Some(highest) = unnamed {
        return Ok(Some(by_watermark(operation, highest)));
    }
    for mark in marks.iter().take(MOST_ASKED) {
        let Some(sha) = &mark.sha else { continue };
        if holds(forge, scope, &operation.facts, sha, merged).await? == Some(true) {
            return Ok(Some(by_sha(operation, mark.mr_iid, sha)));
        }
    }
    Ok(None)
}

/// The move of the sweep: a later merge request of the project is effective, so this one is.
fn by_watermark(operation: &Operation, highest: u64) -> Advance {
    let reason = say!("deploy.watermark", highest = highest);
    swept(operation, "watermark", reason)
}

/// The move of the sweep where the deployed commit is known to contain this merge.
fn by_sha(operation: &Operation, of: u64, sha: &str) -> Advance {
    swept(operation, "exact", say!("deploy.by_sha", of = of, sha = short(sha)))
}

fn swept(operation: &Operation, evidence: &'static str, reason: Sentence) -> Advance {
    let iid = operation.facts.mr.as_ref().map_or(0, |mr| mr.iid);
    let sweep = Actor::new(ActorKind::Sweep, "sweep");
    let advance = Advance::new(Event::Reconciled, sweep, operation).because(reason.with("iid", iid));
    Advance { evidence: Some(evidence), ..advance }
}
