//! Public bug cases where the wire is the point; the number of the case stands in the name. Their stories are in tests/cases.

use std::time::Duration;

use serde_json::{Value, json};
use signalbox_engine::ports::{
    error::{ErrorClass, RemoteError},
    forge::{Forge as _, PipelineVerdict},
};

use crate::{
    refusals::{new_commit, new_mr},
    support::{Act, Stub, answer, bench, fixture, json_answer, merge_request, page},
};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

async fn opened_by(act: Act) -> (RemoteError, usize) {
    let stub = Stub::script([act]).await;
    let bench = bench(&stub);
    let error = bench.forge.open_merge_request(&bench.scope, "1", &new_mr()).await.unwrap_err();
    (error, stub.seen().len())
}

#[tokio::test]
async fn c004_201_with_a_body_cut_in_the_middle() {
    let whole = answer(201, "application/json", merge_request(json!({})).to_string());
    let half_chunk = {
        let head = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        format!("{head}2c\r\n{{\"iid\": 7, \"project_id\": 4711, \"state\": \"ope\r\n")
    };
    // A body that is complete JSON and still lacks its last chunk is not complete.
    let no_last_chunk = {
        let head = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        let body = merge_request(json!({})).to_string();
        format!("{head}{:x}\r\n{body}\r\n", body.len())
    };
    for act in [Act::Cut(whole, 300), Act::Raw(half_chunk), Act::Raw(no_last_chunk)] {
        let (error, sent) = opened_by(act).await;
        assert_eq!((error.class, error.status, sent), (ErrorClass::Ambiguous, Some(201), 1), "{error}");
    }
    for missing in ["iid", "project_id", "state", "web_url"] {
        let mut body = merge_request(json!({}));
        body.as_object_mut().unwrap().remove(missing);
        let (error, _) = opened_by(json_answer(201, body)).await;
        assert_eq!(error.class, ErrorClass::Ambiguous, "without {missing}: {error}");
    }
}

#[tokio::test]
async fn c033_head_pipeline_of_another_commit_is_not_looked_at() {
    let other = json!({"id": 69, "sha": "c0", "status": "success", "source": "merge_request_event", "ref": "r"});
    let mr = merge_request(json!({"head_pipeline": other.clone(), "pipeline": other}));
    let stub = Stub::script([json_answer(200, mr), json_answer(200, json!([other]))]).await;
    let bench = bench(&stub);
    bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap().unwrap();
    let pipelines = bench.forge.pipelines(&bench.scope, "1", 7).await.unwrap();
    assert_eq!(pipelines.iter().map(|p| p.sha.as_str()).collect::<Vec<_>>(), ["c0"], "each with the commit it ran on");
}

#[tokio::test]
async fn c036_unknown_words_break_no_list() {
    let row = |id: u64, status: &str| json!({"id": id, "sha": SHA, "status": status, "source": "brand_new", "ref": "r", "more": {}});
    let rows: Vec<_> =
        ["canceling", "waiting_for_callback", "", "success"].iter().zip(1..).map(|(word, id)| row(id, word)).collect();
    let odd = merge_request(json!({"detailed_merge_status": "frobnicating", "state": "opened", "new_field": [1]}));
    let stub = Stub::script([json_answer(200, json!(rows)), json_answer(200, odd)]).await;
    let bench = bench(&stub);
    let found = bench.forge.pipelines(&bench.scope, "1", 7).await.unwrap();
    let verdicts: Vec<_> = found.iter().map(|p| p.verdict).collect();
    use PipelineVerdict::{Passed, Running};
    assert_eq!(verdicts, [Running, Running, Running, Passed]);
    let mr = bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap().unwrap();
    assert_eq!(mr.readiness_word, "frobnicating", "shown as it is");
}

/// Rows in pages of a server that has more of them than fit on one.
fn paged(rows: Vec<Value>) -> impl Fn(&crate::support::Seen) -> Act + Send + Sync + 'static {
    move |seen| {
        let number = |name: &str| {
            let value = seen
                .target
                .split(['?', '&'])
                .find_map(|part| part.strip_prefix(&format!("{name}=")).map(str::to_owned));
            value.map_or(1, |value| value.parse::<usize>().unwrap())
        };
        // Whatever is asked for, this server gives twenty.
        let page = number("page");
        let part: Vec<_> = rows.iter().skip((page - 1) * 20).take(20).cloned().collect();
        let next = if rows.len() > page * 20 { (page + 1).to_string() } else { String::new() };
        json_answer(200, json!(part)).with("X-Next-Page", &next).with("X-Page", &page.to_string())
    }
}

