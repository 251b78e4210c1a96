//! Connections that break, pages instead of data, redirects, timeouts: each outcome for a read and for a write.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use signalbox_engine::{
    ports::{
        error::{ErrorClass, RemoteError},
        forge::Forge as _,
    },
    settings::{ApproveApi, Span},
};

use crate::support::{
    Act, Bench, Literal, Stub, answer, bench, bench_with, json_answer, merge_request, page, settings,
};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

async fn read(bench: &Bench) -> RemoteError {
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap_err()
}

async fn write(bench: &Bench) -> RemoteError {
    bench.forge.merge(&bench.scope, "4711", 7, SHA).await.unwrap_err()
}

/// The class of the same misfortune for a read and for a write, each sent exactly once.
async fn both(act: Act) -> (RemoteError, RemoteError) {
    let stub = Stub::script([act.clone(), act]).await;
    let a = read(&bench(&stub)).await;
    let b = write(&bench(&stub)).await;
    assert_eq!(stub.seen().len(), 2, "each call is sent once: {:?}", stub.calls());
    (a, b)
}

#[tokio::test]
async fn an_answer_that_proves_nothing_is_retryable_for_a_read_and_ambiguous_for_a_write() {
    let mr = merge_request(json!({})).to_string();
    let whole = answer(200, "application/json", mr);
    let cases: Vec<(&str, Act, Option<u16>)> = vec![
        ("the connection closes after the request was read", Act::Close, None),
        ("the body stops in the middle", Act::Cut(whole.clone(), 60), Some(200)),
        ("the body stops before it began", Act::Cut(whole, 0), Some(200)),
        ("502 page", page(502), Some(502)),
        ("503 page", page(503), Some(503)),
        ("504 page", page(504), Some(504)),
        ("200 login page", page(200), Some(200)),
        ("403 browser check", page(403), Some(403)),
        ("404 page of a proxy", page(404), Some(404)),
        ("401 page of a proxy", page(401), Some(401)),
        ("500", json_answer(500, json!({"message": "500 Internal Server Error"})), Some(500)),
        ("408", json_answer(408, json!({"message": {"error": "Request timed out"}})), Some(408)),
        ("520", json_answer(520, json!({})), Some(520)),
        ("200 with nothing", Act::Answer(answer(200, "application/json", "")), Some(200)),
        ("200 with half a JSON", Act::Answer(answer(200, "application/json", "{\"iid\": ")), Some(200)),
        ("200 with another shape", json_answer(200, json!(["merged"])), Some(200)),
        ("204", Act::Answer(answer(204, "text/plain", "")), Some(204)),
    ];
    for (name, act, status) in cases {
        let (a, b) = both(act).await;
        assert_eq!((a.class, b.class), (ErrorClass::Retryable, ErrorClass::Ambiguous), "{name}: {a} / {b}");
        assert_eq!((a.status, b.status), (status, status), "{name}");
        assert!(!a.message.contains("secret page text"), "{name}: {a}");
    }
}

#[tokio::test]
async fn a_page_is_named_and_not_shown() {
    let (a, _) = both(page(503)).await;
    assert_eq!(a.to_string(), "gitlab answered 503 to bot: a web page instead of data (Service Unavailable)");
}

#[tokio::test]
async fn nobody_at_the_address_means_nothing_was_sent() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", gone.local_addr().unwrap());
    drop(gone);
    // A server that does not speak TLS: the handshake fails, and no request was ever sent.
    let plain = Stub::script([]).await;
    for url in [url, "http://no-such-host.invalid".to_owned(), plain.url.replace("http:", "https:")] {
        let bench = bench_with(settings(&url).gitlab, Arc::new(Literal), ApproveApi::Classic);
        for error in [read(&bench).await, write(&bench).await] {
            assert_eq!((error.class, error.status), (ErrorClass::NotSent, None), "{error}");
        }
        let rows = bench.journal.rows();
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| row.class() == Some("not_sent")), "{rows:?}");
    }
    assert!(plain.seen().is_empty());
}

#[tokio::test]
async fn a_server_that_says_nothing_runs_into_the_limit() {
    let stub = Stub::script([Act::Hang, Act::Hang]).await;
    let mut gitlab = settings(&stub.url).gitlab;
    gitlab.timeout = Span::millis(200);
    let bench = bench_with(gitlab, Arc::new(Literal), ApproveApi::Classic);
    let (a, b) = (read(&bench).await, write(&bench).await);
    assert_eq!((a.class, b.class), (ErrorClass::Retryable, ErrorClass::Ambiguous), "{a} / {b}");
    assert!(a.message.contains("no answer within 200ms"), "{a}");
    assert_eq!(stub.seen().len(), 2);
}

