//! How things look in an answer.

use serde_json::{Value, json};

use super::mergeable::{Facts, Snapshot};
use crate::accounts::{DEFAULT_BRANCH, Place, by_name, place};
use crate::clock::{Millis, iso, now};
use crate::git::{Commit, FileDiff, GitError};
use crate::state::{MrState, Pipeline};
use crate::world::World;

pub(crate) fn user(world: &World, username: &str) -> Value {
    let account = by_name(username);
    json!({
        "id": account.id, "username": account.username, "name": account.name, "state": "active", "locked": false,
        "avatar_url": null, "web_url": format!("{}/{}", world.urls().gitlab, account.username),
    })
}

fn perhaps_user(world: &World, username: Option<&String>) -> Value {
    username.map_or(Value::Null, |name| user(world, name))
}

fn perhaps_time(at: Option<Millis>) -> Value {
    at.map_or(Value::Null, |at| json!(iso(at)))
}

pub(crate) fn commit(world: &World, place: &Place, commit: &Commit) -> Value {
    let title = commit.message.lines().next().unwrap_or_default();
    json!({
        "id": commit.sha, "short_id": &commit.sha[..8], "created_at": commit.committer.at.to_rfc3339(),
        "parent_ids": commit.parents, "title": title, "message": commit.message,
        "author_name": commit.author.name, "author_email": commit.author.email,
        "authored_date": commit.author.at.to_rfc3339(), "committer_name": commit.committer.name,
        "committer_email": commit.committer.email, "committed_date": commit.committer.at.to_rfc3339(), "trailers": {},
        "web_url": format!("{}/{}/-/commit/{}", world.urls().gitlab, place.path, commit.sha),
    })
}

/// A commit with its numbers and its last pipeline.
pub(crate) async fn commit_in_full(world: &World, place: &Place, found: &Commit) -> Result<Value, GitError> {
    let parent = found.parents.first().map(String::as_str);
    let (added, removed) = world.repo(place.id).stats(parent, &found.sha).await?;
    let now = now();
    let last = world.read(|state| {
        let mut pipelines = state.projects.get(&place.id).into_iter().flat_map(|project| project.pipelines.values());
        pipelines.rfind(|pipeline| pipeline.sha == found.sha && pipeline.created <= now).cloned()
    });
    let mut view = commit(world, place, found);
    view["stats"] = json!({ "additions": added, "deletions": removed, "total": added + removed });
    view["status"] = json!(last.as_ref().and_then(|pipeline| pipeline.status(now)));
    view["project_id"] = json!(place.id);
    view["last_pipeline"] = last.map_or(Value::Null, |last| pipeline(world, place, &last, now, false));
    Ok(view)
}

pub(crate) async fn branch(world: &World, place: &Place, name: &str, sha: &str, level: u64) -> Result<Value, GitError> {
    let found = world.repo(place.id).commit(sha).await?;
    let default = name == DEFAULT_BRANCH;
    Ok(json!({
        "name": name, "commit": commit(world, place, &found), "merged": false, "protected": default,
        "developers_can_push": false, "developers_can_merge": false,
        "can_push": level >= if default { 40 } else { 30 }, "default": default,
        "web_url": format!("{}/{}/-/tree/{}", world.urls().gitlab, place.path, name),
    }))
}

pub(crate) fn diff(file: &FileDiff) -> Value {
    json!({
        "old_path": file.path, "new_path": file.path, "a_mode": file.old_mode, "b_mode": file.new_mode,
        "diff": file.hunks, "new_file": file.added(), "renamed_file": false, "deleted_file": file.deleted(),
        "generated_file": false, "collapsed": false, "too_large": false,
    })
}

pub(crate) fn pipeline(world: &World, place: &Place, pipeline: &Pipeline, now: Millis, full: bool) -> Value {
    let status = pipeline.status(now).unwrap_or("created");
    let url = format!("{}/{}/-/pipelines/{}", world.urls().gitlab, place.path, pipeline.id);
    let updated = [pipeline.finished, pipeline.running, pipeline.created].into_iter().find(|at| *at <= now);
    let mut view = json!({
        "id": pipeline.id, "iid": pipeline.iid, "project_id": place.id, "sha": pipeline.sha, "ref": pipeline.reference,
        "status": status, "source": pipeline.source, "created_at": iso(pipeline.created),
        "updated_at": iso(updated.unwrap_or(pipeline.created)), "web_url": url,
    });
    if full {
        let ended = now >= pipeline.finished;
        let begun = now >= pipeline.running;
        let label = if status == "success" { "passed" } else { status };
        let seconds = |from: Millis, to: Millis| json!((to - from) / 1000);
        view["before_sha"] = json!("0".repeat(40));
        view["tag"] = json!(false);
        view["yaml_errors"] = Value::Null;
        view["user"] = user(world, crate::accounts::BOT);
        view["started_at"] = perhaps_time(begun.then_some(pipeline.running));
        view["finished_at"] = perhaps_time(ended.then_some(pipeline.finished));
        view["committed_at"] = Value::Null;
        view["duration"] = if ended { seconds(pipeline.running, pipeline.finished) } else { Value::Null };
        view["queued_duration"] = if begun { seconds(pipeline.created, pipeline.running) } else { Value::Null };
        view["coverage"] = Value::Null;
        view["detailed_status"] = json!({
            "icon": format!("status_{status}"), "text": label, "label": label, "group": status, "tooltip": label,
            "has_details": true, "details_path": format!("/{}/-/pipelines/{}", place.path, pipeline.id),
            "illustration": null,
        });
        view["name"] = Value::Null;
    }
    view
}

