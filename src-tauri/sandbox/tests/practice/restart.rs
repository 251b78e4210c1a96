//! A sandbox that was stopped goes on where it was.

use reqwest::Method;
use serde_json::json;

use crate::support::{CONFIG, Practice, Receiver};

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    let ticket = practice.ticket("req-1", "op-1", &receiver).await;
    practice.switch("gitlab.slow", 1).await;
    let iid = practice.open_quota("signalbox/op-1").await;
    practice.approve(CONFIG, iid).await;
    let (url, token) = (practice.sandbox.gitlab_url.clone(), practice.sandbox.bot_token.clone());

    let practice = practice.restart().await;
    assert_eq!((&practice.sandbox.gitlab_url, &practice.sandbox.bot_token), (&url, &token));
    let mr = practice.until_status(CONFIG, iid, "mergeable").await;
    practice.merge(CONFIG, iid, mr["sha"].as_str().unwrap()).await.expect(200);
    practice.decide(&ticket, "approve").await;
    let mut paths: Vec<String> = receiver.wait(2).await.into_iter().map(|callback| callback.path).collect();
    paths.sort();
    assert_eq!(paths, ["/callbacks/approval", "/callbacks/deploy"]);
    assert!(practice.happened("gitlab.slow").await > 0);
}

#[tokio::test]
async fn a_pipeline_goes_on_by_the_wall_clock() {
    let practice = Practice::begin().await;
    practice.switch("pace.pipeline", 1500).await;
    let iid = practice.open_quota("quota").await;
    let mr = practice.until(CONFIG, iid, "running", |mr| mr["head_pipeline"]["status"] == "running").await;
    let practice = practice.restart().await;
    let after = practice.until(CONFIG, iid, "success", |mr| mr["head_pipeline"]["status"] == "success").await;
    assert_eq!(after["head_pipeline"]["id"], mr["head_pipeline"]["id"]);
}

#[tokio::test]
async fn a_rebase_and_a_callback_under_way_are_finished_later() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    let ticket = practice.ticket("req-1", "op-1", &receiver).await;
    let iid = practice.open_quota("quota").await;
    practice.by_hand(CONFIG, iid, "move-target").await;
    practice.switch("approval.delay", 300).await;
    practice.decide(&ticket, "approve").await;
    let before = practice.head(CONFIG, "quota").await;
    practice.put(&format!("/projects/{CONFIG}/merge_requests/{iid}/rebase"), json!({})).await.expect(202);
    let practice = practice.restart().await;
    let mr = practice.until(CONFIG, iid, "rebase ended", |mr| mr["rebase_in_progress"] == false).await;
    assert_ne!(mr["sha"], before);
    assert_eq!(receiver.wait(1).await.len(), 1);
}

#[tokio::test]
async fn what_was_pushed_while_nobody_listened_is_caught_up_with() {
    let practice = Practice::begin().await;
    let merged = practice.open_quota("merged").await;
    practice.commit(CONFIG, "moved", "quotas/media.yaml", "cpu: 6", "cpu: 8").await;
    let moved = practice.open(CONFIG, "moved").await;
    practice.commit(CONFIG, "gone", "quotas/media.yaml", "cpu: 6", "cpu: 7").await;
    let gone = practice.open(CONFIG, "gone").await;
    let repo = practice.path().join("sandbox/repos/platform/config.git");
    let dir = practice.dir;
    practice.sandbox.stop().await;
    let git = |args: &[&str]| {
        assert!(std::process::Command::new("git").arg("--git-dir").arg(&repo).args(args).status().unwrap().success());
    };
    git(&["update-ref", "refs/heads/main", "refs/heads/merged"]);
    git(&["update-ref", "refs/heads/moved", "refs/heads/moved~1"]);
    git(&["update-ref", "-d", "refs/heads/gone"]);
    let sandbox = signalbox_sandbox::start(dir.path(), crate::support::brisk()).await.unwrap();
    let practice = Practice { sandbox, dir, client: practice.client };
    let states = [merged, moved, gone];
    let mut seen = Vec::new();
    for iid in states {
        seen.push(practice.merge_request(CONFIG, iid).await["state"].as_str().unwrap().to_owned());
    }
    assert_eq!(seen, ["merged", "opened", "closed"]);
    practice.until_status(CONFIG, moved, "commits_status").await;
}

#[tokio::test]
async fn what_was_pushed_with_git_is_noticed() {
    let practice = Practice::begin().await;
    let iid = practice.open_quota("quota").await;
    let repo = practice.path().join("sandbox/repos/platform/config.git");
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git").arg("--git-dir").arg(&repo).args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let identity = ["-c", "user.name=Otto", "-c", "user.email=otto@platform.example"];
    let made = git(&[&identity[..], &["commit-tree", "quota^{tree}", "-p", "quota", "-m", "By hand"]].concat());
    git(&["update-ref", "refs/heads/quota", &made]);
    let mr = practice.until(CONFIG, iid, "the new head", |mr| mr["sha"] == made).await;
    assert_eq!(mr["state"], "opened");
    let log = practice.control(Method::GET, "/log", json!(null)).await;
    assert!(!log["items"].as_array().unwrap().is_empty());
}
