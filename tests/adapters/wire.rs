//! Recorded answers of GitLab: each is read through the port, and what it shows is checked.

use serde_json::{Value, json};
use signalbox_engine::ports::forge::{Forge as _, MergeRequest, MrState, PipelineVerdict, Readiness};

use crate::support::{Stub, bench, fixture, fixture_text, json_answer, merge_request};

async fn shown(body: Value) -> MergeRequest {
    let stub = Stub::script([json_answer(200, body)]).await;
    let bench = bench(&stub);
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap().unwrap()
}

#[tokio::test]
async fn recorded_merge_requests_show_what_they_are() {
    let head = Some("ec1bf369429add869b418aac80f27ba5e173d72e");
    let table: &[(&str, MrState, Readiness, Option<&str>)] = &[
        ("mr_get_opened_mergeable.json", MrState::Opened, Readiness::Mergeable, head),
        ("mr_create_201_preparing.derived.json", MrState::Opened, Readiness::Checking, head),
        ("mr_get_conflict.derived.json", MrState::Opened, Readiness::Conflict, head),
        ("mr_get_need_rebase.derived.json", MrState::Opened, Readiness::NeedsRebase, head),
        ("mr_get_rebase_failed.derived.json", MrState::Opened, Readiness::Conflict, head),
        ("mr_get_merged.json", MrState::Merged, Readiness::NotOpen, head),
        (
            "mr_get_opened_merged_results_pipeline_failed.json",
            MrState::Opened,
            Readiness::Unknown("can_be_merged".into()),
            Some("e82eb4a098e32c796079ca3915e07487fc4db24c"),
        ),
        (
            "mr_get_opened_legacy_12_2.json",
            MrState::Opened,
            Readiness::Mergeable,
            Some("8e0b45049b6253b8984cde9241830d2851168142"),
        ),
        (
            "mr_create_response_docs_13_12.json",
            MrState::Merged,
            Readiness::NotOpen,
            Some("8888888888888888888888888888888888888888"),
        ),
    ];
    for (name, state, readiness, head) in table {
        let mr = shown(fixture(name)).await;
        assert_eq!((&mr.state, &mr.readiness, mr.head_sha.as_deref()), (state, readiness, *head), "{name}");
        assert!(!mr.title.is_empty() && !mr.author.is_empty() && mr.web_url.starts_with("http"), "{name}: {mr:?}");
    }
}

#[tokio::test]
async fn a_merged_one_names_the_commit_on_the_target_and_who_merged() {
    let merged = shown(fixture("mr_get_merged.json")).await;
    assert_eq!(merged.merged_sha.as_deref(), Some("e3918a3c8688918075b6f2531b8a8759c3fce841"));
    assert_eq!(merged.ended_by.as_deref(), Some("user-1"));

    let squash = json!({"state": "merged", "merge_commit_sha": null, "squash_commit_sha": "5".repeat(40)});
    assert_eq!(shown(merge_request(squash)).await.merged_sha, Some("5".repeat(40)));
    let forward = shown(merge_request(json!({"state": "merged", "merge_commit_sha": null}))).await;
    assert_eq!(forward.merged_sha, forward.head_sha, "a fast-forward leaves the head on the target");

    let open =
        shown(merge_request(json!({"merge_commit_sha": "f".repeat(40), "merge_user": {"username": "armed"}}))).await;
    assert_eq!((open.merged_sha, open.ended_by), (None, None), "an armed merge is no merge");
    let closed = shown(merge_request(json!({"state": "closed", "closed_by": {"username": "hanna"}}))).await;
    assert_eq!((closed.state, closed.ended_by.as_deref()), (MrState::Closed, Some("hanna")));
}

