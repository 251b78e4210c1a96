//! Merge requests: list, open, read, edit.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::mergeable::{Snapshot, shown_facts, snapshot};
use super::moves::{self, merge_request};
use super::pages::{Page, paged};
use super::views;
use crate::accounts::{PLACES, by_name};
use crate::clock::now;
use crate::state::{Check, MergeRequest, MrState};

/// The merge request that a path names.
pub(super) fn named(call: &Call) -> Result<Snapshot, Refuse> {
    let place = call.project()?;
    snapshot(&call.world, place.id, call.number("iid")?).ok_or_else(Refuse::not_found)
}

/// The merge request as it is now, for the answer of a call that changed it.
pub(super) async fn view(call: &Call, project: u64, iid: u64) -> Result<Value, Refuse> {
    let shot = snapshot(&call.world, project, iid).ok_or_else(Refuse::not_found)?;
    let facts = shown_facts(&call.world, &shot).await?;
    Ok(views::merge_request_in_full(&call.world, &shot, &facts, call.user.level).await?)
}

fn fits(call: &Call, mr: &MergeRequest) -> bool {
    let asked = |name: &str| call.asked(name).filter(|value| !value.is_empty());
    let iids: BTreeSet<&str> =
        call.query.iter().filter(|(name, _)| name == "iids[]").map(|(_, value)| value.as_str()).collect();
    let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    asked("state").is_none_or(|state| state == "all" || state == mr.state.word())
        && asked("source_branch").is_none_or(|branch| branch == mr.source)
        && asked("target_branch").is_none_or(|branch| branch == mr.target)
        && asked("author_username").is_none_or(|name| name == mr.author)
        && asked("author_id").is_none_or(|id| id == by_name(&mr.author).id.to_string())
        && asked("search").is_none_or(|part| match call.asked("in") {
            Some("title") => has(&mr.title, part),
            Some("description") => has(&mr.description, part),
            _ => has(&mr.title, part) || has(&mr.description, part),
        })
        && asked("labels").is_none_or(|labels| labels.split(',').all(|label| mr.labels.iter().any(|own| own == label)))
        && (iids.is_empty() || iids.contains(mr.iid.to_string().as_str()))
}

async fn list_of(call: &Call, projects: &[u64]) -> Answer {
    let by_update = call.asked("order_by") == Some("updated_at");
    let mut found: Vec<(i64, u64, u64)> = call.world.read(|state| {
        let all = projects.iter().filter_map(|id| state.projects.get(id).map(|project| (*id, project)));
        all.flat_map(|(id, project)| project.merge_requests.values().map(move |mr| (id, mr)))
            .filter(|(_, mr)| fits(call, mr))
            .map(|(id, mr)| (if by_update { mr.updated } else { mr.created }, id, mr.iid))
            .collect()
    });
    found.sort_unstable();
    if call.asked("sort") != Some("asc") {
        found.reverse();
    }
    let page = Page::of(call)?;
    let mut shown = Vec::new();
    for (_, project, iid) in page.slice(&found) {
        if let Some(shot) = snapshot(&call.world, *project, *iid) {
            let facts = shown_facts(&call.world, &shot).await?;
            shown.push(views::merge_request(&call.world, &shot, &facts));
        }
    }
    page.answer(call, shown, found.len())
}

pub(super) async fn list(call: Call) -> Answer {
    let place = call.project()?;
    list_of(&call, &[place.id]).await
}

pub(super) async fn list_all(call: Call) -> Answer {
    let all: Vec<u64> = PLACES.iter().map(|place| place.id).collect();
    list_of(&call, &all).await
}

