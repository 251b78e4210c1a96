//! Rate limits: what a throttled answer asks for is kept by every call to that remote.

use std::time::{Duration, Instant};

use serde_json::json;
use signalbox_engine::ports::{error::ErrorClass, forge::Forge as _};

use crate::support::{Act, Stub, answer, bench, fixture, json_answer, merge_request};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

fn rack(headers: &[(&str, &str)]) -> Act {
    let mut act = answer(429, "text/plain", "Retry later\n");
    for (name, value) in headers {
        act = act.with(name, value);
    }
    Act::Answer(act)
}

#[tokio::test]
async fn after_a_429_nothing_leaves_until_the_time_is_over() {
    let stub = Stub::script([rack(&[("Retry-After", "30"), ("RateLimit-Remaining", "0")])]).await;
    let bench = bench(&stub);
    let first = bench.forge.merge(&bench.scope, "4711", 7, SHA).await.unwrap_err();
    assert_eq!(
        (first.class, first.status),
        (ErrorClass::Throttled, Some(429)),
        "a throttled write was not done: {first}"
    );
    assert_eq!(first.retry_after, Some(Duration::from_secs(30)));
    assert_eq!(first.message, "Retry later");

    let rows = bench.journal.rows().len();
    let second = bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap_err();
    assert_eq!((second.class, second.status), (ErrorClass::Throttled, None), "{second}");
    let left = second.retry_after.unwrap();
    assert!(left > Duration::from_secs(28) && left <= Duration::from_secs(30), "{left:?}");
    bench.forge.approve(&bench.scope, "4711", 7, SHA, 0).await.unwrap_err();
    assert_eq!(stub.seen().len(), 1, "nobody else was let out");
    assert_eq!(bench.journal.rows().len(), rows, "what did not leave has no row");
}

#[tokio::test]
async fn a_short_pause_is_waited_out_on_the_spot() {
    let body = fixture("error_429_app_limit.json");
    let limited = json_answer(429, body).with("Retry-After", "0.4");
    let stub = Stub::script([limited, json_answer(200, merge_request(json!({})))]).await;
    let bench = bench(&stub);
    let error = bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap_err();
    assert_eq!(error.class, ErrorClass::Throttled);
    assert_eq!(error.message, "This endpoint has been requested too many times. Try again later.");
    let started = Instant::now();
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap();
    assert!(started.elapsed() >= Duration::from_millis(350), "{:?}", started.elapsed());
}

#[tokio::test]
async fn the_pause_is_found_in_every_form_it_is_given_in() {
    let meta = fixture("error_429_rack_attack.meta.json");
    let reset = meta["headers"]["RateLimit-Reset"].as_str().unwrap();
    let time = meta["headers"]["RateLimit-ResetTime"].as_str().unwrap();
    let date = ("Date", "Tue, 05 Jan 2021 10:59:20 GMT");
    let cases: &[(&[(&str, &str)], Option<u64>)] = &[
        (&[date, ("Retry-After", "30"), ("RateLimit-Reset", reset)], Some(30)),
        (&[date, ("Retry-After", time)], Some(40)),
        (&[date, ("RateLimit-Reset", reset)], Some(40)),
        (&[date, ("RateLimit-ResetTime", time)], Some(40)),
        (&[("RateLimit-Reset", "12")], Some(12)),
        (&[("Retry-After", "999999999")], Some(3600)),
        (&[("Retry-After", "soon")], None),
        (&[], None),
    ];
    for (headers, seconds) in cases {
        let stub = Stub::script([rack(headers)]).await;
        let bench = bench(&stub);
        let error = bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap_err();
        assert_eq!(error.retry_after, seconds.map(Duration::from_secs), "{headers:?}");
    }
}

#[tokio::test]
async fn a_used_up_budget_is_respected_before_the_server_has_to_refuse() {
    let last = json_answer(200, merge_request(json!({}))).with("RateLimit-Remaining", "0").with("RateLimit-Reset", "9");
    let stub = Stub::script([last]).await;
    let bench = bench(&stub);
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap();
    let error = bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap_err();
    assert_eq!(error.class, ErrorClass::Throttled);
    assert_eq!(stub.seen().len(), 1);
}

#[tokio::test]
async fn a_busy_server_throttles_reads_and_leaves_writes_in_doubt() {
    let busy = || json_answer(503, json!({"message": "GitLab is read-only"})).with("Retry-After", "20");
    let stub = Stub::script([busy()]).await;
    let bench1 = bench(&stub);
    let read = bench1.forge.merge_request(&bench1.scope, "4711", 7).await.unwrap_err();
    assert_eq!((read.class, read.retry_after), (ErrorClass::Throttled, Some(Duration::from_secs(20))));

    let stub = Stub::script([busy()]).await;
    let bench2 = bench(&stub);
    let write = bench2.forge.merge(&bench2.scope, "4711", 7, SHA).await.unwrap_err();
    assert_eq!((write.class, write.retry_after), (ErrorClass::Ambiguous, Some(Duration::from_secs(20))));
    assert_eq!(write.message, "GitLab is read-only");
}