#[tokio::test]
async fn a_rebase_is_followed_by_its_three_looks() {
    for (name, running, error) in [
        ("rebase_poll_in_progress.json", true, None),
        ("rebase_poll_done.json", false, None),
        ("rebase_poll_failed.json", false, Some("Rebase failed. Please rebase locally")),
    ] {
        let mr = shown(merge_request(fixture(name))).await;
        assert_eq!((mr.rebase_in_progress, mr.merge_error.as_deref()), (running, error), "{name}");
    }
    let failed = shown(fixture("mr_get_rebase_failed.derived.json")).await;
    assert!(failed.merge_error.unwrap().starts_with("Rebase failed: Rebase locally"));
    assert_eq!(shown(merge_request(json!({"diverged_commits_count": 4}))).await.behind, Some(4));
}

#[tokio::test]
async fn every_merge_status_has_a_meaning() {
    let blocked = |word: &str| Readiness::Blocked(word.into());
    let table = [
        ("approvals_syncing", Readiness::Checking),
        ("unchecked", Readiness::Checking),
        ("checking", Readiness::Checking),
        ("not_approved", Readiness::NotApproved),
        ("ci_still_running", Readiness::CiRunning),
        ("ci_must_pass", Readiness::CiMustPass),
        ("not_open", Readiness::NotOpen),
        ("draft_status", blocked("draft_status")),
        ("discussions_not_resolved", blocked("discussions_not_resolved")),
        ("requested_changes", blocked("requested_changes")),
        ("security_policy_violations", blocked("security_policy_violations")),
        ("a_word_of_next_year", Readiness::Unknown("a_word_of_next_year".into())),
    ];
    for (word, readiness) in table {
        let mr = shown(merge_request(json!({"detailed_merge_status": word}))).await;
        assert_eq!((mr.readiness, mr.readiness_word.as_str()), (readiness, word));
    }
    let old = [
        (json!({"merge_status": "unchecked"}), Readiness::Checking),
        (json!({"merge_status": "cannot_be_merged_recheck"}), Readiness::Checking),
        (json!({"merge_status": "cannot_be_merged"}), Readiness::Conflict),
        (json!({"merge_status": "can_be_merged"}), Readiness::Mergeable),
        (json!({"merge_status": "can_be_merged", "work_in_progress": true, "draft": null}), blocked("draft_status")),
        (json!({"merge_status": "can_be_merged", "state": "closed"}), Readiness::NotOpen),
    ];
    for (changes, readiness) in old {
        let mut body = merge_request(changes.clone());
        body["detailed_merge_status"] = Value::Null;
        assert_eq!(shown(body).await.readiness, readiness, "{changes}");
    }
}