#[tokio::test]
async fn a_write_never_rides_on_a_kept_connection() {
    let merged = merge_request(json!({"state": "merged"}));
    let opened = answer(200, "application/json", merge_request(json!({})).to_string());
    // The server keeps the first connection open by word and closes it by deed; the second write is lost after it was read.
    let stub = Stub::script([
        Act::ThenClose(opened.clone()),
        json_answer(200, merged.clone()),
        Act::Answer(opened),
        Act::Close,
        json_answer(200, merged),
    ])
    .await;
    let bench = bench(&stub);
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap();
    bench.forge.merge(&bench.scope, "4711", 7, SHA).await.unwrap();
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap();
    assert_eq!(write(&bench).await.class, ErrorClass::Ambiguous);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(stub.seen().len(), 4, "the lost write was sent once: {:?}", stub.calls());
    bench.forge.merge(&bench.scope, "4711", 7, SHA).await.unwrap();
    let seen = stub.seen();
    let writes: Vec<_> = seen.iter().filter(|s| s.method == "PUT").map(|s| s.connection).collect();
    for write in &writes {
        assert_eq!(seen.iter().filter(|s| s.connection == *write).count(), 1, "a connection of its own: {seen:?}");
    }
}

#[tokio::test]
async fn a_redirected_write_is_refused() {
    for (status, class) in [
        (301, ErrorClass::Terminal),
        (308, ErrorClass::Terminal),
        (302, ErrorClass::Ambiguous),
        (303, ErrorClass::Ambiguous),
        (307, ErrorClass::Ambiguous),
    ] {
        let act = Act::Answer(answer(status, "text/plain", "moved")).with("Location", "/elsewhere?private=1");
        let stub = Stub::script([act]).await;
        let error = write(&bench(&stub)).await;
        assert_eq!((error.class, error.status), (class, Some(status)), "{error}");
        assert_eq!(stub.seen().len(), 1);
        assert!(error.message.contains("/elsewhere") && !error.message.contains("private=1"), "{error}");
    }
}

#[tokio::test]
async fn a_redirected_read_stays_on_its_server() {
    let other = Stub::script([]).await;
    let away = Act::Answer(answer(302, "text/plain", "")).with("Location", &format!("{}/login", other.url));
    let error = read(&bench(&Stub::script([away]).await)).await;
    assert_eq!(error.class, ErrorClass::Retryable, "{error}");
    assert!(other.seen().is_empty(), "no credential goes to another host");

    let hop = |n: u32| Act::Answer(answer(307, "text/plain", "")).with("Location", &format!("/hop/{n}?a=b"));
    let stub = Stub::script([hop(1), hop(2), hop(3), json_answer(200, merge_request(json!({})))]).await;
    let bench3 = bench(&stub);
    assert!(bench3.forge.merge_request(&bench3.scope, "4711", 7).await.unwrap().is_some());
    assert_eq!(stub.calls()[3], "GET /hop/3?a=b");
    assert_eq!(bench3.journal.rows().len(), 4, "every request has its row");

    let stub = Stub::script([hop(1), hop(2), hop(3), hop(4), json_answer(200, merge_request(json!({})))]).await;
    let error = read(&bench(&stub)).await;
    assert_eq!((error.class, stub.seen().len()), (ErrorClass::Retryable, 4), "{error}");
}

#[tokio::test]
async fn an_answer_without_end_is_not_swallowed() {
    let huge = answer(200, "application/json", vec![b' '; 33 * 1024 * 1024]);
    let (a, b) = both(Act::Answer(huge)).await;
    assert_eq!((a.class, b.class), (ErrorClass::Terminal, ErrorClass::Ambiguous), "{a} / {b}");
}

#[tokio::test]
async fn an_address_that_cannot_be_used_is_told_in_a_sentence() {
    for (url, word) in [
        ("gitlab.example.com", "no address"),
        ("ftp://gitlab.example.com", "http"),
        ("https://bot:glpat-x@gitlab.example.com", "credentials"),
        ("https://gitlab.example.com/?private_token=x", "`?`"),
    ] {
        let built = signalbox_engine::adapters::gitlab::GitLabForge::new(
            &settings(url).gitlab,
            Arc::new(Literal),
            Arc::new(|| ApproveApi::Classic),
        );
        let text = built.err().unwrap().to_string();
        assert!(text.contains("gitlab.url") && text.contains(word) && !text.contains("glpat"), "{text}");
    }
}

#[tokio::test]
async fn a_path_before_the_api_is_kept() {
    let stub = Stub::script([json_answer(200, merge_request(json!({})))]).await;
    let mut gitlab = settings(&stub.url).gitlab;
    gitlab.url = format!("{}/forge/", stub.url);
    let bench = bench_with(gitlab, Arc::new(Literal), ApproveApi::Classic);
    bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap();
    let path = "/forge/api/v4/projects/4711/merge_requests/7?include_rebase_in_progress=true";
    assert_eq!(stub.calls(), [format!("GET {path}")]);
    assert_eq!(bench.journal.rows()[0].intent.path, path);
}
