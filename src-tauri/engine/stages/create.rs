//! 10001: branch, commit and merge request, each looked for before it is made, each carrying the operation id.

mod commit;

use std::sync::Arc;

use crate::{
    documents::{
        kinds::Kind,
        render::Plan,
        text::{neutralise, neutralise_title},
    },
    flow::{Actor, Event},
    ports::{
        error::{ErrorClass, RemoteError, RemoteResult},
        forge::{Commit, MergeRequest, MrState, NewMergeRequest, Who},
    },
    say,
    store::operation::{Facts, MrFacts, Operation},
    words::{Sentence, short},
};

use super::{
    Advance, Bench, Outcome,
    outcome::told,
    remote::{self, is_ours, project_of},
};

pub use commit::read_files;

/// Why there is no merge request yet.
enum Stop {
    /// A remote stumbled or refused.
    Remote(RemoteError),
    /// The stage is over with this outcome.
    Over(Outcome),
}

impl From<RemoteError> for Stop {
    fn from(error: RemoteError) -> Self {
        Self::Remote(error)
    }
}

impl Stop {
    fn failed(facts: &Facts, event: Event, reason: Sentence) -> Self {
        Self::Over(Advance::with(event, Actor::system(), facts.clone()).failing(ErrorClass::Terminal, reason).into())
    }
}

/// Finds or makes all three.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    match open(bench, operation, &mut facts).await {
        Ok(outcome) | Err(Stop::Over(outcome)) => outcome,
        Err(Stop::Remote(error)) => stopped(bench, operation, facts, &error),
    }
}

/// What a refused or lost call means here: a name that is taken, or a branch that is not visible yet, is looked at again.
fn stopped(bench: &Bench<'_>, operation: &Operation, facts: Facts, error: &RemoteError) -> Outcome {
    let mut error = error.clone();
    let not_visible_yet = error.is(400) && error.message.contains("source_branch") && error.message.contains("exist");
    if error.class == ErrorClass::AlreadyExists || not_visible_yet {
        error.class = ErrorClass::Retryable;
    }
    let message = told(&error);
    Outcome::stumble(operation, &bench.ladder(), facts, &error, |facts| {
        Advance::with(Event::CreateFailed, Actor::system(), facts).failing(error.class, message)
    })
}

