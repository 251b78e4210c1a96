//! Reading our merge request: what people may have done to it comes before anything we want to do with it.

use crate::{
    flow::{Actor, ActorKind, Event, Step, table},
    ports::{
        error::RemoteResult,
        forge::{Commit, MergeRequest, MrState},
    },
    say,
    store::operation::{Facts, Operation},
    words::{Sentence, short},
};

use super::{Advance, Bench, Outcome};

/// A read of our merge request.
pub enum Reading {
    /// It is open, on our head and our target.
    Ours(Box<MergeRequest>),
    /// A merge is in flight.
    Locked(Box<MergeRequest>),
    /// GitLab did not find it this time. One 404 ends nothing.
    Absent,
    /// People acted: the request moves.
    Ended(Outcome),
}

/// How a project is named in calls: by number once it is known, because a rename keeps the number.
#[must_use]
pub fn project_of(facts: &Facts) -> String {
    facts.project_id.map_or_else(|| facts.project.clone(), |id| id.to_string())
}

/// Reads our merge request and sorts out what people did to it.
pub async fn read(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Reading> {
    let Some(iid) = facts.mr.as_ref().map(|mr| mr.iid) else { return Ok(Reading::Absent) };
    let Some(mr) = bench.forge.merge_request(&bench.scope, &project_of(facts), iid).await? else {
        facts.seen = Some(say!("merge.absent", iid = iid));
        return Ok(Reading::Absent);
    };
    believe(bench, facts, &mr);
    Ok(sort(bench, operation, facts, mr).await)
}

/// Notes what a read showed.
pub fn believe(bench: &Bench<'_>, facts: &mut Facts, mr: &MergeRequest) {
    facts.believed.at = Some(bench.now);
    facts.believed.mr_state = Some(mr.state.word().into());
    facts.believed.head_sha.clone_from(&mr.head_sha);
}

async fn sort(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, mr: MergeRequest) -> Reading {
    match mr.state {
        MrState::Merged => Reading::Ended(merged(bench, operation, facts, &mr).await),
        MrState::Closed if table::lists(operation.step, Event::RemoteClosed) => {
            Reading::Ended(closed(bench, facts, &mr).await)
        }
        MrState::Locked => Reading::Locked(Box::new(mr)),
        _ => match moved(facts, &mr) {
            Some(reason) if table::lists(operation.step, Event::HeadMoved) => Reading::Ended(
                Advance::with(Event::HeadMoved, person(&mr), facts.clone())
                    .failing(crate::ports::error::ErrorClass::Terminal, reason)
                    .into(),
            ),
            Some(reason) => {
                facts.seen = Some(reason);
                Reading::Absent
            }
            None => Reading::Ours(Box::new(mr)),
        },
    }
}

/// Why what was approved is not what would be merged; None when all is as it should be.
fn moved(facts: &Facts, mr: &MergeRequest) -> Option<Sentence> {
    if mr.target_branch != facts.target_branch {
        let (wanted, found) = (facts.target_branch.clone(), mr.target_branch.clone());
        return Some(say!("mr.retargeted", iid = mr.iid, wanted = wanted, found = found));
    }
    match (&facts.head, &mr.head_sha) {
        (Some(ours), Some(theirs)) if ours != theirs => {
            Some(say!("mr.head_moved", iid = mr.iid, ours = short(ours), theirs = short(theirs)))
        }
        _ => None,
    }
}

/// It is merged: by our own call, or by somebody. What was merged is named where it is not what was approved.
pub async fn merged(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, mr: &MergeRequest) -> Outcome {
    facts.merged_sha.clone_from(&mr.merged_sha);
    facts.rebase = None;
    let merging = matches!(operation.step, Step::HandleApproved | Step::HandleMergePending);
    let asked = merging && bench.asked.writes("/merge").await.sent > 0;
    let foreign = moved(facts, mr).is_some();
    let sha = mr.merged_sha.as_deref().map(short).unwrap_or_default().to_owned();
    let target = mr.target_branch.clone();
    let who = mr.ended_by.clone().unwrap_or_else(|| "GitLab".into());
    if foreign {
        return Advance::with(Event::RemoteMerged, person(mr), facts.clone())
            .because(say!("mr.merged_foreign", iid = mr.iid, who = who, sha = sha, target = target))
            .into();
    }
    if asked {
        return Advance::with(Event::Merged, Actor::system(), facts.clone())
            .because(say!("mr.merged_by_us", iid = mr.iid, sha = sha, target = target))
            .into();
    }
    let checked = facts.checked.is_some() && facts.checked == mr.head_sha;
    let reason = if checked { say!("mr.merged_by_other") } else { say!("mr.merged_unchecked") };
    Advance::with(Event::RemoteMerged, person(mr), facts.clone())
        .because(reason.with("iid", mr.iid).with("who", who).with("sha", sha).with("target", target))
        .into()
}

/// It was closed by somebody. GitLab closes it as well when its branch is deleted, and the operator is told that.
pub async fn closed(bench: &Bench<'_>, facts: &Facts, mr: &MergeRequest) -> Outcome {
    let branch = bench.forge.branch(&bench.scope, &project_of(facts), &facts.branch).await;
    let reason = match (branch, &mr.ended_by) {
        (Ok(None), _) => say!("mr.closed_branch_gone", iid = mr.iid, branch = facts.branch.clone()),
        (_, Some(who)) => say!("mr.closed_by_other", iid = mr.iid, who = who.clone()),
        (_, None) => say!("mr.closed_by_other", iid = mr.iid, who = "GitLab"),
    };
    Advance::with(Event::RemoteClosed, person(mr), facts.clone())
        .failing(crate::ports::error::ErrorClass::Terminal, reason)
        .into()
}

fn person(mr: &MergeRequest) -> Actor {
    Actor::new(ActorKind::Gitlab, mr.ended_by.clone().unwrap_or_else(|| "gitlab".into()))
}

/// The line that marks commits and merge requests of an operation.
#[must_use]
pub fn mark(operation_id: &str) -> String {
    format!("Signalbox-Operation: {operation_id}")
}

/// True for text that carries the mark of this operation on a line of its own.
#[must_use]
pub fn carries_mark(text: &str, operation_id: &str) -> bool {
    let mark = mark(operation_id);
    text.lines().any(|line| line.trim() == mark)
}

/// True for a commit that this operation made.
#[must_use]
pub fn is_ours(commit: &Commit, operation_id: &str) -> bool {
    commit.parents.len() == 1 && carries_mark(&commit.message, operation_id)
}
