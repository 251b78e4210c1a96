//! Every fault, once.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{CONFIG, NETWORK, Practice, Receiver};

const MERGE_REQUESTS: &str = "/projects/31/merge_requests";

#[tokio::test]
async fn a_lost_callback_never_arrives_but_the_decision_stands() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    practice.switch("approval.lose", 1).await;
    let lost = practice.ticket("req-1", "op-1", &receiver).await;
    practice.decide(&lost, "approve").await;
    let second = practice.ticket("req-2", "op-2", &receiver).await;
    practice.decide(&second, "approve").await;
    let taken = receiver.wait(1).await;
    assert_eq!(taken[0].body["data"]["approval_id"], second);
    let read = practice.desk(Method::GET, &format!("/approvals/{lost}"), None).await.expect(200);
    assert_eq!(read["state"], "approved");
    assert_eq!(practice.happened("approval.lose").await, 1);
}

#[tokio::test]
async fn a_duplicate_carries_the_same_id_and_body() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    practice.switch("approval.duplicate", 1).await;
    let id = practice.ticket("req-1", "op-1", &receiver).await;
    practice.decide(&id, "approve").await;
    let taken = receiver.wait(2).await;
    assert_eq!((&taken[0].id, &taken[0].raw), (&taken[1].id, &taken[1].raw));
}

#[tokio::test]
async fn a_delayed_callback_comes_late() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    practice.switch("approval.delay", 400).await;
    let id = practice.ticket("req-1", "op-1", &receiver).await;
    let begun = Instant::now();
    practice.decide(&id, "approve").await;
    receiver.wait(1).await;
    assert!(begun.elapsed() >= Duration::from_millis(400));
}

#[tokio::test]
async fn a_callback_that_is_held_back_is_overtaken() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    practice.switch("approval.reorder", 1).await;
    let first = practice.ticket("req-1", "op-1", &receiver).await;
    let second = practice.ticket("req-2", "op-2", &receiver).await;
    practice.decide(&first, "approve").await;
    practice.decide(&second, "approve").await;
    let taken = receiver.wait(2).await;
    let order: Vec<&Value> = taken.iter().map(|callback| &callback.body["data"]["approval_id"]).collect();
    assert_eq!(order, [&json!(second), &json!(first)]);
}

#[tokio::test]
async fn a_deploy_can_be_told_to_fail_and_its_callback_can_be_lost() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    practice.ticket("req-1", "op-1", &receiver).await;
    practice.switch("deploy.fail_next", 1).await;
    let iid = practice.open_quota("signalbox/op-1").await;
    practice.by_hand(CONFIG, iid, "merge").await;
    let data = receiver.wait(1).await.remove(0).body["data"].clone();
    assert_eq!((data["status"].as_str(), data["operation_id"].as_str()), (Some("failed"), Some("op-1")));
    assert!(data["reason"].is_string());
    practice.by_hand(CONFIG, iid, "deploy").await;
    let again = receiver.wait(2).await.remove(1).body["data"].clone();
    assert_eq!((again["status"].as_str(), again["mr_iid"].as_u64()), (Some("effective"), Some(iid)));
    practice.switch("deploy.lose", 1).await;
    practice.commit(CONFIG, "b", "quotas/media.yaml", "cpu: 6", "cpu: 8").await;
    let second = practice.open(CONFIG, "b").await;
    practice.by_hand(CONFIG, second, "merge").await;
    while practice.happened("deploy.lose").await == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(receiver.taken().len(), 2);
}

#[tokio::test]
async fn a_conflict_is_there_just_before_the_merge() {
    let practice = Practice::begin().await;
    practice.switch("gitlab.conflict_next", 1).await;
    let iid = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, iid).await;
    practice.merge(CONFIG, iid, &sha).await.expect(405);
    practice.until_status(CONFIG, iid, "conflict").await;
    let commits = practice.get("/projects/31/repository/commits?per_page=1").await.expect(200);
    assert_eq!(commits[0]["author_name"], "Hanna Berg");
    assert_eq!(practice.happened("gitlab.conflict_next").await, 1);
}

#[tokio::test]
async fn a_conflict_can_be_made_with_every_change_kind() {
    let practice = Practice::begin().await;
    let changes = [
        (
            CONFIG,
            "flags/web.json",
            "\"enabled\": false,\n      \"rollout\": 0",
            "\"enabled\": true,\n      \"rollout\": 5",
        ),
        (NETWORK, "rules/office.toml", "action = \"allow\"\n", "action = \"allow\"\n\n[rules.more]\nport = 22\n"),
        (CONFIG, "quotas/search.yaml", "    storage: 900\n  us-east", "    storage: 900\n    gpu: 2\n  us-east"),
    ];
    for (number, (project, path, from, to)) in changes.into_iter().enumerate() {
        let branch = format!("change-{number}");
        practice.commit(project, &branch, path, from, to).await;
        let iid = practice.open(project, &branch).await;
        practice.by_hand(project, iid, "conflict").await;
        practice.approve(project, iid).await;
        practice.until_status(project, iid, "conflict").await;
    }
}

