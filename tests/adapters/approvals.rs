//! The approve call in both shapes, and who the reviewers are.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::json;
use signalbox_engine::{
    adapters::gitlab::GitLabForge,
    ports::{error::ErrorClass, forge::Forge as _, journal::Scope},
    settings::ApproveApi,
};

use crate::support::{Literal, Recorder, Stub, bench, bench_with, fixture, json_answer, settings};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

#[tokio::test]
async fn a_classic_approval_pins_the_sha_and_uses_the_reviewers_token() {
    let stub = Stub::script([json_answer(201, fixture("approve_201_ee.json"))]).await;
    let bench = bench(&stub);
    bench.forge.approve(&bench.scope, "4711", 7, SHA, 1).await.unwrap();
    let seen = stub.seen();
    assert_eq!(stub.calls(), ["POST /api/v4/projects/4711/merge_requests/7/approve"]);
    assert_eq!(seen[0].json(), json!({"sha": SHA}));
    assert_eq!(seen[0].header("private-token"), Some("glpat-rev-b-000002"));
    let row = &bench.journal.rows()[0];
    assert_eq!((row.intent.account.as_str(), row.intent.detail.as_deref()), ("reviewer-2", Some("sha ec1bf36")));
}

#[tokio::test]
async fn check_items_are_read_once_and_repaired_from_a_refusal() {
    let items = json!({"items": [{"key": "diff", "title": "The diff was read"}]});
    let in_force =
        json!({"message": "not complete", "items": [{"key": "diff", "title": "D"}, {"key": 9, "title": "N"}]});
    let done = || json_answer(201, fixture("approve_201_ee.json"));
    let stub = Stub::script([json_answer(200, items), json_answer(422, in_force), done(), done()]).await;
    let bench = bench_with(settings(&stub.url).gitlab, Arc::new(Literal), ApproveApi::Checklist);
    bench.forge.approve(&bench.scope, "4711", 7, SHA, 0).await.unwrap();
    bench.forge.approve(&bench.scope, "4711", 7, SHA, 1).await.unwrap();
    let approve = "POST /api/v4/projects/4711/merge_requests/7/approve";
    assert_eq!(stub.calls(), ["GET /api/v4/projects/4711/approval_checklist", approve, approve, approve]);
    let seen = stub.seen();
    assert_eq!(seen[1].json(), json!({"sha": SHA, "checklist": [{"key": "diff", "checked": true}]}));
    let whole = json!({"sha": SHA, "checklist": [{"key": "diff", "checked": true}, {"key": 9, "checked": true}]});
    assert_eq!((seen[2].json(), seen[3].json()), (whole.clone(), whole));
    let rows = bench.journal.rows();
    assert_eq!(rows.iter().map(|r| r.status()).collect::<Vec<_>>(), [Some(200), Some(422), Some(201), Some(201)]);
}

#[tokio::test]
async fn a_second_refusal_is_told() {
    let refusal = || json_answer(422, json!({"message": "not complete", "items": [{"key": "a"}]}));
    let stub = Stub::script([json_answer(404, json!({"message": "404 Not found"})), refusal(), refusal()]).await;
    let bench = bench_with(settings(&stub.url).gitlab, Arc::new(Literal), ApproveApi::Checklist);
    let error = bench.forge.approve(&bench.scope, "4711", 7, SHA, 0).await.unwrap_err();
    assert_eq!((error.class, error.status, error.message.as_str()), (ErrorClass::Terminal, Some(422), "not complete"));
    assert_eq!(stub.seen()[1].json()["checklist"], json!([]));
    assert_eq!(stub.seen().len(), 3);
}

#[tokio::test]
async fn the_shape_is_chosen_at_every_call() {
    let stub = Stub::routes(|seen| match seen.method.as_str() {
        "GET" => json_answer(200, json!({"items": []})),
        _ => json_answer(201, json!({"approved_by": []})),
    })
    .await;
    let checklist = Arc::new(AtomicBool::new(false));
    let api = {
        let checklist = checklist.clone();
        move || if checklist.load(Ordering::SeqCst) { ApproveApi::Checklist } else { ApproveApi::Classic }
    };
    let forge = GitLabForge::new(&settings(&stub.url).gitlab, Arc::new(Literal), Arc::new(api)).unwrap();
    let scope = Scope::new(Arc::new(Recorder::default()));
    forge.approve(&scope, "1", 7, SHA, 0).await.unwrap();
    checklist.store(true, Ordering::SeqCst);
    forge.approve(&scope, "1", 7, SHA, 0).await.unwrap();
    let seen = stub.seen();
    assert_eq!(seen[0].json(), json!({"sha": SHA}));
    assert_eq!(seen[2].json(), json!({"sha": SHA, "checklist": []}));
}

#[tokio::test]
async fn reviewers_are_known_by_name_after_the_first_look() {
    let stub = Stub::routes(|seen| {
        let name = if seen.header("private-token") == Some("glpat-rev-a-000001") { "rev-a" } else { "rev-b" };
        json_answer(if seen.method == "GET" { 200 } else { 201 }, json!({"username": name}))
    })
    .await;
    let bench = bench(&stub);
    for _ in 0..2 {
        assert_eq!(bench.forge.reviewers(&bench.scope).await.unwrap(), ["rev-a", "rev-b"]);
    }
    assert_eq!(stub.calls(), ["GET /api/v4/user", "GET /api/v4/user"]);
    bench.forge.approve(&bench.scope, "1", 7, SHA, 1).await.unwrap();
    assert_eq!(bench.journal.rows()[2].intent.account, "rev-b");
}
