//! Commits: list, read, and the commit made of actions.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::answer::{Answer, Refuse, ok};
use super::branches::check_new;
use super::call::Call;
use super::mergeable::{shown_facts, snapshot};
use super::moves::{self, Moved};
use super::pages::{Page, paged};
use super::views;
use crate::accounts::{DEFAULT_BRANCH, Place};
use crate::git::{Commit, Edit, EditError};

impl From<EditError> for Refuse {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Git(error) => error.into(),
            other => Self::message(400, other.to_string()),
        }
    }
}

pub(super) async fn list(call: Call) -> Answer {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let reference = call.asked("ref_name").filter(|name| !name.is_empty()).unwrap_or(DEFAULT_BRANCH);
    let range = match reference.split_once("..") {
        None => match repo.resolve(reference).await {
            Some(sha) => sha,
            None => return paged(&call, &[]),
        },
        Some((from, to)) => {
            let (dots, to) = to.strip_prefix('.').map_or(("..", to), |to| ("...", to));
            format!("{}{dots}{}", named(&call, place, from).await?, named(&call, place, to).await?)
        }
    };
    let found = repo.log(&range, call.asked("path").filter(|path| !path.is_empty())).await?;
    let page = Page::of(&call)?;
    let shown = page.slice(&found).iter().map(|commit| views::commit(&call.world, place, commit)).collect();
    page.answer(&call, shown, found.len())
}

/// The commit id behind a name, or GitLab's 404.
pub(super) async fn named(call: &Call, place: &Place, reference: &str) -> Result<String, Refuse> {
    let found = call.world.repo(place.id).resolve(reference).await;
    found.ok_or_else(|| Refuse::message(404, "404 Commit Not Found"))
}

pub(super) async fn get(call: Call) -> Answer {
    let place = call.project()?;
    let sha = named(&call, place, call.param("sha")).await?;
    let commit = call.world.repo(place.id).commit(&sha).await?;
    ok(200, views::commit_in_full(&call.world, place, &commit).await?)
}

pub(super) async fn diff(call: Call) -> Answer {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let commit = repo.commit(&named(&call, place, call.param("sha")).await?).await?;
    let files = repo.diff(commit.parents.first().map(String::as_str), &commit.sha, 3).await?;
    paged(&call, &files.iter().map(views::diff).collect::<Vec<_>>())
}

/// The branches that contain a commit.
pub(super) async fn refs(call: Call) -> Answer {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let sha = named(&call, place, call.param("sha")).await?;
    let mut found = Vec::new();
    for (name, head) in repo.branches() {
        if repo.contains(&head, &sha).await? {
            found.push(json!({ "type": "branch", "name": name }));
        }
    }
    paged(&call, &found)
}

/// The merge requests that a commit belongs to or came from.
pub(super) async fn merge_requests(call: Call) -> Answer {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let sha = named(&call, place, call.param("sha")).await?;
    let all: Vec<(u64, String, String, bool)> = call.world.read(|state| {
        let found = state.projects.get(&place.id).into_iter().flat_map(|project| project.merge_requests.values().rev());
        let made = |commit: &Option<String>| commit.as_deref() == Some(sha.as_str());
        found
            .map(|mr| (mr.iid, mr.base.clone(), mr.head.clone(), made(&mr.merge_commit) || made(&mr.squash_commit)))
            .collect()
    });
    let mut items = Vec::new();
    for (iid, base, head, made) in all {
        let inside = made || repo.contains(&head, &sha).await? && !repo.contains(&base, &sha).await?;
        if let Some(shot) = snapshot(&call.world, place.id, iid).filter(|_| inside) {
            let facts = shown_facts(&call.world, &shot).await?;
            items.push(views::merge_request(&call.world, &shot, &facts));
        }
    }
    paged(&call, &items)
}

pub(super) async fn create(call: Call) -> Answer {
    let place = call.project()?;
    call.need(&["branch", "commit_message"])?;
    let actions = match call.given("actions") {
        Some(Value::Array(actions)) if !actions.is_empty() => actions,
        _ => return Err(Refuse::error(400, "actions is missing")),
    };
    let edits = actions.iter().map(edit).collect::<Result<Vec<_>, _>>()?;
    let commit = commit(&call, place, &edits).await?;
    ok(201, views::commit_in_full(&call.world, place, &commit).await?)
}

