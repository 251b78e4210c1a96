//! Rebase as a job: asked for now, done a moment later.

use std::time::Duration;

use serde_json::json;

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::merge_requests::named;
use super::moves::{self, Moved, merge_request};
use crate::git::{GitError, Rebased};
use crate::meddle;
use crate::state::{MrState, Rebase, Work};
use crate::world::World;

/// GitLab's words for a rebase that did not work.
const FAILED: &str = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch.";

/// GitLab takes a rebase for running so long after its job was lost.
const STUCK: Duration = Duration::from_secs(30 * 60);

pub(super) async fn ask(call: Call) -> Answer {
    let project = call.project()?.id;
    let repo = call.world.repo(project);
    let _held = repo.writing.lock().await;
    let shot = named(&call)?;
    if shot.mr.state != MrState::Opened || shot.mr.rebase.is_some() {
        return Err(Refuse::message(409, "409 Conflict: Resource lock"));
    }
    if repo.head(&shot.mr.source).is_none() {
        return Err(Refuse::message(403, "403 Forbidden - Source branch does not exist"));
    }
    if !moves::may_push(call.user.level, &shot.mr.source) {
        return Err(Refuse::message(403, "403 Forbidden - Cannot push to source branch"));
    }
    let skip_ci = call.flag("skip_ci") == Some(true);
    let iid = shot.mr.iid;
    call.world.write(|state| {
        if let Some(mr) = merge_request(state, project, iid) {
            mr.rebase = Some(Rebase { by: call.user.username.to_owned(), skip_ci });
        }
        state.count("rebases asked for");
    });
    let takes = if call.world.take("gitlab.rebase_stuck") { STUCK } else { call.world.options.pace.rebase };
    call.world.schedule(call.world.after(takes), Work::Rebase { project, iid });
    ok(202, json!({ "rebase_in_progress": true }))
}

/// Does the rebase that was asked for.
pub(crate) async fn finish(world: &World, project: u64, iid: u64) -> Result<(), GitError> {
    let repo = world.repo(project);
    let _held = repo.writing.lock().await;
    let job = world.read(|state| {
        let mr = state.projects.get(&project)?.merge_requests.get(&iid)?;
        let rebase = mr.rebase.clone()?;
        (mr.state == MrState::Opened).then(|| (rebase, mr.source.clone(), mr.target.clone()))
    });
    let outcome = match &job {
        Some((rebase, source, target)) => match meddle::before_rebase(world, project, iid).await {
            Ok(()) => replay(world, project, rebase, source, target).await,
            Err(error) => Err(error),
        },
        None => Ok(None),
    };
    let error = match &outcome {
        Ok(error) => *error,
        Err(_) => Some(FAILED),
    };
    world.write(|state| {
        let Some(mr) = merge_request(state, project, iid) else { return };
        mr.rebase = None;
        if job.is_some() {
            mr.merge_error = error.map(str::to_owned);
            mr.updated = crate::clock::now();
        }
        if error.is_some() {
            state.count("rebases failed");
        }
    });
    outcome.map(drop)
}

/// Replays the source branch on its target. Answers the text of a failure.
async fn replay(
    world: &World,
    project: u64,
    rebase: &Rebase,
    source: &str,
    target: &str,
) -> Result<Option<&'static str>, GitError> {
    let repo = world.repo(project);
    let (Some(head), Some(onto)) = (repo.head(source), repo.head(target)) else { return Ok(Some(FAILED)) };
    if repo.contains(&head, &onto).await? {
        return Ok(None);
    }
    match repo.rebase(&head, &onto, &moves::person(&rebase.by)).await? {
        Rebased::Conflict(paths) => {
            tracing::info!(project, ?paths, "a practice rebase met a conflict");
            Ok(Some(FAILED))
        }
        Rebased::Head(tip) => {
            repo.move_branch(source, &tip, Some(&head)).await?;
            if rebase.skip_ci {
                skip_pipeline(world);
            }
            let moved = Moved { project, branch: source, old: Some(&head), new: &tip, by: &rebase.by };
            moves::branch_moved(world, moved).await?;
            world.count("rebases done");
            Ok(None)
        }
    }
}

/// The head that comes next gets no pipeline of its own.
fn skip_pipeline(world: &World) {
    world.write(|state| {
        let left = world.switches.value(state, "pipeline.none_next");
        // the switch takes numbers, so this cannot be refused
        let _ = world.switches.set(state, "pipeline.none_next", &json!(left + 1));
    });
}
