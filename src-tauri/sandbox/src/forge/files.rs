//! Files and folders at a ref, and the calls that change a single file.

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::answer::{Answer, Refuse, ok, raw, set_header};
use super::call::Call;
use super::commits::{commit, edit, named};
use super::pages::paged;
use crate::accounts::DEFAULT_BRANCH;

struct Found {
    path: String,
    reference: String,
    content: Vec<u8>,
    blob: String,
    commit: String,
    last_commit: String,
    digest: String,
}

async fn find(call: &Call, reference: &str) -> Result<Found, Refuse> {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let path = call.param("path").to_owned();
    let commit = named(call, place, reference).await?;
    let file = repo.file(&commit, &path).await?;
    let (content, blob) = file.ok_or_else(|| Refuse::message(404, "404 File Not Found"))?;
    let last_commit = repo.last_commit_for(&path, &commit).await?;
    let digest = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Found { path, reference: reference.to_owned(), content, blob, commit, last_commit, digest })
}

fn describe(response: &mut Response, found: &Found) {
    let size = found.content.len().to_string();
    let headers: [(&str, &str); 8] = [
        ("x-gitlab-blob-id", &found.blob),
        ("x-gitlab-commit-id", &found.commit),
        ("x-gitlab-content-sha256", &found.digest),
        ("x-gitlab-encoding", "base64"),
        ("x-gitlab-file-path", &found.path),
        ("x-gitlab-last-commit-id", &found.last_commit),
        ("x-gitlab-ref", &found.reference),
        ("x-gitlab-size", &size),
    ];
    for (name, value) in headers {
        set_header(response, name, value);
    }
}

pub(super) async fn get(call: Call) -> Answer {
    let Some(reference) = call.asked("ref").filter(|name| !name.is_empty()) else {
        return Err(Refuse::error(400, "ref is missing"));
    };
    let found = find(&call, reference).await?;
    let name = found.path.rsplit('/').next().unwrap_or(&found.path);
    let view = json!({
        "file_name": name, "file_path": found.path, "size": found.content.len(), "encoding": "base64",
        "content": STANDARD.encode(&found.content), "content_sha256": found.digest, "ref": found.reference,
        "blob_id": found.blob, "commit_id": found.commit, "last_commit_id": found.last_commit,
        "execute_filemode": false,
    });
    let mut response = ok(200, view)?;
    describe(&mut response, &found);
    Ok(response)
}

pub(super) async fn get_raw(call: Call) -> Answer {
    let reference = call.asked("ref").filter(|name| !name.is_empty()).unwrap_or(DEFAULT_BRANCH);
    let found = find(&call, reference).await?;
    let mut response = raw(found.content.clone());
    describe(&mut response, &found);
    Ok(response)
}

pub(super) async fn create(call: Call) -> Answer {
    change(&call, "create").await?;
    ok(201, json!({ "file_path": call.param("path"), "branch": call.text("branch") }))
}

pub(super) async fn update(call: Call) -> Answer {
    change(&call, "update").await?;
    ok(200, json!({ "file_path": call.param("path"), "branch": call.text("branch") }))
}

pub(super) async fn delete(call: Call) -> Answer {
    change(&call, "delete").await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn change(call: &Call, action: &str) -> Result<(), Refuse> {
    let place = call.project()?;
    call.need(&["branch", "commit_message"])?;
    let one = json!({
        "action": action, "file_path": call.param("path"), "content": call.text("content"),
        "encoding": call.text("encoding"), "last_commit_id": call.text("last_commit_id"),
    });
    commit(call, place, &[edit(&one)?]).await.map(drop)
}

pub(super) async fn tree(call: Call) -> Answer {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let reference = call.asked("ref").filter(|name| !name.is_empty()).unwrap_or(DEFAULT_BRANCH);
    let commit = repo.resolve(reference).await.ok_or_else(|| Refuse::message(404, "404 Tree Not Found"))?;
    let under = call.asked("path").unwrap_or_default().trim_matches('/');
    let recursive = call.asked("recursive").is_some_and(|word| word == "true" || word == "1");
    let entries = repo.list(&commit, under, recursive).await;
    let entries = entries.map_err(|_| Refuse::message(404, "404 invalid revision or path Not Found"))?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut items: Vec<Value> = entries
        .iter()
        .map(|entry| {
            json!({ "id": entry.sha, "name": name(&entry.path), "type": entry.kind, "path": entry.path, "mode": entry.mode })
        })
        .collect();
    // folders come first, as with GitLab
    items.sort_by_key(|item| item["type"] != "tree");
    paged(&call, &items)
}