#[tokio::test]
async fn c037_the_wanted_pipeline_is_on_page_2() {
    let row = |id: u64, sha: &str| json!({"id": id, "sha": sha, "status": "success", "source": "push", "ref": "r"});
    let mut rows: Vec<_> = (0..24).map(|n| row(200 - n, "other")).collect();
    rows.push(row(70, SHA));
    let stub = Stub::routes(paged(rows)).await;
    let bench1 = bench(&stub);
    let found = bench1.forge.pipelines(&bench1.scope, "1", 7).await.unwrap();
    assert_eq!(found.iter().filter(|p| p.sha == SHA).map(|p| p.id).collect::<Vec<_>>(), [70]);
    assert!(stub.calls()[1].ends_with("page=2"), "{:?}", stub.calls());
    let stub = Stub::script([json_answer(200, merge_request(json!({"head_pipeline": null})))]).await;
    let bench2 = bench(&stub);
    assert!(bench2.forge.merge_request(&bench2.scope, "1", 7).await.unwrap().is_some());
}

#[tokio::test]
async fn c051_the_rebase_flag_is_asked_for() {
    let stub = Stub::script([json_answer(200, merge_request(json!({"rebase_in_progress": true})))]).await;
    let bench = bench(&stub);
    let mr = bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap().unwrap();
    assert!(mr.rebase_in_progress && stub.calls()[0].contains("include_rebase_in_progress=true"), "{:?}", stub.calls());
}

/// GitLab counts the commits between two branches anew for each caller who asks: only who rebases does.
#[tokio::test]
async fn how_far_it_is_behind_is_asked_for_only_within_a_rebase() {
    let answers = [(); 2].map(|()| json_answer(200, merge_request(json!({"diverged_commits_count": 4}))));
    let stub = Stub::script(answers).await;
    let bench = bench(&stub);
    let mr = bench.forge.merge_request_behind(&bench.scope, "1", 7).await.unwrap().unwrap();
    assert_eq!(mr.behind, Some(4));
    bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap();
    let asked: Vec<_> = stub.calls().iter().map(|call| call.contains("include_diverged_commits_count=true")).collect();
    assert_eq!(asked, [true, false]);
}

#[tokio::test]
async fn c053_a_rebase_never_asks_to_skip_the_checks() {
    let stub = Stub::script([json_answer(202, json!({"rebase_in_progress": true}))]).await;
    let bench = bench(&stub);
    bench.forge.rebase(&bench.scope, "1", 7).await.unwrap();
    let seen = &stub.seen()[0];
    assert_eq!(format!("{} {}", seen.method, seen.target), "PUT /api/v4/projects/1/merge_requests/7/rebase");
    assert!(!seen.target.contains("skip_ci") && !seen.body.contains("skip_ci"), "{}", seen.body);
}

#[tokio::test]
async fn c067_429_with_retry_after_holds_every_call_to_that_host() {
    let stub = Stub::script([
        Act::Answer(answer(429, "text/plain", "Retry later\n").with("Retry-After", "1")),
        json_answer(200, merge_request(json!({}))),
    ])
    .await;
    let bench = bench(&stub);
    let began = std::time::Instant::now();
    let first = bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap_err();
    assert_eq!((first.class, first.retry_after), (ErrorClass::Throttled, Some(Duration::from_secs(1))));
    bench.forge.merge_request(&bench.scope, "1", 8).await.unwrap();
    assert!(began.elapsed() >= Duration::from_millis(950), "another request waited as well");
    assert_eq!(stub.seen().len(), 2);
}

#[tokio::test]
async fn c068_html_instead_of_json() {
    let empty = Act::Answer(answer(200, "application/json", ""));
    let acts = [page(503), page(403), page(200), empty, json_answer(200, merge_request(json!({})))];
    let stub = Stub::script(acts).await;
    let bench = bench(&stub);
    for status in [503, 403, 200, 200] {
        let error = bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap_err();
        assert_eq!((error.class, error.status), (ErrorClass::Retryable, Some(status)), "{error}");
        assert!(!error.message.contains('<') && !error.message.contains("secret page text"), "{error}");
    }
    assert!(bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap().is_some());
}

#[tokio::test]
async fn c070_a_branch_that_does_not_show_yet_is_worth_another_try() {
    let body = fixture("error_400_mr_source_branch_missing.json");
    let (error, sent) = opened_by(json_answer(400, body)).await;
    assert_eq!((error.class, error.status, sent), (ErrorClass::Retryable, Some(400), 1), "{error}");
}

#[tokio::test]
async fn c071_a_server_that_is_read_only_leaves_a_write_in_doubt_and_reads_alone() {
    let read_only = json_answer(503, json!({"message": "You cannot perform write operations on a read-only instance"}));
    let stub = Stub::script([read_only, json_answer(200, merge_request(json!({})))]).await;
    let bench = bench(&stub);
    let error = bench.forge.merge(&bench.scope, "1", 7, SHA).await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Ambiguous, Some(503)));
    assert!(error.message.contains("read-only instance"), "{error}");
    assert!(bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap().is_some());
}

