//! Leases: one worker for a request at a time, and nothing is sent by one who lost it.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use futures::future::join_all;
use signalbox_engine::{
    flow::Event,
    ports::{
        clock::SystemClock,
        journal::{CallEnd, CallIntent, Effect, IntentRefused, Journal as _},
    },
    store::{calls::OperationJournal, leases::Look, operation::Operation},
};

use crate::world::{NOON, World, number, transition};

fn intent(effect: Effect) -> CallIntent {
    CallIntent {
        remote: "gitlab",
        account: "bot".into(),
        method: "PUT",
        path: "/api/v4/projects/1/merge_requests/7/merge".into(),
        effect,
        attempt: 1,
        detail: None,
    }
}

fn journal(world: &World, operation: &Operation, owner: &str) -> OperationJournal {
    OperationJournal::new(world.store.clone(), Arc::new(SystemClock), &operation.operation_id, operation.version, owner)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_gets_a_request_that_another_has() {
    let world = World::new().await;
    for n in 0..60 {
        world.request(&format!("op{n:02}")).await;
    }
    let takers = (0..12).map(|n| {
        let store = world.store.clone();
        async move { store.take_due(NOON, &format!("worker-{n}"), NOON + 1000, 7).await.expect("taken") }
    });
    let taken: Vec<String> = join_all(takers).await.into_iter().flatten().map(|o| o.operation_id).collect();
    assert_eq!(taken.len(), 60);
    assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), 60, "one was handed out twice");
    assert!(world.store.take_due(NOON, "late", NOON + 1000, 7).await.expect("answered").is_empty());
}

#[tokio::test]
async fn a_lease_that_ran_out_is_taken_up_again() {
    let world = World::new().await;
    world.request("a").await;
    assert_eq!(world.store.take_due(NOON, "first", NOON + 1000, 1).await.expect("taken").len(), 1);
    assert_eq!(world.store.next_due().await.expect("readable"), Some(NOON + 1000), "when the lease runs out");
    assert!(world.store.take_due(NOON + 999, "second", NOON + 5000, 1).await.expect("answered").is_empty());
    world.store.extend_lease("a", "first", NOON + 2000).await.expect("extended");
    world.store.extend_lease("a", "second", NOON + 9000).await.expect("not its lease");
    assert!(world.store.take_due(NOON + 1999, "second", NOON + 5000, 1).await.expect("answered").is_empty());
    assert_eq!(world.store.take_due(NOON + 2000, "second", NOON + 5000, 1).await.expect("taken").len(), 1);
}

#[tokio::test]
async fn at_start_nobody_holds_a_lease() {
    let world = World::new().await;
    world.request("a").await;
    world.store.take_due(NOON, "dead", NOON + 60_000, 1).await.expect("taken");
    assert_eq!(world.store.take_back_leases().await.expect("taken back"), 1);
    assert_eq!(world.store.take_due(NOON, "alive", NOON + 60_000, 1).await.expect("taken").len(), 1);
}

#[tokio::test]
async fn a_write_is_on_record_before_it_is_sent_and_completed_after() {
    let world = World::new().await;
    let operation = world.request("a").await;
    world.store.take_due(NOON, "worker", NOON + 1000, 1).await.expect("taken");
    let journal = journal(&world, &operation, "worker");
    let call = journal.intend(&intent(Effect::Write)).await.expect("allowed");
    let on_record = world.store.calls("a").await.expect("readable");
    assert_eq!((on_record[0].outcome.as_str(), on_record[0].http_status), ("intended", None));
    let writes = world.store.writes_in_stay("a", "/merge", None).await.expect("readable");
    assert_eq!((writes.sent, writes.answered), (1, 0));
    let end = CallEnd { status: Some(200), took: Duration::from_millis(12), error: None, request_id: None };
    journal.settle(call, &end).await;
    let settled = world.store.calls("a").await.expect("readable");
    assert_eq!((settled[0].outcome.as_str(), settled[0].http_status), ("answered", Some(200)));
    let writes = world.store.writes_in_stay("a", "/merge", None).await.expect("readable");
    assert_eq!((writes.sent, writes.answered), (1, 1));
}