#[tokio::test]
async fn the_target_moves_just_before_the_merge() {
    let practice = Practice::begin().await;
    practice.switch("gitlab.target_moves", 2).await;
    practice.commit(NETWORK, "rule", "rules/core.toml", "port = 5432", "port = 6432").await;
    let rule = practice.open(NETWORK, "rule").await;
    let sha = practice.make_mergeable(NETWORK, rule).await;
    practice.merge(NETWORK, rule, &sha).await.expect(405);
    practice.until_status(NETWORK, rule, "need_rebase").await;
    let quota = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, quota).await;
    practice.merge(CONFIG, quota, &sha).await.expect(200);
    assert_eq!(practice.happened("gitlab.target_moves").await, 2);
}

#[tokio::test]
async fn a_rebase_can_meet_a_conflict_or_hang() {
    let practice = Practice::begin().await;
    practice.switch("gitlab.rebase_conflict", 1).await;
    let iid = practice.open_quota("quota").await;
    let path = format!("{MERGE_REQUESTS}/{iid}/rebase");
    practice.put(&path, json!({})).await.expect(202);
    let mr = practice.until(CONFIG, iid, "rebase ended", |mr| mr["rebase_in_progress"] == false).await;
    assert!(mr["merge_error"].is_string());
    practice.switch("gitlab.rebase_stuck", 1).await;
    practice.put(&path, json!({})).await.expect(202);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(practice.merge_request(CONFIG, iid).await["rebase_in_progress"], true);
}

#[tokio::test]
async fn mergeability_can_stay_unknown() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, iid).await;
    practice.switch("gitlab.check_stuck", true).await;
    assert_eq!(practice.merge_request(CONFIG, iid).await["detailed_merge_status"], "checking");
    practice.merge(CONFIG, iid, &sha).await.expect(405);
    practice.switch("gitlab.check_stuck", false).await;
    practice.merge(CONFIG, iid, &sha).await.expect(200);
}

#[tokio::test]
async fn a_merge_can_be_confirmed_and_not_done() {
    let practice = Practice::begin().await;
    practice.switch("gitlab.merge_lies", 1).await;
    let iid = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, iid).await;
    let lied = practice.merge(CONFIG, iid, &sha).await.expect(200);
    assert_eq!(lied["state"], "opened");
    assert!(lied["merge_error"].is_string());
    assert_eq!(practice.merge(CONFIG, iid, &sha).await.expect(200)["state"], "merged");
}

#[tokio::test]
async fn bursts_of_errors_end() {
    let practice = Practice::begin().await;
    practice.switch("gitlab.burst_5xx", 2).await;
    assert_eq!(practice.get("/user").await.status, 502);
    assert_eq!(practice.post(MERGE_REQUESTS, json!({})).await.status, 502);
    assert_eq!(practice.get("/user").await.status, 200);
    practice.switch("gitlab.throttle", 1).await;
    let reply = practice.get("/user").await;
    assert_eq!((reply.status, reply.headers["retry-after"].to_str().unwrap()), (429, "1"));
    practice.switch("desk.burst_5xx", 1).await;
    assert_eq!(practice.desk(Method::GET, "/approvals/by-request/x", None).await.status, 503);
    assert_eq!(practice.desk(Method::GET, "/approvals/by-request/x", None).await.status, 404);
}

#[tokio::test]
async fn slow_answers_are_slow() {
    let practice = Practice::begin().await;
    practice.control(Method::PATCH, "/switches", json!({ "gitlab.slow": 200, "desk.slow": 200 })).await;
    let begun = Instant::now();
    practice.get("/user").await.expect(200);
    practice.desk(Method::GET, "/approvals/by-request/x", None).await.expect(404);
    assert!(begun.elapsed() >= Duration::from_millis(400));
}

#[tokio::test]
async fn the_token_of_the_robot_can_be_refused() {
    let practice = Practice::begin().await;
    practice.switch("gitlab.token_refused", true).await;
    assert_eq!(practice.get("/user").await.expect(401)["error"], "invalid_token");
    let token = practice.sandbox.reviewer_tokens[0].clone();
    let url = format!("{}/api/v4/user", practice.sandbox.gitlab_url);
    practice.send(&token, Method::GET, &url, None).await.unwrap().expect(200);
}

