//! 10001: branch, commit and merge request, each looked for before it is made, each carrying the operation id.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    documents::{
        file_diff::{FileAction, FileChange},
        kinds::Kind,
        render::Plan,
        text::{neutralise, neutralise_title},
    },
    flow::{Actor, Event},
    ports::{
        error::{ErrorClass, RemoteError, RemoteResult},
        forge::{Commit, FileWrite, Forge, MergeRequest, MrState, NewCommit, NewMergeRequest, RepoFile, Who},
        journal::Scope,
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

/// A commit that is confirmed and not to be found on its branch is made again so often.
const MOST_COMMITS: u32 = 3;

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
        None => (make_commit(bench, operation, facts, &plan).await?, say!("create.opened")),
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

/// Renders the change on the newest target and commits it on a branch of its own, in one call; then reads it back.
async fn make_commit(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, plan: &Plan) -> Result<Commit, Stop> {
    let project = project_of(facts);
    let Some(base) = bench.forge.branch(&bench.scope, &project, &facts.target_branch).await? else {
        let reason = say!("create.no_target", branch = facts.target_branch.clone(), project = facts.project.clone());
        return Err(Stop::failed(facts, Event::CreateFailed, reason));
    };
    let before = read_files(bench.forge, &bench.scope, &project, plan, &base.sha).await?;
    let changes = render(facts, plan, &before)?;
    let new = NewCommit {
        branch: facts.branch.clone(),
        start_sha: base.sha.clone(),
        message: commit_message(operation, facts),
        files: changes.into_iter().map(|change| file_write(change, &before)).collect(),
    };
    let confirmed = bench.asked.writes("/repository/commits").await.answered;
    if confirmed >= MOST_COMMITS {
        let reason = say!("create.commit_not_there", branch = facts.branch.clone(), times = confirmed);
        return Err(Stop::failed(facts, Event::CreateFailed, reason));
    }
    let made = bench.forge.commit_files(&bench.scope.attempt(confirmed + 1), &project, &new).await;
    let commit = match made {
        Ok(commit) => commit,
        Err(error) => return Err(not_committed(bench, facts, &new, error).await?),
    };
    match bench.forge.branch(&bench.scope, &project, &facts.branch).await? {
        Some(head) if head.sha == commit.sha => Ok(head),
        _ => Err(Stop::Remote(RemoteError {
            class: ErrorClass::Ambiguous,
            remote: "gitlab",
            account: "bot".into(),
            status: None,
            message: format!("the commit {} was confirmed, but the branch does not show it", short(&commit.sha)),
            retry_after: None,
            body: None,
        })),
    }
}

/// What a refused commit means, where its status says more than its text: a file that is too large, a branch in the way.
async fn not_committed(
    bench: &Bench<'_>,
    facts: &Facts,
    new: &NewCommit,
    error: RemoteError,
) -> Result<Stop, RemoteError> {
    if error.is(413) {
        let bytes: usize = new.files.iter().map(FileWrite::size).sum();
        let size = format!("{:.1} MB", bytes as f64 / 1e6);
        let reason = say!("create.too_large", size = size, why = told(&error));
        return Ok(Stop::failed(facts, Event::CreateFailed, reason));
    }
    if error.is(400) && error.class == ErrorClass::Terminal {
        // Git keeps a branch as a file: where there is a branch `a`, there can be no `a/b`.
        for (end, _) in new.branch.match_indices('/') {
            let prefix = &new.branch[..end];
            if bench.forge.branch(&bench.scope, &project_of(facts), prefix).await?.is_some() {
                let reason = say!("create.branch_in_the_way", prefix = prefix, branch = new.branch.clone());
                return Ok(Stop::failed(facts, Event::CreateConflict, reason));
            }
        }
    }
    Ok(Stop::Remote(error))
}

type Before = BTreeMap<String, Option<RepoFile>>;

/// Each file that the plan touches, as it is at one commit.
pub async fn read_files(
    forge: &dyn Forge,
    scope: &Scope,
    project: &str,
    plan: &Plan,
    at: &str,
) -> RemoteResult<Before> {
    let mut files = Before::new();
    for path in plan.paths() {
        files.insert(path.to_owned(), forge.file(scope, project, path, at).await?);
    }
    Ok(files)
}

/// Renders against the newest target, unless the values that are edited are not what the requester saw.
fn render(facts: &Facts, plan: &Plan, before: &Before) -> Result<Vec<FileChange>, Stop> {
    let bytes = |path: &str| before.get(path).and_then(|file| file.as_ref().map(|file| file.bytes.clone()));
    let unrenderable = |why: String| Stop::failed(facts, Event::CreateFailed, say!("create.unrenderable", why = why));
    let now = plan.observe(&bytes).map_err(|error| unrenderable(error.to_string()))?;
    let changes = plan.apply(&bytes).map_err(|error| unrenderable(error.to_string()))?;
    if changes.is_empty() {
        let branch = facts.target_branch.clone();
        return Err(Stop::failed(facts, Event::CreateConflict, say!("create.nothing_left", branch = branch)));
    }
    if let Some(seen) = &facts.observed
        && let Some((place, _)) = now.iter().find(|(place, value)| seen.get(*place) != Some(value))
    {
        let reason = say!(
            "create.changed_meanwhile",
            place = place.clone(),
            saw = shown(seen.get(place)),
            now = shown(now.get(place)),
            branch = facts.target_branch.clone()
        );
        return Err(Stop::failed(facts, Event::CreateConflict, reason));
    }
    Ok(changes)
}

/// A value that was observed, as people read it.
fn shown(observed: Option<&serde_json::Value>) -> serde_json::Value {
    let observed = observed.unwrap_or(&serde_json::Value::Null);
    match (observed.get("value"), observed.get("sha256").and_then(|sha| sha.as_str())) {
        (Some(value), _) => value.to_string().into(),
        (None, Some(sha)) => say!("value.file", sha = short(sha)).into(),
        (None, None) => say!("value.absent").into(),
    }
}

fn file_write(change: FileChange, before: &Before) -> FileWrite {
    let last_commit_id =
        before.get(&change.path).and_then(|file| file.as_ref().map(|file| file.last_commit_id.clone()));
    let (path, content) = (change.path, change.after.unwrap_or_default());
    match change.action {
        FileAction::Create => FileWrite::Create { path, content },
        FileAction::Update => FileWrite::Update { path, content, last_commit_id },
        FileAction::Delete => FileWrite::Delete { path, last_commit_id },
    }
}

fn commit_message(operation: &Operation, facts: &Facts) -> String {
    format!("{}\n\n{}", facts.title, remote::mark(&operation.operation_id))
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