#[tokio::test]
async fn a_worker_whose_request_moved_may_write_nothing() {
    let world = World::new().await;
    let operation = world.request("a").await;
    world.store.take_due(NOON, "worker", NOON + 1000, 1).await.expect("taken");
    let mut close = transition(&operation, Event::Close);
    close.releases = false;
    world.store.commit(close).await.expect("written");
    let journal = journal(&world, &operation, "worker");
    assert!(matches!(journal.intend(&intent(Effect::Write)).await, Err(IntentRefused::Superseded)));
    assert!(world.store.calls("a").await.expect("readable").is_empty());
    let end = CallEnd { status: Some(200), took: Duration::ZERO, error: None, request_id: None };
    journal.note(&intent(Effect::Read), &end).await;
    assert_eq!(world.store.calls("a").await.expect("readable").len(), 1, "a read harms nobody and stays on record");
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_may_write_nothing() {
    let world = World::new().await;
    let operation = world.request("a").await;
    world.store.take_due(NOON, "slow", NOON + 1000, 1).await.expect("taken");
    world.store.take_due(NOON + 1000, "quick", NOON + 2000, 1).await.expect("taken over");
    let slow = journal(&world, &operation, "slow").intend(&intent(Effect::Write)).await;
    assert!(matches!(slow, Err(IntentRefused::Superseded)));
    journal(&world, &operation, "quick").intend(&intent(Effect::Write)).await.expect("the owner may");
    let look = Look {
        operation_id: "a".into(),
        version: 1,
        owner: "slow".into(),
        look: 9,
        due_at: Some(NOON + 9000),
        facts: operation.facts.clone(),
        error: None,
        wish: None,
        newest_event: 0,
        at: NOON,
    };
    assert!(!world.store.looked(look).await.expect("answered"), "what it saw is not kept");
    let now = world.read("a").await;
    assert_eq!((now.look, now.leased), (0, true), "and the lease of the other stays");
}

#[tokio::test]
async fn a_look_keeps_what_it_found_and_gives_the_lease_back() {
    let world = World::new().await;
    let operation = world.request("a").await;
    world.store.take_due(NOON, "worker", NOON + 1000, 1).await.expect("taken");
    let look = Look {
        operation_id: "a".into(),
        version: operation.version,
        owner: "worker".into(),
        look: 1,
        due_at: Some(NOON + 5000),
        facts: operation.facts.clone(),
        error: None,
        wish: None,
        newest_event: 0,
        at: NOON,
    };
    assert!(world.store.looked(look).await.expect("written"));
    let now = world.read("a").await;
    assert_eq!((now.look, now.due_at, now.leased, now.version), (1, Some(NOON + 5000), false, 1));
    assert!(world.store.hurry("a", NOON + 100).await.expect("brought forward"));
    assert_eq!(world.read("a").await.due_at, Some(NOON + 100));
    world.store.hurry("a", NOON + 200).await.expect("answered");
    assert_eq!(world.read("a").await.due_at, Some(NOON + 100), "a look is never put off");
}

/// The answer to a call came to a worker that had been overtaken: what it opened stands nowhere, and the request ends.
#[tokio::test]
async fn what_an_overtaken_worker_opened_is_looked_for_after_the_end() {
    for (path, ends) in
        [("/api/v4/projects/1/merge_requests", &[Event::ApprovalSent, Event::ApprovalGranted][..]), ("/approvals", &[])]
    {
        for answered in [true, false] {
            let world = World::new().await;
            world.request("a").await;
            let operation = world.walk("a", ends).await;
            let taken = world.store.take_due(i64::MAX, "first", i64::MAX, 1).await.expect("taken");
            assert_eq!(taken.len(), 1);
            if answered {
                let journal = journal(&world, &operation, "first");
                let call = CallIntent { method: "POST", path: path.into(), ..intent(Effect::Write) };
                let id = journal.intend(&call).await.expect("allowed");
                let took = Duration::from_millis(20);
                journal.settle(id, &CallEnd { status: Some(201), took, error: None, request_id: None }).await;
            }
            world.walk("a", &[Event::Close, Event::Closed]).await;
            let mut hand = world.by_hand().await;
            let records = number(&mut hand, "SELECT count(*) FROM compensation WHERE kind = 'close_late'").await;
            assert_eq!(records, i64::from(answered), "{path}");
        }
    }
}

/// What the request knows of needs no second look.
#[tokio::test]
async fn what_was_opened_and_noted_is_not_looked_for() {
    let world = World::new().await;
    world.request("a").await;
    let operation = world.walk("a", &[Event::ApprovalSent, Event::ApprovalGranted]).await;
    world.store.take_due(i64::MAX, "first", i64::MAX, 1).await.expect("taken");
    let journal = journal(&world, &operation, "first");
    let call = CallIntent { method: "POST", path: "/api/v4/projects/1/merge_requests".into(), ..intent(Effect::Write) };
    let id = journal.intend(&call).await.expect("allowed");
    let took = Duration::from_millis(20);
    journal.settle(id, &CallEnd { status: Some(201), took, error: None, request_id: None }).await;
    world.walk("a", &[Event::MrOpened, Event::Close, Event::Closed]).await;
    let mut hand = world.by_hand().await;
    assert_eq!(number(&mut hand, "SELECT count(*) FROM compensation").await, 0);
}
