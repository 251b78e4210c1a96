//! The commit: rendered on the newest target, made in one call on a branch of its own, and read back.

use std::collections::BTreeMap;

use crate::{
    documents::{
        file_diff::{FileAction, FileChange},
        render::Plan,
    },
    flow::Event,
    ports::{
        error::{ErrorClass, RemoteError, RemoteResult},
        forge::{Commit, FileWrite, Forge, NewCommit, RepoFile},
        journal::Scope,
    },
    say,
    stages::{
        Bench,
        outcome::told,
        remote::{self, project_of},
    },
    store::operation::{Facts, Operation},
    words::short,
};

use super::Stop;

/// A commit that is confirmed and not to be found on its branch is made again so often.
const MOST_COMMITS: u32 = 3;

/// Renders the change on the newest target and commits it on a branch of its own, in one call; then reads it back.
pub(super) async fn make(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    plan: &Plan,
) -> Result<Commit, Stop> {
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
