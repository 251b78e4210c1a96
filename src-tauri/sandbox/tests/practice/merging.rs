//! From a branch to main, and what stands in the way.

use reqwest::Method;
use serde_json::json;

use crate::support::{BILLING, CONFIG, NETWORK, Practice, Receiver};

#[tokio::test]
async fn a_change_goes_from_branch_to_main_byte_for_byte() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    practice.switch("pipeline.stuck_next", 1).await;
    practice.ticket("req-1", "op-1", &receiver).await;
    let before = practice.file(CONFIG, BILLING, "main").await;
    let sha = practice.commit(CONFIG, "signalbox/op-1", BILLING, "cpu: 10 ", "cpu: 12 ").await;

    let body =
        json!({ "source_branch": "signalbox/op-1", "target_branch": "main", "title": "Quota", "description": "op-1" });
    let opened = practice.post(&format!("/projects/{CONFIG}/merge_requests"), body).await.expect(201);
    assert_eq!(opened["detailed_merge_status"], "preparing");
    assert_eq!(opened["merge_status"], "checking");
    assert!(opened["head_pipeline"].is_null() && opened["diff_refs"].is_null());
    assert_eq!(opened["iid"], 1);
    assert_eq!(opened["sha"], sha);

    let mr = practice.until_status(CONFIG, 1, "not_approved").await;
    assert_eq!(mr["merge_status"], "can_be_merged");
    assert_eq!(mr["changes_count"], "1");
    practice.approve(CONFIG, 1).await;
    practice.until_status(CONFIG, 1, "ci_still_running").await;
    assert_eq!(practice.merge(CONFIG, 1, &sha).await.expect(405)["message"], "405 Method Not Allowed");
    practice.control(Method::POST, "/pipelines/running/pass", json!({})).await;
    let mr = practice.until_status(CONFIG, 1, "mergeable").await;
    assert_eq!(mr["head_pipeline"]["status"], "success");
    assert_eq!(mr["head_pipeline"]["sha"], sha);

    let merged = practice.merge(CONFIG, 1, &sha).await.expect(200);
    assert_eq!(merged["state"], "merged");
    assert_eq!(merged["detailed_merge_status"], "not_open");
    assert_eq!(practice.head(CONFIG, "main").await, merged["merge_commit_sha"]);
    assert_eq!(practice.file(CONFIG, BILLING, "main").await, before.replacen("cpu: 10 ", "cpu: 12 ", 1));

    let deployed = receiver.wait(1).await.remove(0);
    assert_eq!(deployed.path, "/callbacks/deploy");
    assert!(deployed.is_signed_with(&practice.sandbox.deploy_secret));
    let data = &deployed.body["data"];
    assert_eq!(deployed.body["type"], "deploy.finished");
    assert_eq!((data["project"].as_str(), data["mr_iid"].as_u64()), (Some("platform/config"), Some(1)));
    assert_eq!((data["status"].as_str(), data["operation_id"].as_str()), (Some("effective"), Some("op-1")));
    assert_eq!(data["sha"], merged["merge_commit_sha"]);
}

#[tokio::test]
async fn a_wrong_head_is_refused_with_the_right_one() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, iid).await;
    let refused = practice.merge(CONFIG, iid, &"0".repeat(40)).await.expect(409);
    assert_eq!(refused["message"], format!("SHA does not match HEAD of source branch: {sha}"));
    practice.merge(CONFIG, iid, &sha).await.expect(200);
    practice.merge(CONFIG, iid, &sha).await.expect(405);
}

#[tokio::test]
async fn a_reviewer_may_not_merge() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    practice.make_mergeable(CONFIG, iid).await;
    let url = format!("{}/api/v4/projects/{CONFIG}/merge_requests/{iid}/merge", practice.sandbox.gitlab_url);
    let token = practice.sandbox.reviewer_tokens[0].clone();
    practice.send(&token, Method::PUT, &url, Some(&json!({}))).await.unwrap().expect(401);
}

#[tokio::test]
async fn a_second_request_for_the_same_branches_is_refused_by_number() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let body = json!({ "source_branch": "quota", "target_branch": "main", "title": "Again" });
    let refused = practice.post("/projects/platform%2Fconfig/merge_requests", body).await.expect(409);
    let text = format!("Another open merge request already exists for this source branch: !{iid}");
    assert_eq!(refused["message"], json!([text]));
}

#[tokio::test]
async fn numbers_are_counted_for_each_project() {
    let practice = Practice::begin().await;
    assert_eq!(practice.open_quota("a").await, 1);
    practice.commit(NETWORK, "a", "rules/core.toml", "port = 5432", "port = 6432").await;
    assert_eq!(practice.open(NETWORK, "a").await, 1);
    practice.commit(NETWORK, "b", "rules/core.toml", "port = 9443", "port = 9300").await;
    assert_eq!(practice.open(NETWORK, "b").await, 2);
}

#[tokio::test]
async fn a_fast_forward_project_merges_without_a_merge_commit() {
    let practice = Practice::begin().await;
    practice.commit(NETWORK, "a", "rules/core.toml", "port = 5432", "port = 6432").await;
    let iid = practice.open(NETWORK, "a").await;
    let sha = practice.make_mergeable(NETWORK, iid).await;
    let merged = practice.merge(NETWORK, iid, &sha).await.expect(200);
    assert!(merged["merge_commit_sha"].is_null());
    assert_eq!(practice.head(NETWORK, "main").await, sha);
}

