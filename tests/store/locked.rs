//! A foreign program holds the file.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;
use signalbox_engine::{
    flow::Event,
    store::{
        inbox::{Delivery, Verdict},
        moves::Moved,
    },
    words::Sentence,
};

use crate::world::{NOON, World, transition, typed};

fn delivery(n: u32) -> Delivery {
    Delivery {
        source: "deploy",
        delivery_id: format!("delivery-{n}"),
        operation_id: Some("a".into()),
        says: "effective".into(),
        body: json!({"status": "effective"}),
        verdict: Verdict::Parked,
        reason: Sentence::quoted("not merged yet"),
        at: NOON,
        mark: None,
    }
}

/// Case C099.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn events_that_arrive_while_the_file_is_locked_for_seconds_are_stored_when_it_is_free() {
    let world = World::new().await;
    let operation = world.request("a").await;
    let mut hand = world.by_hand().await;
    typed(&mut hand, "BEGIN IMMEDIATE").await.expect("locked");
    let began = Instant::now();
    let events = join_all((0..10).map(|n| world.store.receive(delivery(n))));
    let moved = world.store.commit(transition(&operation, Event::ApprovalSent));
    let free = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        typed(&mut hand, "ROLLBACK").await.expect("free again");
    };
    let (events, moved, ()) = tokio::join!(events, moved, free);
    assert!(began.elapsed() >= Duration::from_secs(3), "nobody was answered before the commit");
    assert!(events.iter().all(|event| event.as_ref().is_ok_and(|(verdict, _)| *verdict == Verdict::Parked)));
    assert_eq!(moved.expect("written"), Moved::To(2));
    assert_eq!(world.store.events("a").await.expect("readable").len(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lock_that_is_never_given_up_is_told_to_everybody_who_asked_and_the_next_commit_works() {
    let world = World::new().await;
    let operation = world.request("a").await;
    let mut hand = world.by_hand().await;
    typed(&mut hand, "BEGIN IMMEDIATE").await.expect("locked");
    let event = world.store.receive(delivery(1));
    let moved = world.store.commit(transition(&operation, Event::ApprovalSent));
    let (event, moved) = tokio::join!(event, moved);
    let words = "another program holds the lock of the store";
    let (event, moved) = (event.expect_err("locked").to_string(), moved.expect_err("locked").to_string());
    assert!(event.contains(words), "{event}");
    assert!(moved.contains(words), "{moved}");
    typed(&mut hand, "ROLLBACK").await.expect("free again");
    assert_eq!(world.store.receive(delivery(1)).await.expect("stored").0, Verdict::Parked);
    assert_eq!(world.store.commit(transition(&operation, Event::ApprovalSent)).await.expect("written"), Moved::To(2));
    assert_eq!(world.store.events("a").await.expect("readable").len(), 1);
}