pub(super) async fn create(call: Call) -> Answer {
    let place = call.project()?;
    call.need(&["source_branch", "target_branch", "title"])?;
    let text = |name| call.text(name).unwrap_or_default();
    let (source, target, title) = (text("source_branch"), text("target_branch"), text("title"));
    if source == target {
        let words = "You can't use same project/branch for source and target";
        return Err(Refuse::body(422, json!({ "message": [words] })));
    }
    if title.chars().count() > 255 {
        return Err(Refuse::body(400, json!({ "message": { "title": ["is too long (maximum is 255 characters)"] } })));
    }
    let repo = call.world.repo(place.id);
    let _held = repo.writing.lock().await;
    let missing = |field: &str| Refuse::body(400, json!({ "message": { field: ["does not exist"] } }));
    let head = repo.head(&source).ok_or_else(|| missing("source_branch"))?;
    let target_head = repo.head(&target).ok_or_else(|| missing("target_branch"))?;
    refuse_second(&call, place.id, &source, &target, None)?;
    let base = repo.merge_base(&head, &target_head).await?;
    let patch = repo.patch_id(&base, &head).await?;
    let words = repo.commit(&head).await?.message;
    let labels = labels(call.given("labels"));
    let (now, prepared) = (now(), call.world.after(call.world.options.pace.prepare));
    let iid = call.world.write(|state| {
        let id = state.next_id();
        let project = state.projects.entry(place.id).or_default();
        let iid = project.merge_requests.last_key_value().map_or(1, |(last, _)| last + 1);
        let mr = MergeRequest {
            id: 190_608_000 + id,
            iid,
            source,
            target,
            description: text("description"),
            author: call.user.username.to_owned(),
            created: now,
            updated: now,
            prepared,
            state: MrState::Opened,
            head: head.clone(),
            base,
            patch,
            check: None,
            approvals: Vec::new(),
            approvals_due: None,
            rebase: None,
            merge_error: None,
            merge_commit: None,
            squash_commit: None,
            result: None,
            merged_by: None,
            merged_at: None,
            closed_by: None,
            closed_at: None,
            squash: call.flag("squash") == Some(true),
            remove_source: call.flag("remove_source_branch") == Some(true),
            armed_by: None,
            deployed: None,
            labels,
            notes: Vec::new(),
            title: title.clone(),
        };
        project.merge_requests.insert(iid, mr);
        state.count("merge requests opened");
        moves::start_pipeline(&call.world, state, place.id, iid, &head, &format!("{words} {title}"));
        iid
    });
    repo.keep(&format!("refs/merge-requests/{iid}/head"), &head).await?;
    super::notes::obey(&call, place.id, iid, &text("description")).await?;
    ok(201, view(&call, place.id, iid).await?)
}

fn refuse_second(call: &Call, project: u64, source: &str, target: &str, but: Option<u64>) -> Result<(), Refuse> {
    let other = call.world.read(|state| {
        let mut all = state.projects.get(&project).into_iter().flat_map(|project| project.merge_requests.values());
        let same = |mr: &&MergeRequest| {
            mr.state == MrState::Opened && mr.source == source && mr.target == target && Some(mr.iid) != but
        };
        all.find(same).map(|mr| mr.iid)
    });
    let Some(iid) = other else { return Ok(()) };
    let words = format!("Another open merge request already exists for this source branch: !{iid}");
    Err(Refuse::body(409, json!({ "message": [words] })))
}