#[tokio::test]
async fn c072_our_mr_is_on_page_2_or_3() {
    let row = |iid: u64| merge_request(json!({"iid": iid, "source_branch": "signalbox/op-1"}));
    for place in [25_usize, 44] {
        let mut rows: Vec<_> = (100..144).map(row).collect();
        rows.insert(place, row(7));
        let stub = Stub::routes(paged(rows)).await;
        let bench = bench(&stub);
        let found = bench.forge.merge_requests_of(&bench.scope, "1", "signalbox/op-1").await.unwrap();
        assert!(found.iter().any(|mr| mr.iid == 7) && found.len() == 45, "{place}: {}", found.len());
        assert!(stub.calls()[0].contains("source_branch=signalbox%2Fop-1"), "{:?}", stub.calls());
    }
}

#[tokio::test]
async fn c073_404_for_one_round_is_absence_and_a_lost_membership_is_told() {
    let gone = json_answer(404, json!({"message": "404 Not found"}));
    let stub = Stub::script([gone, json_answer(200, merge_request(json!({})))]).await;
    let bench1 = bench(&stub);
    assert_eq!(bench1.forge.merge_request(&bench1.scope, "1", 7).await.unwrap(), None);
    assert!(bench1.forge.merge_request(&bench1.scope, "1", 7).await.unwrap().is_some());
    let no_project = fixture("error_404_project.json");
    let stub = Stub::routes(move |_| json_answer(404, no_project.clone())).await;
    let bench2 = bench(&stub);
    let error = bench2.forge.merge_request(&bench2.scope, "1", 7).await.unwrap_err();
    assert!(error.is(404) && error.message.contains("membership"), "{error}");
}

#[tokio::test]
async fn c077_an_expired_token_of_a_reviewer_is_named_with_its_setting() {
    let expired = fixture("error_401_token_expired.json");
    let stub = Stub::routes(move |_| json_answer(401, expired.clone())).await;
    let bench = bench(&stub);
    let error = bench.forge.approve(&bench.scope, "1", 7, SHA, 1).await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Auth, Some(401)));
    assert!(error.message.contains("gitlab.reviewer_tokens[1]") && error.message.contains("expired"), "{error}");
    assert!(stub.calls().iter().filter(|call| call.starts_with("POST")).count() <= 2, "{:?}", stub.calls());
}

#[tokio::test]
async fn c078_a_refused_commit_keeps_the_servers_reason_cut_and_cleaned() {
    let rule = format!("<b>Push rule</b>\u{7} CHG number missing {}", "x".repeat(4000));
    for (status, body) in [(403, json!({"message": "403 Forbidden"})), (400, json!({"message": rule}))] {
        let stub = Stub::script([json_answer(status, body)]).await;
        let bench = bench(&stub);
        let error = bench.forge.commit_files(&bench.scope, "1", &new_commit()).await.unwrap_err();
        // After a 400 the branch is read: it may be there already.
        let sent = stub.calls().iter().filter(|call| call.starts_with("POST")).count();
        assert_eq!((error.class, error.status, sent), (ErrorClass::Terminal, Some(status), 1), "{error}");
        assert!(error.message.chars().count() <= 501 && !error.message.contains(['<', '\u{7}']), "{error}");
        assert!(status == 403 || error.message.starts_with("Push rule CHG number missing"), "{error}");
    }
}

#[tokio::test]
async fn c080_a_bot_that_may_not_merge_is_not_taken_for_one_with_a_bad_token() {
    for (status, body) in [(401, fixture("error_401_unauthorized.json")), (403, fixture("error_403_forbidden.json"))] {
        let stub = Stub::script([json_answer(status, body)]).await;
        let bench = bench(&stub);
        let error = bench.forge.merge(&bench.scope, "1", 7, SHA).await.unwrap_err();
        assert_eq!((error.class, error.status), (ErrorClass::Terminal, Some(status)), "{error}");
    }
}

#[tokio::test]
async fn c129_the_commit_on_the_target_is_named_by_whichever_field_holds_it() {
    let (merge, squash) = ("a".repeat(40), "b".repeat(40));
    for (fields, wanted) in [
        (json!({"merge_commit_sha": null, "squash_commit_sha": null}), SHA),
        (json!({"merge_commit_sha": null, "squash_commit_sha": squash}), squash.as_str()),
        (json!({"merge_commit_sha": squash, "squash_commit_sha": null}), squash.as_str()),
        (json!({"merge_commit_sha": merge, "squash_commit_sha": squash}), merge.as_str()),
    ] {
        let mut changes = json!({"state": "merged", "sha": SHA});
        changes.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let stub = Stub::script([json_answer(200, merge_request(changes))]).await;
        let bench = bench(&stub);
        let mr = bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap().unwrap();
        assert_eq!(mr.merged_sha.as_deref(), Some(wanted));
    }
}