#[tokio::test]
async fn recorded_lists_are_read() {
    let stub = Stub::script([
        json_answer(200, fixture("mr_list.json")),
        json_answer(200, fixture("mr_pipelines_list_two.derived.json")),
        json_answer(200, fixture("mr_pipelines_list.json")),
        json_answer(200, fixture("pipelines_list.json")),
    ])
    .await;
    let bench = bench(&stub);
    let list = bench.forge.merge_requests_of(&bench.scope, "4711", "b").await.unwrap();
    assert_eq!(list.iter().map(|mr| mr.iid).collect::<Vec<_>>(), [15442, 15441, 15440]);
    let two = bench.forge.pipelines(&bench.scope, "4711", 7).await.unwrap();
    assert_eq!((two[0].verdict, two[0].of_merge_request), (PipelineVerdict::Neither, true));
    assert_eq!(
        (two[1].verdict, two[1].of_merge_request, two[1].r#ref.as_str()),
        (PipelineVerdict::Passed, false, "1-issue-20")
    );
    let short = bench.forge.pipelines(&bench.scope, "4711", 7).await.unwrap();
    assert_eq!((short[0].id, short[0].verdict, short[0].of_merge_request), (77, PipelineVerdict::Passed, false));
    let all = bench.forge.pipelines(&bench.scope, "4711", 7).await.unwrap();
    assert_eq!((all[0].id, all[0].verdict), (1_172_622_998, PipelineVerdict::Passed));
}

#[tokio::test]
async fn a_pipeline_is_green_red_neither_or_running() {
    let table = [
        ("success", PipelineVerdict::Passed),
        ("failed", PipelineVerdict::Failed),
        ("canceled", PipelineVerdict::Failed),
        ("skipped", PipelineVerdict::Neither),
        ("manual", PipelineVerdict::Neither),
        ("canceling", PipelineVerdict::Running),
        ("waiting_for_callback", PipelineVerdict::Running),
        ("scheduled", PipelineVerdict::Running),
        ("a_word_of_next_year", PipelineVerdict::Running),
    ];
    for (n, (word, verdict)) in table.into_iter().enumerate() {
        let item = json!({"id": n, "sha": "s", "status": word, "source": "merge_request_event", "ref": "r"});
        let stub = Stub::script([json_answer(200, json!([item]))]).await;
        let bench = bench(&stub);
        let found = bench.forge.pipelines(&bench.scope, "4711", 7).await.unwrap();
        assert_eq!((found[0].verdict, found[0].status.as_str()), (verdict, word));
    }
}

#[tokio::test]
async fn recorded_branches_commits_and_files_are_read() {
    let mut file = fixture("file_get_200.json");
    file["content"] = json!("IyBoaQo=\n");
    let stub = Stub::script([
        json_answer(200, fixture("branch_get.json")),
        json_answer(200, fixture("commit_get.json")),
        json_answer(201, fixture("commit_create_201.json")),
        json_answer(200, file),
        json_answer(200, fixture("file_get_200.json")),
    ])
    .await;
    let bench = bench(&stub);
    let (forge, scope) = (&bench.forge, &bench.scope);
    let branch = forge.branch(scope, "4711", "master").await.unwrap().unwrap();
    assert_eq!(branch.sha, "7b5c3cc8be40ee161ae89a06bba6229da1032a0c");
    assert_eq!(branch.parents, ["4ad91d3c1144c406e50c7b33bae684bd6837faf8"]);
    let commit = forge.commit(scope, "4711", "6104942").await.unwrap().unwrap();
    assert_eq!(commit.message, "Sanitize for network graph");
    let made = forge.commit_files(scope, "4711", &crate::refusals::new_commit()).await.unwrap();
    assert_eq!(made.sha, fixture("commit_create_201.json")["id"].as_str().unwrap());
    let file = forge.file(scope, "4711", "app/models/key.rb", "master").await.unwrap().unwrap();
    assert_eq!(file.bytes, b"# hi\n");
    assert_eq!(file.commit_id, "d5a3ff139356ce33e37e73add446f16869741b50");
    assert_eq!(file.last_commit_id, "570e7b2abdd848b95f2f578043fc23bd6f6fd24d");
    let damaged = forge.file(scope, "4711", "app/models/key.rb", "master").await.unwrap_err();
    assert!(damaged.message.contains("not base64"), "{damaged}");
}

#[tokio::test]
async fn recorded_approvals_of_both_editions_name_the_approvers() {
    for name in [
        "approvals_get_ce.derived.json",
        "approvals_get_ee.json",
        "approvals_get_ee_full.derived.json",
        "approve_201_ee.json",
    ] {
        let body = fixture(name);
        let wanted: Vec<_> =
            body["approved_by"].as_array().unwrap().iter().map(|a| a["user"]["username"].clone()).collect();
        let stub = Stub::script([json_answer(200, body)]).await;
        let bench = bench(&stub);
        let found = bench.forge.approvals(&bench.scope, "4711", 7).await.unwrap();
        assert_eq!(json!(found), json!(wanted), "{name}");
        assert!(!found.is_empty(), "{name}");
    }
    let stub = Stub::script([json_answer(200, json!({"approved": true}))]).await;
    let bench = bench(&stub);
    bench.forge.approvals(&bench.scope, "4711", 7).await.unwrap_err();
}

#[test]
fn every_fixture_has_a_source() {
    let sources = fixture_text("SOURCES.tsv");
    let folder = format!("{}/tests/fixtures/gitlab", env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".json") {
            let _: Value = fixture(&name);
            assert!(sources.lines().any(|line| line.split('\t').next() == Some(&name)), "{name}");
        }
    }
}
