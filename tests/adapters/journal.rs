//! What is on record, and when: the intent of a write before its bytes leave, and never a secret.

use std::time::Duration;

use serde_json::json;
use signalbox_engine::ports::{
    error::ErrorClass,
    forge::Forge as _,
    journal::{Effect, IntentRefused, Scope},
};

use crate::{
    refusals::{new_commit, new_mr},
    support::{Act, BOT_TOKEN, Stub, bench, json_answer, merge_request},
};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

#[tokio::test]
async fn the_intent_of_a_write_is_stored_before_its_bytes_leave() {
    let stub = Stub::script([
        json_answer(200, merge_request(json!({}))),
        json_answer(200, merge_request(json!({"state": "merged"}))),
    ])
    .await;
    let bench = bench(&stub);
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap();
    bench.forge.merge(&bench.scope.attempt(3), "4711", 7, SHA).await.unwrap();
    let rows = bench.journal.rows();
    let (read, write) = (&rows[0], &rows[1]);
    assert_eq!((read.intent.effect, read.intent.method, read.intent.attempt), (Effect::Read, "GET", 1));
    assert_eq!((write.intent.effect, write.intent.method, write.intent.attempt), (Effect::Write, "PUT", 3));
    assert_eq!(write.sent_before, 1, "only the read had been sent when the intent was stored");
    assert_eq!(write.intent.path, "/api/v4/projects/4711/merge_requests/7/merge");
    assert_eq!(write.intent.detail.as_deref(), Some("sha ec1bf36"));
    let end = write.end.clone().unwrap();
    assert_eq!((end.status, end.error, end.request_id.as_deref()), (Some(200), None, Some("01REQUEST")));
    assert!(end.took > Duration::ZERO);
}

#[tokio::test]
async fn a_write_that_may_not_be_stored_is_not_sent() {
    for (refusal, class) in [
        (IntentRefused::Superseded, ErrorClass::Superseded),
        (IntentRefused::Store("the disk is full".into()), ErrorClass::NotSent),
    ] {
        let stub = Stub::script([]).await;
        let bench = bench(&stub);
        bench.journal.refuse(refusal);
        let error = bench.forge.merge(&bench.scope, "4711", 7, SHA).await.unwrap_err();
        assert_eq!((error.class, error.status), (class, None), "{error}");
        assert!(stub.seen().is_empty());
    }
    let stub = Stub::script([]).await;
    let bench = bench(&stub);
    let probe = bench.forge.close(&Scope::unrecorded(), "4711", 7).await.unwrap_err();
    assert!(probe.message.contains("a probe may not write"), "{probe}");
    assert!(stub.seen().is_empty());
}

#[tokio::test]
async fn a_write_that_was_given_up_leaves_its_intent() {
    let stub = Stub::script([Act::Hang]).await;
    let bench = bench(&stub);
    let call = bench.forge.merge(&bench.scope, "4711", 7, SHA);
    assert!(tokio::time::timeout(Duration::from_millis(300), call).await.is_err());
    let rows = bench.journal.rows();
    assert_eq!((rows.len(), rows[0].end.is_none()), (1, true), "somebody can look what became of it");
    assert_eq!(stub.seen().len(), 1);
}

#[tokio::test]
async fn no_row_and_no_error_holds_a_token() {
    let echo = |status| json_answer(status, json!({"message": format!("bad {BOT_TOKEN} and glpat-rev-a-000001")}));
    let stub = Stub::routes(move |seen| match seen.method.as_str() {
        "GET" => echo(403),
        "POST" => echo(400),
        _ => echo(500),
    })
    .await;
    let bench = bench(&stub);
    let (forge, scope) = (&bench.forge, &bench.scope);
    let errors = [
        forge.merge_request(scope, "4711", 7).await.unwrap_err(),
        forge.project(scope, "a/b").await.unwrap_err(),
        forge.commit_files(scope, "4711", &new_commit()).await.unwrap_err(),
        forge.open_merge_request(scope, "4711", &new_mr()).await.unwrap_err(),
        forge.merge(scope, "4711", 7, SHA).await.unwrap_err(),
    ];
    let approve = forge.approve(scope, "4711", 7, SHA, 0).await.unwrap_err();
    assert!(!format!("{approve:?} {approve}").contains("glpat-rev-a-000001"), "{approve}");
    for error in errors {
        assert!(!format!("{error:?} {error}").contains(BOT_TOKEN), "{error}");
    }
    for row in bench.journal.rows() {
        let own = if row.intent.account == "bot" { BOT_TOKEN } else { "glpat-rev-a-000001" };
        assert!(!format!("{row:?}").contains(own), "{row:?}");
    }
}