#[tokio::test]
async fn an_answer_can_be_lost_after_each_effect() {
    let practice = Practice::begin().await;
    let lost = |outcome: reqwest::Result<crate::support::Reply>| assert!(outcome.is_err(), "{outcome:?}");

    practice.switch("gitlab.drop.branch", 1).await;
    lost(practice.try_post("/projects/31/repository/branches", json!({ "branch": "quota", "ref": "main" })).await);
    let main = practice.head(CONFIG, "main").await;
    assert_eq!(practice.head(CONFIG, "quota").await, main);

    practice.switch("gitlab.drop.commit", 1).await;
    let action = json!({ "action": "create", "file_path": "notes.txt", "content": "x" });
    let body = json!({ "branch": "quota", "commit_message": "x", "actions": [action] });
    lost(practice.try_post("/projects/31/repository/commits", body).await);
    assert_ne!(practice.head(CONFIG, "quota").await, main);

    practice.switch("gitlab.drop.mr", 1).await;
    let body = json!({ "source_branch": "quota", "target_branch": "main", "title": "x" });
    lost(practice.try_post(MERGE_REQUESTS, body).await);
    let sha = practice.merge_request(CONFIG, 1).await["sha"].as_str().unwrap().to_owned();

    practice.switch("gitlab.drop.update", 1).await;
    lost(practice.try_put(&format!("{MERGE_REQUESTS}/1"), json!({ "title": "y" })).await);
    assert_eq!(practice.merge_request(CONFIG, 1).await["title"], "y");

    practice.switch("gitlab.drop.approve", 1).await;
    let url = format!("{}/api/v4{MERGE_REQUESTS}/1/approve", practice.sandbox.gitlab_url);
    let token = practice.sandbox.reviewer_tokens[0].clone();
    lost(practice.send(&token, Method::POST, &url, Some(&json!({}))).await);
    let approvals = practice.get(&format!("{MERGE_REQUESTS}/1/approvals")).await.expect(200);
    assert_eq!(approvals["approved_by"].as_array().unwrap().len(), 1);

    practice.switch("gitlab.drop.rebase", 1).await;
    lost(practice.try_put(&format!("{MERGE_REQUESTS}/1/rebase"), json!({})).await);
    practice.until(CONFIG, 1, "rebase ended", |mr| mr["rebase_in_progress"] == false).await;

    let token = practice.sandbox.reviewer_tokens[1].clone();
    practice.post_as(&token, &format!("{MERGE_REQUESTS}/1/approve"), json!({})).await.expect(201);
    practice.until_status(CONFIG, 1, "mergeable").await;
    practice.switch("gitlab.drop.merge", 1).await;
    lost(practice.try_put(&format!("{MERGE_REQUESTS}/1/merge"), json!({ "sha": sha })).await);
    assert_eq!(practice.merge_request(CONFIG, 1).await["state"], "merged");

    practice.switch("desk.drop", 1).await;
    let body = json!({ "request_id": "req-1", "operation_id": "op-1" });
    let url = format!("{}/approvals", practice.sandbox.desk_url);
    lost(practice.send(&practice.sandbox.desk_token, Method::POST, &url, Some(&body)).await);
    practice.desk(Method::GET, "/approvals/by-request/req-1", None).await.expect(200);
}

#[tokio::test]
async fn a_head_can_be_left_without_a_pipeline() {
    let practice = Practice::begin().await;
    practice.switch("pipeline.none_next", 1).await;
    let iid = practice.open_quota("quota").await;
    practice.approve(CONFIG, iid).await;
    practice.until_status(CONFIG, iid, "ci_must_pass").await;
    let listed = practice.get(&format!("{MERGE_REQUESTS}/{iid}/pipelines")).await.expect(200);
    assert_eq!(listed, json!([]));
    practice.post(&format!("{MERGE_REQUESTS}/{iid}/pipelines"), json!({})).await.expect(201);
    practice.until_status(CONFIG, iid, "mergeable").await;
}

#[tokio::test]
async fn switches_refuse_what_they_cannot_take_and_faults_are_reset_together() {
    let practice = Practice::begin().await;
    let url = format!("{}/control/switches", practice.sandbox.panel_url);
    let wrong = json!({ "approval.lose": 2, "no.such": 1, "config.merge_method": "octopus" });
    let refused = practice.send("", Method::PATCH, &url, Some(&wrong)).await.unwrap().expect(422);
    assert_eq!(refused["errors"].as_array().unwrap().len(), 2);
    let value = |state: &Value, key: &str| {
        let switches = state["switches"].as_array().unwrap();
        switches.iter().find(|switch| switch["key"] == key).unwrap()["value"].clone()
    };
    let state = practice.control(Method::GET, "/state", json!(null)).await;
    assert_eq!(value(&state, "approval.lose"), 0, "none is set where one is wrong");
    assert!(
        state["switches"].as_array().unwrap().iter().all(|switch| switch["sentence"].as_str().unwrap().ends_with('.'))
    );
    practice
        .control(
            Method::PATCH,
            "/switches",
            json!({ "approval.lose": 2, "pace.pipeline": 900, "gitlab.repeat_401": false }),
        )
        .await;
    let state = practice.control(Method::POST, "/reset", json!({})).await;
    assert_eq!((value(&state, "approval.lose"), value(&state, "gitlab.repeat_401")), (json!(0), json!(true)));
    assert_eq!(value(&state, "pace.pipeline"), 900);
}
