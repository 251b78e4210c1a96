//! The merge itself.

use serde_json::json;

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::layer::Met;
use super::merge_requests::{named, view};
use super::mergeable::{Snapshot, facts, snapshot};
use super::moves::{self, Moved, merge_request};
use crate::clock::now;
use crate::git::{GitError, Merged};
use crate::meddle;
use crate::state::{MrState, Work};
use crate::world::World;

/// The pause between two looks whether an armed merge can go ahead.
const LOOK_MS: i64 = 300;
/// The source branch is removed so long after the merge.
const REMOVE_MS: i64 = 500;

pub(super) async fn merge(call: Call) -> Answer {
    let project = call.project()?.id;
    if call.user.level < 40 {
        return Err(Refuse::message(401, "401 Unauthorized"));
    }
    let repo = call.world.repo(project);
    let _held = repo.writing.lock().await;
    let mut shot = named(&call)?;
    let iid = shot.mr.iid;
    if call.text("sha").is_some_and(|sha| !sha.is_empty() && sha != shot.mr.head) {
        return Err(Refuse::message(409, format!("SHA does not match HEAD of source branch: {}", shot.mr.head)));
    }
    call.world.write(|state| {
        if let Some(mr) = merge_request(state, project, iid).filter(|mr| mr.state == MrState::Opened) {
            mr.squash = call.flag("squash").unwrap_or(mr.squash);
            mr.remove_source |= call.flag("should_remove_source_branch") == Some(true);
        }
    });
    let mut found = facts(&call.world, &shot).await?;
    let mut met = None;
    if shot.blocker(&found, true).is_none() {
        met = meddle::before_merge(&call.world, &shot).await?;
        shot = named(&call)?;
        found = facts(&call.world, &shot).await?;
    }
    let armed = ["auto_merge", "merge_when_pipeline_succeeds"].iter().any(|name| call.flag(name) == Some(true));
    let mut answer = match shot.blocker(&found, true) {
        Some("ci_still_running") if armed => {
            arm(&call, project, iid);
            ok(200, view(&call, project, iid).await?)
        }
        Some(_) => Err(Refuse::message(405, "405 Method Not Allowed")),
        None if call.world.take("gitlab.merge_lies") => {
            met = Some("gitlab.merge_lies");
            call.world.write(|state| {
                if let Some(mr) = merge_request(state, project, iid) {
                    mr.merge_error = Some("Merge failed: something went wrong while merging".to_owned());
                }
            });
            ok(200, view(&call, project, iid).await?)
        }
        None => match merge_now(&call.world, &shot, call.user.username).await? {
            true => ok(200, view(&call, project, iid).await?),
            false => Err(Refuse::message(422, "Branch cannot be merged")),
        },
    };
    if let Some(met) = met {
        answer = Ok(axum::response::IntoResponse::into_response((axum::Extension(Met(met)), answer)));
    }
    answer
}

fn arm(call: &Call, project: u64, iid: u64) {
    call.world.write(|state| {
        if let Some(mr) = merge_request(state, project, iid) {
            mr.armed_by = Some(call.user.username.to_owned());
        }
        state.count("merges armed");
    });
    call.world.schedule(now() + LOOK_MS, Work::MergeWhenGreen { project, iid });
}

/// Merges what can be merged. The caller holds the repository and has looked. False when git finds a conflict after all.
async fn merge_now(world: &World, shot: &Snapshot, by: &str) -> Result<bool, GitError> {
    let (mr, project) = (&shot.mr, shot.project);
    let repo = world.repo(project);
    let Some(target) = repo.head(&mr.target) else { return Ok(false) };
    let committer = moves::person(by);
    let mut source = mr.head.clone();
    let mut squashed = None;
    if mr.squash {
        let tree = repo.commit(&source).await?.tree;
        source = repo.write_commit(&tree, &[&mr.base], &mr.title, &moves::person(&mr.author), &committer).await?;
        squashed = Some(source.clone());
    }
    let straight = shot.method() == "ff" && repo.contains(&source, &target).await?;
    let result = if straight {
        source
    } else {
        let Merged::Tree(tree) = repo.merge(&target, &source).await? else { return Ok(false) };
        let message = moves::merge_message(project, mr);
        repo.write_commit(&tree, &[&target, &source], &message, &committer, &committer).await?
    };
    repo.move_branch(&mr.target, &result, Some(&target)).await?;
    let deploy = now() + world.value("pace.deploy") as i64;
    world.write(|state| {
        if let Some(stored) = merge_request(state, project, mr.iid) {
            moves::merged(stored, by, &result);
            stored.merge_commit = (!straight).then(|| result.clone());
            stored.squash_commit = squashed;
        }
        state.count("merge requests merged");
        state.schedule(deploy, Work::Deploy { project, iid: mr.iid });
        if mr.remove_source {
            let (branch, sha) = (mr.source.clone(), mr.head.clone());
            state.schedule(now() + REMOVE_MS, Work::RemoveBranch { project, branch, sha });
        }
    });
    world.agenda.notify_one();
    let moved = Moved { project, branch: &mr.target, old: Some(&target), new: &result, by };
    moves::branch_moved(world, moved).await?;
    Ok(true)
}

/// Looks once whether an armed merge can go ahead. True while it has to be looked at again.
pub(crate) async fn merge_when_green(world: &World, project: u64, iid: u64) -> Result<bool, GitError> {
    let _held = world.repo(project).writing.lock().await;
    let Some(shot) = snapshot(world, project, iid) else { return Ok(false) };
    let Some(by) = shot.mr.armed_by.clone().filter(|_| shot.mr.state == MrState::Opened) else { return Ok(false) };
    let found = facts(world, &shot).await?;
    match shot.blocker(&found, true) {
        None => {
            merge_now(world, &shot, &by).await?;
            Ok(false)
        }
        Some(_) => Ok(true),
    }
}

/// Merges as a person who may override every rule; only a conflict stops it. The caller holds the repository.
pub(crate) async fn merge_by_hand(world: &World, project: u64, iid: u64, by: &str) -> Result<bool, GitError> {
    match snapshot(world, project, iid) {
        Some(shot) if shot.mr.state == MrState::Opened => merge_now(world, &shot, by).await,
        _ => Ok(false),
    }
}

pub(super) async fn cancel_armed(call: Call) -> Answer {
    let shot = named(&call)?;
    if shot.mr.armed_by.is_none() {
        let text = "Can't cancel the automatic merge";
        return Err(Refuse::body(406, json!({ "status": "error", "message": text, "http_status": 406 })));
    }
    call.world.write(|state| {
        if let Some(mr) = merge_request(state, shot.project, shot.mr.iid) {
            mr.armed_by = None;
        }
    });
    ok(201, json!({ "status": "success" }))
}
