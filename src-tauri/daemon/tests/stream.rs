//! The stream of changes: resumed, live, and neither with a gap nor anything twice.

mod world;

use std::time::Duration;

use tokio::{io::AsyncReadExt, net::TcpStream, time::timeout};
use world::{Echo, TOKEN, World, change, no_pages, start, start_with};

const SOON: Duration = Duration::from_secs(5);

async fn follow(w: &World, last: Option<&str>) -> TcpStream {
    let auth = format!("Bearer {TOKEN}");
    let mut headers = vec![("Host", "localhost"), ("Authorization", auth.as_str())];
    headers.extend(last.map(|id| ("Last-Event-ID", id)));
    let wire = w.open("GET", "/api/v1/stream", &headers).await;
    timeout(SOON, w.engine.followed()).await.expect("a follower");
    wire
}

/// Reads until `n` events have come; their ids.
async fn ids(wire: &mut TcpStream, n: usize) -> Vec<i64> {
    let mut text = String::new();
    loop {
        let ids: Vec<i64> = text.lines().filter_map(|l| l.strip_prefix("id: ")?.parse().ok()).collect();
        if ids.len() >= n && text.contains("\n\n") {
            return ids;
        }
        let mut part = [0; 8192];
        let got = timeout(SOON, wire.read(&mut part)).await.unwrap_or_else(|_| panic!("{n} events; seen {text}"));
        let got = got.expect("the stream goes on");
        assert!(got > 0, "the stream ended early: {text}");
        text += &String::from_utf8_lossy(&part[..got]);
    }
}

#[tokio::test]
async fn a_change_comes_as_an_event_with_its_number() {
    let w = start().await;
    let mut wire = follow(&w, None).await;
    w.engine.commit(7);
    let mut text = String::new();
    while !text.contains("\"status\"") {
        let mut part = [0; 4096];
        let got = timeout(SOON, wire.read(&mut part)).await.expect("an event").expect("the stream goes on");
        text += &String::from_utf8_lossy(&part[..got]);
    }
    assert!(text.contains("content-type: text/event-stream"), "{text}");
    for line in ["event: operation", "id: 7"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let data = r#"data: {"operation_id":"op-7","version":7,"step":10402,"status":"APPROVAL_SENT"}"#;
    assert!(text.contains(data), "{text}");
}

#[tokio::test]
async fn without_a_last_id_only_new_changes_come() {
    let w = start().await;
    (1..=5).for_each(|n| w.engine.commit(n));
    let mut wire = follow(&w, None).await;
    (6..=8).for_each(|n| w.engine.commit(n));
    assert_eq!(ids(&mut wire, 3).await, [6, 7, 8]);
}

#[tokio::test]
async fn a_resumed_stream_has_no_gap_and_nothing_twice() {
    let w = start_with(Echo::new(8), no_pages).await;
    (1..=1200).for_each(|n| w.engine.commit(n));
    // Committed after the stream has subscribed and while it reads what it missed: in the store and in the channel.
    w.engine.during_read.lock().expect("during_read").extend((1201..=1203).map(change));
    let mut wire = follow(&w, Some("3")).await;
    assert_eq!(ids(&mut wire, 1200).await, (4..=1203).collect::<Vec<_>>());
    w.engine.commit(1204);
    assert_eq!(ids(&mut wire, 1).await, [1204]);
}

#[tokio::test]
async fn a_reader_that_lags_gets_what_it_missed_from_the_store() {
    let w = start_with(Echo::new(4), no_pages).await;
    let mut wire = follow(&w, None).await;
    w.engine.commit(1);
    assert_eq!(ids(&mut wire, 1).await, [1]);
    // More than the channel holds, before the reader gets a turn.
    (2..=60).for_each(|n| w.engine.commit(n));
    assert_eq!(ids(&mut wire, 59).await, (2..=60).collect::<Vec<_>>());
}

#[tokio::test]
async fn numbers_that_were_never_used_hold_nothing_up() {
    let w = start().await;
    let mut wire = follow(&w, Some("0")).await;
    for n in [3, 9, 10, 42] {
        w.engine.commit(n);
    }
    assert_eq!(ids(&mut wire, 4).await, [3, 9, 10, 42]);
}

/// After a restore the numbers begin again where the backup ended.
#[tokio::test]
async fn a_number_of_another_store_makes_nobody_deaf() {
    let w = start().await;
    (1..=5).for_each(|n| w.engine.commit(n));
    let mut wire = follow(&w, Some("100")).await;
    w.engine.commit(6);
    assert_eq!(ids(&mut wire, 1).await, [6]);
}

#[tokio::test]
async fn the_stream_ends_when_the_listener_stops() {
    let w = start().await;
    let mut wire = follow(&w, None).await;
    w.stop.cancel();
    let mut rest = Vec::new();
    timeout(SOON, wire.read_to_end(&mut rest)).await.expect("an end").expect("a clean end");
}

#[tokio::test]
async fn a_last_id_that_is_no_number_is_refused() {
    let w = start().await;
    let auth = format!("Bearer {TOKEN}");
    let a = w.call("GET", "/api/v1/stream", &[("Authorization", &auth), ("Last-Event-ID", "yesterday")], b"").await;
    assert_eq!((a.status, a.json()["type"].as_str()), (400, Some("https://signalbox.dev/problems/bad-event-id")));
}
