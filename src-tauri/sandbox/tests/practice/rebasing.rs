//! Real rebases and real conflicts.

use serde_json::json;

use crate::support::{BILLING, CONFIG, NETWORK, Practice, unhurried};

const CORE: &str = "rules/core.toml";

/// A merge request on the fast-forward project, and a commit on main beside it.
async fn left_behind(practice: &Practice) -> (u64, String) {
    practice.commit(NETWORK, "rule", CORE, "port = 5432", "port = 6432").await;
    let iid = practice.open(NETWORK, "rule").await;
    let sha = practice.make_mergeable(NETWORK, iid).await;
    practice.by_hand(NETWORK, iid, "move-target").await;
    practice.until_status(NETWORK, iid, "need_rebase").await;
    (iid, sha)
}

#[tokio::test]
async fn a_rebase_replays_the_commit_on_the_new_target() {
    let practice = Practice::with(unhurried()).await;
    let (iid, sha) = left_behind(&practice).await;
    practice.merge(NETWORK, iid, &sha).await.expect(405);
    let path = format!("/projects/{NETWORK}/merge_requests/{iid}");
    let behind = practice.get(&format!("{path}?include_diverged_commits_count=true")).await.expect(200);
    assert_eq!(behind["diverged_commits_count"], 1);

    assert_eq!(
        practice.put(&format!("{path}/rebase"), json!({})).await.expect(202),
        json!({ "rebase_in_progress": true })
    );
    practice.put(&format!("{path}/rebase"), json!({})).await.expect(409);
    assert_eq!(practice.merge_request(NETWORK, iid).await["rebase_in_progress"], true);
    let mr = practice.until(NETWORK, iid, "rebased", |mr| mr["rebase_in_progress"] == false).await;
    assert!(mr["merge_error"].is_null());
    assert_ne!(mr["sha"], sha);

    let head = mr["sha"].as_str().unwrap();
    let commit = practice.get(&format!("/projects/{NETWORK}/repository/commits/{head}")).await.expect(200);
    assert_eq!(commit["parent_ids"], json!([practice.head(NETWORK, "main").await]));
    assert_eq!((commit["author_name"].as_str(), commit["message"].as_str()), (Some("Signalbox Bot"), Some("A change")));

    practice.until_status(NETWORK, iid, "mergeable").await;
    practice.merge(NETWORK, iid, head).await.expect(200);
    let text = practice.file(NETWORK, CORE, "main").await;
    assert!(text.contains("port = 6432") && text.contains("port = 9443"));
}

#[tokio::test]
async fn a_rebase_that_changes_nothing_in_the_patch_keeps_the_approvals() {
    let practice = Practice::with(unhurried()).await;
    let (iid, _) = left_behind(&practice).await;
    let path = format!("/projects/{NETWORK}/merge_requests/{iid}");
    practice.put(&format!("{path}/rebase"), json!({})).await.expect(202);
    practice.until_status(NETWORK, iid, "approvals_syncing").await;
    practice.until_status(NETWORK, iid, "mergeable").await;
    let approvals = practice.get(&format!("{path}/approvals")).await.expect(200);
    assert_eq!(approvals["approved_by"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_rebase_over_a_conflict_fails_and_says_so() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let sha = practice.make_mergeable(CONFIG, iid).await;
    practice.by_hand(CONFIG, iid, "conflict").await;
    let mr = practice.until_status(CONFIG, iid, "conflict").await;
    assert_eq!((mr["has_conflicts"].as_bool(), mr["merge_status"].as_str()), (Some(true), Some("cannot_be_merged")));
    assert!(practice.file(CONFIG, BILLING, "main").await.contains("cpu: 11 "));
    practice.merge(CONFIG, iid, &sha).await.expect(405);
    practice.put(&format!("/projects/{CONFIG}/merge_requests/{iid}/rebase"), json!({})).await.expect(202);
    let mr = practice.until(CONFIG, iid, "rebase ended", |mr| mr["rebase_in_progress"] == false).await;
    assert!(mr["merge_error"].as_str().unwrap().starts_with("Rebase failed"));
    assert_eq!(mr["sha"], sha);
}

#[tokio::test]
async fn changes_of_different_lines_merge_without_a_rebase() {
    let practice = Practice::begin().await;
    let first = practice.open_quota("first").await;
    practice.commit(CONFIG, "second", BILLING, "storage: 200", "storage: 300").await;
    let second = practice.open(CONFIG, "second").await;
    for iid in [first, second] {
        let sha = practice.make_mergeable(CONFIG, iid).await;
        practice.merge(CONFIG, iid, &sha).await.expect(200);
    }
    let text = practice.file(CONFIG, BILLING, "main").await;
    assert!(text.contains("cpu: 12 ") && text.contains("storage: 300"));
}

#[tokio::test]
async fn several_commits_are_replayed_in_their_order() {
    let practice = Practice::begin().await;
    practice.commit(NETWORK, "rule", CORE, "port = 5432", "port = 6432").await;
    let text = practice.file(NETWORK, CORE, "rule").await.replace("port = 9443", "port = 9300");
    let action = json!({ "action": "update", "file_path": CORE, "content": text });
    let body = json!({ "branch": "rule", "commit_message": "A second change\n\nwith a body\n", "actions": [action] });
    practice.post(&format!("/projects/{NETWORK}/repository/commits"), body).await.expect(201);
    let iid = practice.open(NETWORK, "rule").await;
    practice.by_hand(NETWORK, iid, "move-target").await;
    practice.put(&format!("/projects/{NETWORK}/merge_requests/{iid}/rebase"), json!({})).await.expect(202);
    practice.until(NETWORK, iid, "rebased", |mr| mr["rebase_in_progress"] == false).await;
    let listed = practice.get(&format!("/projects/{NETWORK}/repository/commits?ref_name=main..rule")).await.expect(200);
    let messages: Vec<&str> =
        listed.as_array().unwrap().iter().map(|commit| commit["message"].as_str().unwrap()).collect();
    assert_eq!(messages, ["A second change\n\nwith a body\n", "A change"]);
}
