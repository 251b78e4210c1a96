//! What can be read, and how refusals look.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::json;

use crate::support::{BILLING, CONFIG, Practice};

#[tokio::test]
async fn every_answer_carries_a_request_id_and_lists_carry_pages() {
    let practice = Practice::begin().await;
    let reply = practice.get("/projects/platform%2Fconfig/repository/commits?per_page=5&page=2").await;
    let header = |name: &str| reply.headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("x-request-id").len(), 32);
    assert_eq!((header("x-page"), header("x-per-page"), header("x-next-page")), ("2".into(), "5".into(), "3".into()));
    assert!(header("link").contains("rel=\"next\"") && header("link").contains("platform%2Fconfig"));
    let last = practice.get("/projects/31/repository/commits?per_page=100").await;
    assert_eq!(last.headers["x-next-page"], "");
    let authors: std::collections::BTreeSet<String> =
        last.expect(200).as_array().unwrap().iter().map(|commit| commit["author_name"].to_string()).collect();
    assert!(authors.len() >= 5, "{authors:?}");
}

#[tokio::test]
async fn refusals_have_the_shapes_of_gitlab() {
    let practice = Practice::begin().await;
    let url = |path: &str| format!("{}/api/v4{path}", practice.sandbox.gitlab_url);
    let nobody = practice.send("wrong", Method::GET, &url("/user"), None).await.unwrap();
    assert_eq!(nobody.expect(401), json!({ "message": "401 Unauthorized" }));
    assert_eq!(practice.get("/projects/99").await.expect(404), json!({ "message": "404 Project Not Found" }));
    assert_eq!(practice.get("/projects/platform/config").await.expect(404), json!({ "error": "404 Not Found" }));
    assert_eq!(practice.get("/projects/31/merge_requests/9").await.expect(404), json!({ "message": "404 Not found" }));
    let file = "/projects/31/repository/files/quotas%2Fnone.yaml";
    assert_eq!(practice.get(&format!("{file}?ref=main")).await.expect(404), json!({ "message": "404 File Not Found" }));
    assert_eq!(
        practice.get(&format!("{file}?ref=nowhere")).await.expect(404),
        json!({ "message": "404 Commit Not Found" })
    );
    assert_eq!(practice.get(file).await.expect(400), json!({ "error": "ref is missing" }));
    let missing = practice.post("/projects/31/merge_requests", json!({ "source_branch": "a" })).await.expect(400);
    assert_eq!(missing, json!({ "error": "target_branch is missing, title is missing" }));
    let body = json!({ "source_branch": "nowhere", "target_branch": "main", "title": "x" });
    let absent = practice.post("/projects/31/merge_requests", body).await.expect(400);
    assert_eq!(absent, json!({ "message": { "source_branch": ["does not exist"] } }));
    let same = json!({ "source_branch": "main", "target_branch": "main", "title": "x" });
    practice.post("/projects/31/merge_requests", same).await.expect(422);
}