fn labels(given: Option<Value>) -> Vec<String> {
    match given {
        Some(Value::Array(labels)) => labels.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => text.split(',').filter(|label| !label.is_empty()).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// A single read also starts the test for conflicts where none is known, as with GitLab.
pub(super) async fn get(call: Call) -> Answer {
    let shot = named(&call)?;
    let found = shown_facts(&call.world, &shot).await?;
    let mut view = views::merge_request_in_full(&call.world, &shot, &found, call.user.level).await?;
    let (mr, repo) = (&shot.mr, call.world.repo(shot.project));
    if shot.check_word(&found) == "unchecked"
        && let Some(target) = found.target.clone()
    {
        let ready = call.world.after(call.world.options.pace.check);
        call.world.write(|state| {
            if let Some(stored) = merge_request(state, shot.project, mr.iid) {
                stored.check = Some(Check { head: mr.head.clone(), target, ready });
            }
        });
    }
    if call.flag("include_rebase_in_progress") == Some(true) {
        view["rebase_in_progress"] = json!(mr.rebase.is_some());
    }
    if call.flag("include_diverged_commits_count") == Some(true) {
        let behind = match repo.head(&mr.target) {
            Some(target) => repo.count(&mr.head, &target).await?,
            None => 0,
        };
        view["diverged_commits_count"] = json!(behind);
    }
    ok(200, view)
}

/// What a merge request can be edited in.
const EDITABLE: &[&str] = &[
    "state_event",
    "title",
    "description",
    "target_branch",
    "labels",
    "squash",
    "remove_source_branch",
    "reviewer_ids",
    "assignee_id",
    "assignee_ids",
    "milestone_id",
    "discussion_locked",
    "allow_collaboration",
];

pub(super) async fn update(call: Call) -> Answer {
    let shot = named(&call)?;
    if !EDITABLE.iter().any(|name| call.given(name).is_some()) {
        let names = EDITABLE.join(", ");
        return Err(Refuse::error(400, format!("{names} are missing, at least one parameter must be provided")));
    }
    let (project, iid) = (shot.project, shot.mr.iid);
    let repo = call.world.repo(project);
    let _held = repo.writing.lock().await;
    match call.text("state_event").as_deref() {
        None => {}
        Some("close") => {
            moves::close(&call.world, project, iid, call.user.username);
        }
        Some("reopen") => {
            refuse_second(&call, project, &shot.mr.source, &shot.mr.target, Some(iid))?;
            moves::reopen(&call.world, project, iid, call.user.username).await?;
        }
        Some(_) => return Err(Refuse::error(400, "state_event does not have a valid value")),
    }
    if let Some(target) = call.text("target_branch").filter(|target| *target != shot.mr.target) {
        let head = repo.head(&target);
        let head =
            head.ok_or_else(|| Refuse::body(400, json!({ "message": { "target_branch": ["does not exist"] } })))?;
        let base = repo.merge_base(&shot.mr.head, &head).await?;
        let patch = repo.patch_id(&base, &shot.mr.head).await?;
        call.world.write(|state| {
            if let Some(mr) = merge_request(state, project, iid) {
                (mr.target, mr.base, mr.patch, mr.check) = (target, base, patch, None);
            }
        });
    }
    call.world.write(|state| {
        let Some(mr) = merge_request(state, project, iid) else { return };
        mr.updated = now();
        if let Some(title) = call.text("title") {
            mr.title = title;
        }
        if let Some(description) = call.text("description") {
            mr.description = description;
        }
        if let Some(given) = call.given("labels") {
            mr.labels = labels(Some(given));
        }
        mr.squash = call.flag("squash").unwrap_or(mr.squash);
        mr.remove_source = call.flag("remove_source_branch").unwrap_or(mr.remove_source);
    });
    ok(200, view(&call, project, iid).await?)
}

pub(super) async fn commits(call: Call) -> Answer {
    let shot = named(&call)?;
    let place = call.project()?;
    let found = call.world.repo(place.id).log(&format!("{}..{}", shot.mr.base, shot.mr.head), None).await?;
    paged(&call, &found.iter().map(|commit| views::commit(&call.world, place, commit)).collect::<Vec<_>>())
}

pub(super) async fn diffs(call: Call) -> Answer {
    let shot = named(&call)?;
    let files = call.world.repo(shot.project).diff(Some(&shot.mr.base), &shot.mr.head, 3).await?;
    paged(&call, &files.iter().map(views::diff).collect::<Vec<_>>())
}

pub(super) async fn changes(call: Call) -> Answer {
    let shot = named(&call)?;
    let mut view = view(&call, shot.project, shot.mr.iid).await?;
    let files = call.world.repo(shot.project).diff(Some(&shot.mr.base), &shot.mr.head, 3).await?;
    view["changes"] = files.iter().map(views::diff).collect();
    view["overflow"] = json!(false);
    ok(200, view)
}
