//! Approvals: who may, how often, and what a push does to them.

use serde_json::{Value, json};

use crate::support::{BILLING, CONFIG, Practice};

fn names(approvals: &Value) -> Vec<&str> {
    approvals["approved_by"].as_array().unwrap().iter().map(|item| item["user"]["username"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_repeated_approval_is_answered_401_and_changes_nothing() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let path = format!("/projects/{CONFIG}/merge_requests/{iid}");
    let token = &practice.sandbox.reviewer_tokens[0];
    let first = practice.post_as(token, &format!("{path}/approve"), json!({})).await.expect(201);
    assert_eq!((first["approvals_left"].as_u64(), first["user_has_approved"].as_bool()), (Some(1), Some(true)));
    let second = practice.post_as(token, &format!("{path}/approve"), json!({})).await.expect(401);
    assert_eq!(second["message"], "401 Unauthorized");
    assert_eq!(names(&practice.get(&format!("{path}/approvals")).await.expect(200)), ["reviewer-a"]);
    practice.switch("gitlab.repeat_401", false).await;
    assert_eq!(practice.post_as(token, &format!("{path}/approve"), json!({})).await.status, 304);
}

#[tokio::test]
async fn the_author_may_not_approve_and_a_wrong_head_is_refused() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let path = format!("/projects/{CONFIG}/merge_requests/{iid}/approve");
    practice.post(&path, json!({})).await.expect(401);
    let token = &practice.sandbox.reviewer_tokens[0];
    let refused = practice.post_as(token, &path, json!({ "sha": "0".repeat(40) })).await.expect(409);
    assert!(refused["message"].as_str().unwrap().starts_with("SHA does not match HEAD of source branch: "));
}

#[tokio::test]
async fn a_push_that_changes_the_patch_drops_the_approvals_after_a_while() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    practice.make_mergeable(CONFIG, iid).await;
    let text = practice.file(CONFIG, BILLING, "quota").await.replace("cpu: 12 ", "cpu: 14 ");
    let action = json!({ "action": "update", "file_path": BILLING, "content": text });
    let body = json!({ "branch": "quota", "commit_message": "More", "actions": [action] });
    practice.post(&format!("/projects/{CONFIG}/repository/commits"), body).await.expect(201);
    let approvals = format!("/projects/{CONFIG}/merge_requests/{iid}/approvals");
    assert_eq!(names(&practice.get(&approvals).await.expect(200)).len(), 2, "shown until the look through");
    practice.until_status(CONFIG, iid, "not_approved").await;
    let left = practice.get(&approvals).await.expect(200);
    assert_eq!((names(&left).len(), left["approvals_left"].as_u64()), (0, Some(2)));
}

#[tokio::test]
async fn an_approval_can_be_taken_back() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    practice.make_mergeable(CONFIG, iid).await;
    let path = format!("/projects/{CONFIG}/merge_requests/{iid}/unapprove");
    let token = &practice.sandbox.reviewer_tokens[1];
    assert_eq!(names(&practice.post_as(token, &path, json!({})).await.expect(201)), ["reviewer-a"]);
    practice.post_as(token, &path, json!({})).await.expect(404);
    assert_eq!(practice.merge_request(CONFIG, iid).await["detailed_merge_status"], "not_approved");
    let state = practice.get(&format!("/projects/{CONFIG}/merge_requests/{iid}/approval_state")).await.expect(200);
    assert_eq!(state["rules"][0]["approved"], false);
}

#[tokio::test]
async fn the_checklist_is_demanded_where_it_is_switched_on() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let path = format!("/projects/{CONFIG}/merge_requests/{iid}/approve");
    let token = &practice.sandbox.reviewer_tokens[0];
    practice.switch("gitlab.checklist", true).await;
    practice.switch("gitlab.checklist_stale", true).await;
    let checked = |items: &Value| -> Value {
        items.as_array().unwrap().iter().map(|item| json!({ "key": item["key"], "checked": true })).collect()
    };
    let shown = practice.get(&format!("/projects/{CONFIG}/approval_checklist")).await.expect(200);
    let refused = practice.post_as(token, &path, json!({ "checklist": checked(&shown["items"]) })).await.expect(422);
    assert_eq!(refused["items"].as_array().unwrap().len(), 3);
    practice.post_as(token, &path, json!({ "checklist": checked(&refused["items"]) })).await.expect(201);
}
