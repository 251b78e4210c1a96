//! Group commit: many at once, each all or nothing, each answered for itself.

use std::collections::BTreeMap;

use futures::future::join_all;
use signalbox_engine::{
    flow::{Event, Step},
    store::moves::{Moved, Transition},
};

use crate::world::{World, number, to_step, transition};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_at_once_are_each_written_whole() {
    let world = World::new().await;
    let ids: Vec<String> = (0..200).map(|n| format!("op{n:03}")).collect();
    join_all(ids.iter().map(|id| world.request(id))).await;
    let operations = join_all(ids.iter().map(|id| world.read(id))).await;
    let moved = join_all(operations.iter().map(|o| world.store.commit(transition(o, Event::ApprovalSent)))).await;
    assert!(moved.into_iter().all(|moved| moved.is_ok_and(|moved| moved == Moved::To(2))));
    for id in &ids {
        let now = world.read(id).await;
        assert_eq!((now.step, now.version), (Step::ApprovalWaiting, 2));
        let history = world.store.history(id).await.expect("readable");
        let path: Vec<_> = history.iter().map(|row| (row.seq, row.event.as_str(), row.to.0)).collect();
        assert_eq!(path, [(1, "submit", 10401), (2, "approval_sent", 10402)]);
    }
    let mut hand = world.by_hand().await;
    for table in ["history", "diff", "outbox"] {
        assert_eq!(number(&mut hand, &format!("SELECT count(*) FROM {table}")).await, 400, "{table}");
    }
    assert_eq!(number(&mut hand, "SELECT count(*) FROM binding WHERE status = 'APPROVAL_SENT'").await, 200);
    assert_eq!(number(&mut hand, "SELECT count(DISTINCT version || operation_id) FROM outbox").await, 400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_illegal_member_of_a_batch_is_refused_alone() {
    let world = World::new().await;
    let ids: Vec<String> = (0..50).map(|n| format!("op{n:02}")).collect();
    let mut wanted = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        let operation = world.request(id).await;
        wanted.push(if n == 25 {
            to_step(&operation, "deployed", Step::CalledBack)
        } else {
            transition(&operation, Event::ApprovalSent)
        });
    }
    let answers = join_all(wanted.into_iter().map(|transition| world.store.commit(transition))).await;
    for (n, answer) in answers.iter().enumerate() {
        match answer {
            Ok(moved) => assert_eq!((n != 25, moved), (true, &Moved::To(2))),
            Err(error) => {
                assert_eq!(n, 25, "{error}");
                assert!(error.to_string().contains("the transition table does not list this move"), "{error}");
            }
        }
    }
    let refused = world.read("op25").await;
    assert_eq!((refused.step, refused.version), (Step::ApprovalSending, 1));
    assert_eq!(world.store.history("op25").await.expect("readable").len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_who_saw_the_same_version_one_is_first() {
    let world = World::new().await;
    for round in 0..40 {
        let operation = world.request(&format!("op{round}")).await;
        let by_desk = world.store.commit(transition(&operation, Event::ApprovalGranted));
        let by_person = world.store.commit(transition(&operation, Event::Close));
        let (desk, person) = tokio::join!(by_desk, by_person);
        let mut answers = [desk.expect("answered"), person.expect("answered")];
        answers.sort_by_key(|moved| *moved == Moved::Conflict);
        assert_eq!(answers, [Moved::To(2), Moved::Conflict]);
        let history = world.store.history(&operation.operation_id).await.expect("readable");
        assert_eq!(history.len(), 2);
        assert_eq!(history[1].to.0, i64::from(world.read(&operation.operation_id).await.step.code()));
    }
}

#[tokio::test]
async fn who_saw_an_older_version_changes_nothing() {
    let world = World::new().await;
    let old = world.request("a").await;
    let now = world.walk("a", &[Event::ApprovalSent]).await;
    assert_eq!(world.store.commit(transition(&old, Event::Close)).await.expect("answered"), Moved::Conflict);
    let unknown = to_step(&old, "close", Step::CloseStarted);
    let unknown = Transition { operation_id: "nobody".into(), ..unknown };
    assert_eq!(world.store.commit(unknown).await.expect("answered"), Moved::Conflict);
    assert_eq!(world.read("a").await.version, now.version);
}

/// A look that a person asked for and that found nothing: it is told in the history, and whoever saw the version before it
/// may still act.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_moved_nothing_takes_no_version_and_costs_no_other_act() {
    let world = World::new().await;
    for round in 0..20 {
        let operation = world.request(&format!("op{round}")).await;
        let look = || Transition { new_version: false, ..to_step(&operation, "reconcile", operation.step) };
        let close = world.store.commit(transition(&operation, Event::Close));
        let (first, second, close) = tokio::join!(world.store.commit(look()), world.store.commit(look()), close);
        assert_eq!(close.expect("answered"), Moved::To(2));
        let looks = [first.expect("answered"), second.expect("answered")];
        let history = world.store.history(&operation.operation_id).await.expect("readable");
        let kept = looks.iter().filter(|look| **look == Moved::To(1)).count();
        assert_eq!(history.len(), 2 + kept, "{looks:?}");
        assert!(history.iter().enumerate().all(|(n, row)| row.seq == n as i64 + 1));
        assert_eq!(history.last().map(|row| (row.event.as_str(), row.version)), Some(("close", 2)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn moves_and_other_work_share_commits_and_the_changes_are_in_order() {
    let world = World::new().await;
    let ids: Vec<String> = (0..60).map(|n| format!("op{n:02}")).collect();
    let walks = ids.iter().map(|id| async {
        world.request(id).await;
        world.walk(id, &[Event::ApprovalSent, Event::ApprovalGranted, Event::MrOpened]).await
    });
    join_all(walks).await;
    let changes = world.store.changes_since(0, 1000).await.expect("readable");
    assert_eq!(changes.len(), 240);
    let mut versions: BTreeMap<&str, i64> = BTreeMap::new();
    for pair in changes.windows(2) {
        assert!(pair[0].seq < pair[1].seq);
    }
    for change in &changes {
        let before = versions.insert(&change.operation_id, change.version).unwrap_or(0);
        assert_eq!(change.version, before + 1, "{}", change.operation_id);
    }
}