/// Makes one commit of edits on the branch that the call names, creating it where a start is given.
pub(super) async fn commit(call: &Call, place: &'static Place, edits: &[Edit]) -> Result<Commit, Refuse> {
    let branch = call.text("branch").unwrap_or_default();
    let start_sha = call.text("start_sha").filter(|sha| !sha.is_empty());
    let start_branch = call.text("start_branch").filter(|name| !name.is_empty());
    if start_sha.is_some() && start_branch.is_some() {
        return Err(Refuse::error(400, "start_branch, start_sha are mutually exclusive"));
    }
    if !moves::may_push(call.user.level, &branch) {
        return Err(Refuse::message(403, "403 Forbidden - You are not allowed to push into this branch"));
    }
    let repo = call.world.repo(place.id);
    let _held = repo.writing.lock().await;
    let head = repo.head(&branch);
    let start_branch = start_branch.filter(|name| *name != branch);
    let from_elsewhere = start_sha.is_some() || start_branch.is_some();
    if from_elsewhere && head.is_some() && call.flag("force") != Some(true) {
        let text = format!("A branch called '{branch}' already exists. Switch to that branch in order to make changes");
        return Err(Refuse::message(400, text));
    }
    let not_on_branch = || Refuse::message(400, "You can only create or edit files when you are on a branch");
    let start = match (&start_sha, &start_branch) {
        (Some(sha), _) => {
            repo.resolve(sha).await.ok_or_else(|| Refuse::message(400, format!("Cannot find start_sha '{sha}'")))?
        }
        (None, Some(name)) => repo.head(name).ok_or_else(not_on_branch)?,
        (None, None) => head.clone().ok_or_else(not_on_branch)?,
    };
    if head.is_none() {
        check_new(repo, &branch)?;
    }
    let tree = repo.edit_tree(&start, edits).await?;
    let committer = moves::person(call.user.username);
    let mut author = committer.clone();
    author.name = call.text("author_name").unwrap_or(author.name);
    author.email = call.text("author_email").unwrap_or(author.email);
    let message = call.text("commit_message").unwrap_or_default();
    let sha = repo.write_commit(&tree, &[&start], &message, &author, &committer).await?;
    repo.move_branch(&branch, &sha, head.as_deref()).await?;
    call.world.count("commits made");
    let moved = Moved { project: place.id, branch: &branch, old: head.as_deref(), new: &sha, by: call.user.username };
    moves::branch_moved(&call.world, moved).await?;
    Ok(repo.commit(&sha).await?)
}

/// One action of the request's list.
pub(super) fn edit(action: &Value) -> Result<Edit, Refuse> {
    let text = |name: &str| action.get(name).and_then(Value::as_str).map(str::to_owned);
    let path = text("file_path").filter(|path| !path.is_empty());
    let path = path.ok_or_else(|| Refuse::error(400, "actions[0][file_path] is missing"))?;
    let previous = text("previous_path");
    for path in std::iter::once(&path).chain(previous.as_ref()) {
        check_path(path)?;
    }
    let content = match (text("content"), text("encoding").as_deref()) {
        (None, _) => None,
        (Some(content), Some("base64")) => {
            let bytes = STANDARD.decode(content.trim());
            Some(bytes.map_err(|_| Refuse::error(400, "actions[0][content] is invalid"))?)
        }
        (Some(content), _) => Some(content.into_bytes()),
    };
    let seen = text("last_commit_id");
    match text("action").as_deref() {
        Some("create") => Ok(Edit::Create { path, content: content.unwrap_or_default() }),
        Some("update") => Ok(Edit::Update { path, content: content.unwrap_or_default(), seen }),
        Some("delete") => Ok(Edit::Delete { path, seen }),
        Some("move") => {
            let from = previous.ok_or_else(|| Refuse::error(400, "actions[0][previous_path] is missing"))?;
            Ok(Edit::Move { path, from, content, seen })
        }
        Some("chmod") => {
            let executable = action.get("execute_filemode").and_then(Value::as_bool).unwrap_or(false);
            Ok(Edit::Chmod { path, executable })
        }
        _ => Err(Refuse::error(400, "actions[0][action] does not have a valid value")),
    }
}

fn check_path(path: &str) -> Result<(), Refuse> {
    if path.split('/').any(|part| part == "..") {
        return Err(Refuse::message(400, "Path cannot include directory traversal"));
    }
    let bad = |part: &str| part.is_empty() || part == "." || part.eq_ignore_ascii_case(".git");
    if path.split('/').any(bad) || path.contains(['\0', '\n']) {
        return Err(Refuse::message(400, format!("invalid path: '{path}'")));
    }
    Ok(())
}