/// A merge request as in a list.
pub(crate) fn merge_request(world: &World, shot: &Snapshot, facts: &Facts) -> Value {
    let (mr, place, base) = (&shot.mr, place(shot.project), world.urls().gitlab);
    let detailed = shot.blocker(facts, false).unwrap_or("mergeable");
    let draft = shot.draft();
    let who = mr.merged_by.as_ref().or(mr.armed_by.as_ref());
    let conflict = mr.state == MrState::Opened && shot.check_word(facts) == "cannot_be_merged";
    let who_and_what = json!({
        "id": mr.id, "iid": mr.iid, "project_id": place.id, "title": mr.title, "description": mr.description,
        "state": mr.state.word(), "created_at": iso(mr.created), "updated_at": iso(mr.updated),
        "merged_by": perhaps_user(world, mr.merged_by.as_ref()), "merge_user": perhaps_user(world, who),
        "merged_at": perhaps_time(mr.merged_at), "closed_by": perhaps_user(world, mr.closed_by.as_ref()),
        "closed_at": perhaps_time(mr.closed_at), "target_branch": mr.target, "source_branch": mr.source,
        "user_notes_count": mr.notes.iter().filter(|note| !note.system).count(), "upvotes": 0, "downvotes": 0,
        "author": user(world, &mr.author), "assignees": [], "assignee": null, "reviewers": [],
        "source_project_id": place.id, "target_project_id": place.id, "labels": mr.labels, "draft": draft,
        "work_in_progress": draft, "milestone": null,
    });
    let reference = format!("!{}", mr.iid);
    let full = format!("{}{reference}", place.path);
    let where_it_stands = json!({
        "merge_when_pipeline_succeeds": mr.armed_by.is_some(),
        "merge_status": shot.check_word(facts), "detailed_merge_status": detailed, "sha": mr.head,
        "merge_commit_sha": mr.merge_commit, "squash_commit_sha": mr.squash_commit, "discussion_locked": null,
        "should_remove_source_branch": null, "force_remove_source_branch": mr.remove_source.then_some(true),
        "prepared_at": perhaps_time((shot.now >= mr.prepared).then_some(mr.prepared)),
        "reference": reference, "references": { "short": reference, "relative": reference, "full": full },
        "web_url": format!("{base}/{}/-/merge_requests/{}", place.path, mr.iid),
        "time_stats": {
            "time_estimate": 0, "total_time_spent": 0, "human_time_estimate": null, "human_total_time_spent": null,
        },
        "squash": mr.squash, "task_completion_status": { "count": 0, "completed_count": 0 },
        "has_conflicts": conflict, "blocking_discussions_resolved": true, "approvals_before_merge": null,
    });
    join(who_and_what, where_it_stands)
}

/// One object with the fields of both.
fn join(mut first: Value, second: Value) -> Value {
    if let (Value::Object(first), Value::Object(second)) = (&mut first, second) {
        first.extend(second);
    }
    first
}

/// A merge request as a single read shows it.
pub(crate) async fn merge_request_in_full(
    world: &World,
    shot: &Snapshot,
    facts: &Facts,
    level: u64,
) -> Result<Value, GitError> {
    let (mr, place) = (&shot.mr, place(shot.project));
    let prepared = shot.now >= mr.prepared;
    let mut view = merge_request(world, shot, facts);
    let changes = match prepared {
        true => json!(world.repo(place.id).changed_files(&mr.base, &mr.head).await?.to_string()),
        false => Value::Null,
    };
    let shown = shot.head_pipeline().filter(|_| prepared);
    let pipe = |full| shown.map_or(Value::Null, |found| pipeline(world, place, found, shot.now, full));
    view["subscribed"] = json!(true);
    view["changes_count"] = changes;
    view["latest_build_started_at"] = Value::Null;
    view["latest_build_finished_at"] = Value::Null;
    view["first_deployed_to_production_at"] = Value::Null;
    view["pipeline"] = pipe(false);
    view["head_pipeline"] = pipe(true);
    view["diff_refs"] = match prepared {
        true => json!({ "base_sha": mr.base, "head_sha": mr.head, "start_sha": mr.base }),
        false => Value::Null,
    };
    view["merge_error"] = json!(mr.merge_error);
    view["first_contribution"] = json!(false);
    view["user"] = json!({ "can_merge": level >= 40 });
    Ok(view)
}