#[tokio::test]
async fn an_armed_merge_happens_when_the_pipeline_is_green() {
    let practice = Practice::begin().await;
    practice.switch("pipeline.stuck_next", 1).await;
    let iid = practice.open_quota("quota").await;
    practice.approve(CONFIG, iid).await;
    practice.until_status(CONFIG, iid, "ci_still_running").await;
    let body = json!({ "auto_merge": true, "should_remove_source_branch": true });
    let armed = practice.put(&format!("/projects/{CONFIG}/merge_requests/{iid}/merge"), body).await.expect(200);
    assert_eq!(
        (armed["state"].as_str(), armed["merge_when_pipeline_succeeds"].as_bool()),
        (Some("opened"), Some(true))
    );
    practice.control(Method::POST, "/pipelines/running/pass", json!({})).await;
    practice.until(CONFIG, iid, "merged", |mr| mr["state"] == "merged").await;
    for _ in 0..100 {
        if practice.get(&format!("/projects/{CONFIG}/repository/branches/quota")).await.status == 404 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the source branch is still there");
}

#[tokio::test]
async fn a_failed_pipeline_blocks_until_it_is_retried() {
    let practice = Practice::begin().await;
    practice.switch("pipeline.fail_next", 1).await;
    let iid = practice.open_quota("quota").await;
    practice.approve(CONFIG, iid).await;
    let mr = practice
        .until(CONFIG, iid, "failed", |mr| {
            mr["head_pipeline"]["status"] == "failed" && mr["detailed_merge_status"] == "ci_must_pass"
        })
        .await;
    let id = mr["head_pipeline"]["id"].as_u64().unwrap();
    let retried = practice.post(&format!("/projects/{CONFIG}/pipelines/{id}/retry"), json!({})).await.expect(201);
    assert_eq!(retried["status"], "pending");
    practice.until_status(CONFIG, iid, "mergeable").await;
}

#[tokio::test]
async fn a_running_pipeline_can_be_told_to_fail() {
    let practice = Practice::begin().await;
    practice.switch("pipeline.stuck_next", 1).await;
    let iid = practice.open_quota("quota").await;
    let mr = practice.until(CONFIG, iid, "running", |mr| mr["head_pipeline"]["status"] == "running").await;
    let id = mr["head_pipeline"]["id"].as_u64().unwrap();
    practice.control(Method::POST, &format!("/pipelines/{id}/fail"), json!({})).await;
    assert_eq!(practice.get(&format!("/projects/{CONFIG}/pipelines/{id}")).await.expect(200)["status"], "failed");
    let listed =
        practice.get(&format!("/projects/{CONFIG}/pipelines?sha={}", mr["sha"].as_str().unwrap())).await.expect(200);
    assert_eq!(listed[0]["status"], "failed");
}

#[tokio::test]
async fn deleting_the_branch_closes_its_request() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("signalbox/x").await;
    let url = format!("{}/api/v4/projects/{CONFIG}/repository/branches/signalbox%2Fx", practice.sandbox.gitlab_url);
    let token = practice.sandbox.bot_token.clone();
    assert_eq!(practice.send(&token, Method::DELETE, &url, None).await.unwrap().status, 204);
    assert_eq!(
        practice.send(&token, Method::DELETE, &url, None).await.unwrap().expect(404)["message"],
        "404 Branch Not Found"
    );
    assert_eq!(practice.merge_request(CONFIG, iid).await["state"], "closed");
}

#[tokio::test]
async fn closing_and_reopening_is_an_edit() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let path = format!("/projects/{CONFIG}/merge_requests/{iid}");
    assert_eq!(practice.put(&path, json!({ "state_event": "close" })).await.expect(200)["state"], "closed");
    assert_eq!(practice.put(&path, json!({ "state_event": "close" })).await.expect(200)["state"], "closed");
    assert_eq!(practice.put(&path, json!({ "state_event": "reopen" })).await.expect(200)["state"], "opened");
    practice.put(&path, json!({})).await.expect(400);
}

#[tokio::test]
async fn a_person_merges_closes_and_pushes_by_hand() {
    let practice = Practice::begin().await;
    let first = practice.open_quota("a").await;
    let head = practice.head(CONFIG, "a").await;
    practice.by_hand(CONFIG, first, "push").await;
    let mr = practice.merge_request(CONFIG, first).await;
    assert_ne!(mr["sha"], head);
    let commits = practice.get(&format!("/projects/{CONFIG}/merge_requests/{first}/commits")).await.expect(200);
    assert_eq!(commits[0]["author_name"], "Hanna Berg");
    practice.by_hand(CONFIG, first, "merge").await;
    assert_eq!(practice.merge_request(CONFIG, first).await["merged_by"]["username"], "hanna");
    practice.commit(CONFIG, "b", "quotas/media.yaml", "cpu: 6", "cpu: 8").await;
    let second = practice.open(CONFIG, "b").await;
    practice.by_hand(CONFIG, second, "close").await;
    assert_eq!(practice.merge_request(CONFIG, second).await["closed_by"]["username"], "hanna");
}