#[tokio::test]
async fn branches_and_commits_refuse_as_gitlab_does() {
    let practice = Practice::begin().await;
    let branches = "/projects/31/repository/branches";
    practice.post(branches, json!({ "branch": "fresh", "ref": "main" })).await.expect(201);
    let again = practice.post(branches, json!({ "branch": "fresh", "ref": "main" })).await.expect(400);
    assert_eq!(again["message"], "Branch already exists");
    let lost = practice.post(branches, json!({ "branch": "other", "ref": "nowhere" })).await.expect(400);
    assert_eq!(lost["message"], "Invalid reference name: nowhere");
    let commit = |branch: &str, more: serde_json::Value| {
        let mut body = json!({ "branch": branch, "commit_message": "x" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let action = |word: &str, path: &str| json!([{ "action": word, "file_path": path, "content": "x" }]);
    let refused = [
        (commit("fresh", json!({ "actions": action("create", BILLING) })), "A file with this name already exists"),
        (commit("fresh", json!({ "actions": action("update", "none") })), "A file with this name doesn't exist"),
        (
            commit("fresh", json!({ "start_branch": "main", "actions": action("update", BILLING) })),
            "A branch called 'fresh' already exists. Switch to that branch in order to make changes",
        ),
        (
            commit("gone", json!({ "actions": action("update", BILLING) })),
            "You can only create or edit files when you are on a branch",
        ),
        (commit("fresh", json!({ "actions": action("create", "../x") })), "Path cannot include directory traversal"),
    ];
    for (body, words) in refused {
        let reply = practice.post("/projects/31/repository/commits", body).await.expect(400);
        assert_eq!(reply["message"], words);
    }
    let token = practice.sandbox.reviewer_tokens[0].clone();
    let forbidden = commit("main", json!({ "actions": action("update", BILLING) }));
    practice.post_as(&token, "/projects/31/repository/commits", forbidden).await.expect(403);
}

#[tokio::test]
async fn a_commit_can_create_delete_move_and_check_what_was_seen() {
    let practice = Practice::begin().await;
    let file = practice.get("/projects/31/repository/files/quotas%2Fmedia.yaml?ref=main").await.expect(200);
    let content = STANDARD.decode(file["content"].as_str().unwrap()).unwrap();
    assert_eq!(String::from_utf8(content.clone()).unwrap(), practice.file(CONFIG, "quotas/media.yaml", "main").await);
    let last = file["last_commit_id"].as_str().unwrap().to_owned();
    let head = practice.head(CONFIG, "main").await;
    let body = |seen: &str, branch: &str| {
        json!({
            "branch": branch, "start_sha": head, "commit_message": "Several", "actions": [
                { "action": "update", "file_path": "quotas/media.yaml", "content": STANDARD.encode(b"\xff\x00raw"), "encoding": "base64", "last_commit_id": seen },
                { "action": "delete", "file_path": "CODEOWNERS" },
                { "action": "move", "file_path": "docs/log.md", "previous_path": "docs/review-log.md" },
                { "action": "create", "file_path": "new/deep/file.txt", "content": "no newline" },
            ],
        })
    };
    let refused = practice.post("/projects/31/repository/commits", body(&head, "several")).await.expect(400);
    assert_eq!(refused["message"], "The file has changed since you started editing it: quotas/media.yaml");
    let made = practice.post("/projects/31/repository/commits", body(&last, "several")).await.expect(201);
    assert_eq!(made["parent_ids"], json!([head]));
    assert_eq!(made["message"], "Several");
    assert_eq!(practice.file(CONFIG, "new/deep/file.txt", "several").await, "no newline");
    let tree = practice.get("/projects/31/repository/tree?ref=several&recursive=true&per_page=100").await.expect(200);
    let paths: Vec<&str> = tree.as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert!(paths.contains(&"docs/log.md") && !paths.contains(&"docs/review-log.md") && !paths.contains(&"CODEOWNERS"));
    let raw = practice.get("/projects/31/repository/files/quotas%2Fmedia.yaml?ref=several").await.expect(200);
    assert_eq!(STANDARD.decode(raw["content"].as_str().unwrap()).unwrap(), b"\xff\x00raw");
}

#[tokio::test]
async fn commits_lead_to_their_merge_requests_and_ranges_compare() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, iid).await;
    let found = practice.get(&format!("/projects/31/repository/commits/{sha}/merge_requests")).await.expect(200);
    assert_eq!(found[0]["iid"], iid);
    let compared = practice.get("/projects/31/repository/compare?from=main&to=quota").await.expect(200);
    assert_eq!(compared["commits"].as_array().unwrap().len(), 1);
    assert_eq!(compared["diffs"][0]["new_path"], BILLING);
    assert!(compared["diffs"][0]["diff"].as_str().unwrap().starts_with("@@"));
    let base = practice.get("/projects/31/repository/merge_base?refs[]=main&refs[]=quota").await.expect(200);
    assert_eq!(base["id"], practice.head(CONFIG, "main").await);
    practice.merge(CONFIG, iid, &sha).await.expect(200);
    let merge = practice.head(CONFIG, "main").await;
    let found = practice.get(&format!("/projects/31/repository/commits/{merge}/merge_requests")).await.expect(200);
    assert_eq!(found[0]["iid"], iid);
    let range = practice.get(&format!("/projects/31/repository/commits?ref_name={sha}..main")).await.expect(200);
    assert_eq!(range[0]["id"], merge);
}

#[tokio::test]
async fn lists_of_merge_requests_are_filtered() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let count = |query: &'static str| {
        let practice = &practice;
        async move {
            practice.get(&format!("/projects/31/merge_requests?{query}")).await.expect(200).as_array().unwrap().len()
        }
    };
    assert_eq!(count("state=opened&source_branch=quota&target_branch=main").await, 1);
    assert_eq!(count("state=merged").await, 0);
    assert_eq!(count("source_branch=other").await, 0);
    assert_eq!(count("search=CHANGE").await, 1);
    assert_eq!(count("author_username=hanna").await, 0);
    practice.put(&format!("/projects/31/merge_requests/{iid}"), json!({ "state_event": "close" })).await.expect(200);
    assert_eq!(count("state=opened").await, 0);
    assert_eq!(count("state=all&author_username=signalbox-bot").await, 1);
}

#[tokio::test]
async fn small_reads_answer() {
    let practice = Practice::begin().await;
    assert_eq!(practice.get("/user").await.expect(200)["username"], "signalbox-bot");
    assert_eq!(practice.get("/personal_access_tokens/self").await.expect(200)["scopes"], json!(["api"]));
    assert!(practice.get("/version").await.expect(200)["version"].is_string());
    let project = practice.get("/projects/platform%2Fnetwork").await.expect(200);
    assert_eq!((project["id"].as_u64(), project["merge_method"].as_str()), (Some(32), Some("ff")));
    assert_eq!(practice.get("/projects/31/protected_branches").await.expect(200)[0]["name"], "main");
    assert!(practice.get("/projects/31/members/all").await.expect(200).as_array().unwrap().len() >= 4);
    let note = practice.open_quota("quota").await;
    let path = format!("/projects/31/merge_requests/{note}/notes");
    practice.post(&path, json!({ "body": "Looks fine" })).await.expect(201);
    assert_eq!(practice.get(&path).await.expect(200)[0]["body"], "Looks fine");
    practice.post(&path, json!({ "body": "/close" })).await.expect(202);
    assert_eq!(practice.merge_request(CONFIG, note).await["state"], "closed");
}