async fn open(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> Result<Outcome, Stop> {
    let Some(kind) = bench.kind.clone() else {
        let reason = say!("create.no_kind", kind = operation.kind.clone());
        return Err(Stop::failed(facts, Event::CreateFailed, reason));
    };
    let plan = plan(&kind, operation, facts)?;
    learn_project(bench, facts).await?;
    if let Some(outcome) = adopt_merge_request(bench, operation, facts).await? {
        return Ok(outcome);
    }
    let (commit, reason) = match adopt_branch(bench, operation, facts).await? {
        Some(commit) => (commit, say!("create.opened_on_found")),
        None => (commit::make(bench, operation, facts, &plan).await?, say!("create.opened")),
    };
    facts.head = Some(commit.sha);
    let new = NewMergeRequest {
        source_branch: facts.branch.clone(),
        target_branch: facts.target_branch.clone(),
        title: facts.title.clone(),
        description: description(operation, &plan.title, facts),
    };
    let made = bench.forge.open_merge_request(&bench.scope, &project_of(facts), &new).await?;
    let read = bench.forge.merge_request(&bench.scope, &project_of(facts), made.iid).await?.unwrap_or(made);
    Ok(opened(bench, facts, &read, reason))
}

fn plan(kind: &Arc<Kind>, operation: &Operation, facts: &mut Facts) -> Result<Plan, Stop> {
    let plan = kind.plan(&operation.fields, &operation.operation_id).map_err(|error| {
        Stop::failed(facts, Event::CreateFailed, say!("create.unrenderable", why = error.to_string()))
    })?;
    facts.branch.clone_from(&plan.branch);
    facts.target_branch.clone_from(&plan.target_branch);
    facts.title = neutralise_title(&plan.title);
    Ok(plan)
}

async fn learn_project(bench: &Bench<'_>, facts: &mut Facts) -> Result<(), Stop> {
    if facts.project_id.is_some() {
        return Ok(());
    }
    match bench.forge.project(&bench.scope, &facts.project).await? {
        Some(project) if project.archived => {
            Err(Stop::failed(facts, Event::CreateFailed, say!("create.archived", project = project.path)))
        }
        Some(project) => {
            facts.project_id = Some(project.id);
            facts.project = project.path;
            Ok(())
        }
        None => {
            let project = facts.project.clone();
            Err(Stop::failed(facts, Event::CreateFailed, say!("create.no_project", project = project)))
        }
    }
}

/// A merge request of ours that is there already: open is adopted, merged is the end, closed is somebody's act unless given up.
async fn adopt_merge_request(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
) -> Result<Option<Outcome>, Stop> {
    let mut found = bench.forge.merge_requests_of(&bench.scope, &project_of(facts), &facts.branch).await?;
    // What people ended comes before one that is open: a call that was thought lost may have opened it after that.
    found.sort_by_key(|mr| match mr.state {
        MrState::Merged => 0,
        MrState::Closed => 1,
        _ => 2,
    });
    for mr in found.into_iter().filter(|mr| mr.source_project_id == mr.project_id) {
        // One that was given up counts again only where somebody opened or merged it after all.
        if facts.given_up.contains(&mr.iid) && mr.state == MrState::Closed {
            continue;
        }
        let known = facts.mr.as_ref().is_some_and(|ours| ours.iid == mr.iid) || facts.given_up.contains(&mr.iid);
        if !known && !is_of_this_request(bench, operation, &mr).await? {
            if mr.state == MrState::Opened && mr.target_branch == facts.target_branch {
                let reason = say!("create.foreign_mr", iid = mr.iid, branch = facts.branch.clone(), who = mr.author);
                return Err(Stop::failed(facts, Event::CreateConflict, reason));
            }
            continue;
        }
        if mr.state == MrState::Opened && mr.target_branch != facts.target_branch {
            let (wanted, found) = (facts.target_branch.clone(), mr.target_branch);
            let reason = say!("mr.retargeted", iid = mr.iid, wanted = wanted, found = found);
            return Err(Stop::failed(facts, Event::CreateConflict, reason));
        }
        match mr.state {
            MrState::Merged => {
                facts.mr = Some(mr_facts(&mr));
                return Ok(Some(remote::merged(bench, operation, facts, &mr).await));
            }
            MrState::Closed => {
                facts.mr = Some(mr_facts(&mr));
                return Ok(Some(remote::closed(bench, facts, &mr).await));
            }
            _ => {}
        }
        let head = head_of(bench, facts, &mr).await?;
        if !head.as_ref().is_some_and(|commit| is_ours(commit, &operation.operation_id)) {
            let reason = say!("create.foreign_head", iid = mr.iid, branch = facts.branch.clone());
            return Err(Stop::failed(facts, Event::CreateConflict, reason));
        }
        facts.head = head.map(|commit| commit.sha);
        let reason = if known { say!("create.found_known") } else { say!("create.adopted") };
        return Ok(Some(opened(bench, facts, &mr, reason)));
    }
    Ok(None)
}

/// A merge request that nobody told us of is ours only when it carries our mark and the bot made it: a person may have copied the
/// description, and approving that would approve what nobody asked for.
async fn is_of_this_request(bench: &Bench<'_>, operation: &Operation, mr: &MergeRequest) -> RemoteResult<bool> {
    if !remote::carries_mark(&mr.description, &operation.operation_id) {
        return Ok(false);
    }
    Ok(bench.forge.account(&bench.scope, Who::Bot).await?.username == mr.author)
}

async fn head_of(bench: &Bench<'_>, facts: &Facts, mr: &MergeRequest) -> RemoteResult<Option<Commit>> {
    match &mr.head_sha {
        Some(sha) => bench.forge.commit(&bench.scope, &project_of(facts), sha).await,
        None => bench.forge.branch(&bench.scope, &project_of(facts), &facts.branch).await,
    }
}

/// The branch with our commit on it, where it is there already. A foreign branch with our name is never written to.
async fn adopt_branch(bench: &Bench<'_>, operation: &Operation, facts: &Facts) -> Result<Option<Commit>, Stop> {
    let Some(head) = bench.forge.branch(&bench.scope, &project_of(facts), &facts.branch).await? else {
        return Ok(None);
    };
    if is_ours(&head, &operation.operation_id) {
        return Ok(Some(head));
    }
    let reason = say!("create.foreign_branch", branch = facts.branch.clone(), sha = short(&head.sha));
    Err(Stop::failed(facts, Event::CreateConflict, reason))
}

fn description(operation: &Operation, full_title: &str, facts: &Facts) -> String {
    let mut text = format!("Requested by {} through Signalbox.", operation.requested_by);
    if full_title != facts.title {
        text = format!("{full_title}\n\n{text}");
    }
    if !facts.given_up.is_empty() {
        let earlier: Vec<_> = facts.given_up.iter().map(|iid| format!("!{iid}")).collect();
        text.push_str(&format!("\n\nIt takes the place of {}, which was closed.", earlier.join(", ")));
    }
    if let Some(comment) = &operation.comment {
        text.push_str("\n\n");
        text.push_str(&neutralise(comment));
    }
    format!("{}\n\n{}", neutralise(&text), remote::mark(&operation.operation_id))
}

fn mr_facts(mr: &MergeRequest) -> MrFacts {
    MrFacts { iid: mr.iid, web_url: mr.web_url.clone() }
}

fn opened(bench: &Bench<'_>, facts: &mut Facts, mr: &MergeRequest, reason: Sentence) -> Outcome {
    remote::believe(bench, facts, mr);
    facts.mr = Some(mr_facts(mr));
    // One that somebody opened again is given up no longer: closing it again is an act of its own.
    facts.given_up.retain(|iid| *iid != mr.iid);
    facts.stumbles = 0;
    facts.seen = None;
    facts.pipeline = None;
    let sha = facts.head.as_deref().map(short).unwrap_or_default().to_owned();
    Advance::with(Event::MrOpened, Actor::system(), facts.clone())
        .because(reason.with("iid", mr.iid).with("sha", sha).with("branch", facts.branch.clone()))
        .into()
}
