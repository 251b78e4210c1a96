//! A new request: the key first, then the relation, then the places.

use futures::future::join_all;
use signalbox_engine::{
    flow::{Event, Status, Step},
    store::submission::{Submission, Submitted},
};

use crate::world::{World, number, submission};

fn keyed(id: &str, fingerprint: &str) -> Submission {
    Submission {
        idempotency_key: Some("order-66".into()),
        fingerprint: fingerprint.into(),
        subject_id: "payments".into(),
        ..submission(id)
    }
}

fn for_payments(id: &str) -> Submission {
    Submission { subject_id: "payments".into(), ..submission(id) }
}

#[tokio::test]
async fn the_key_is_looked_at_before_the_relation() {
    let world = World::new().await;
    let first = world.store.submit(keyed("a", "4")).await.expect("stored");
    assert_eq!(first, Submitted::Accepted(Step::ApprovalSending));
    let again = world.store.submit(keyed("b", "4")).await.expect("answered");
    assert_eq!(again, Submitted::Repeated("a".into()));
    let other = world.store.submit(keyed("c", "8")).await.expect("answered");
    assert_eq!(other, Submitted::KeyMismatch("a".into()));
    let no_key = world.store.submit(for_payments("d")).await.expect("answered");
    assert_eq!(no_key, Submitted::Busy("a".into(), Status::ApprovalSending));
}

#[tokio::test]
async fn the_relation_is_looked_at_before_the_places() {
    let world = World::new().await;
    world.store.submit(for_payments("a")).await.expect("stored");
    let full = Submission { max_active: 0, ..for_payments("b") };
    assert_eq!(world.store.submit(full).await.expect("answered"), Submitted::Busy("a".into(), Status::ApprovalSending));
    let elsewhere = Submission { max_active: 1, ..submission("c") };
    let accepted = world.store.submit(elsewhere).await.expect("stored");
    assert_eq!(accepted, Submitted::Accepted(Step::CreateOverloaded));
    let refused = world.read("c").await;
    assert_eq!((refused.step, refused.due_at), (Step::CreateOverloaded, None));
    assert!(refused.error.is_some(), "a visible failure, not a dropped request");
}

#[tokio::test]
async fn a_request_that_waits_for_people_takes_no_place() {
    let world = World::new().await;
    world.request("a").await;
    world.walk("a", &[Event::ApprovalSent]).await;
    let next = Submission { max_active: 1, ..submission("b") };
    assert_eq!(world.store.submit(next).await.expect("stored"), Submitted::Accepted(Step::ApprovalSending));
}

#[tokio::test]
async fn a_repeated_key_answers_for_ever() {
    let world = World::new().await;
    world.store.submit(keyed("a", "4")).await.expect("stored");
    world.walk("a", &[Event::ApprovalDenied]).await;
    assert_eq!(world.store.submit(keyed("b", "4")).await.expect("answered"), Submitted::Repeated("a".into()));
    world.store.submit(for_payments("c")).await.expect("the relation was free");
    assert_eq!(world.store.submit(keyed("d", "4")).await.expect("answered"), Submitted::Repeated("a".into()));
}

#[tokio::test]
async fn a_new_request_takes_the_relation_over_in_place() {
    let world = World::new().await;
    world.store.submit(for_payments("a")).await.expect("stored");
    world.walk("a", &[Event::ApprovalDenied]).await;
    let taken = world.store.submit(for_payments("b")).await.expect("stored");
    assert_eq!(taken, Submitted::Accepted(Step::ApprovalSending));
    let (old, new) = (world.read("a").await, world.read("b").await);
    assert_eq!((old.owner, old.status), (false, Status::Rejected));
    assert_eq!((new.owner, new.status), (true, Status::ApprovalSending));
    let owner = world.store.owner_of("payments", "eu/cpu").await.expect("readable").expect("an owner");
    assert_eq!(owner.operation_id, "b");
    let mut hand = world.by_hand().await;
    assert_eq!(number(&mut hand, "SELECT count(*) FROM binding").await, 1);
}

#[tokio::test]
async fn a_validated_relation_is_open_to_a_repeatable_kind_only() {
    let world = World::new().await;
    world.store.submit(for_payments("a")).await.expect("stored");
    let way = [
        Event::ApprovalSent,
        Event::ApprovalGranted,
        Event::MrOpened,
        Event::PipelinePassed,
        Event::Handle,
        Event::Approved,
        Event::Merged,
        Event::Deployed,
    ];
    assert_eq!(world.walk("a", &way).await.status, Status::Validated);
    assert_eq!(world.store.submit(for_payments("b")).await.expect("answered"), Submitted::NotReappliable("a".into()));
    let repeatable = Submission { repeatable: true, ..for_payments("c") };
    assert_eq!(world.store.submit(repeatable).await.expect("stored"), Submitted::Accepted(Step::ApprovalSending));
    assert_eq!(world.store.validated_total().await.expect("readable"), 1);
}

#[tokio::test]
async fn a_reapplication_needs_the_relation_it_saw() {
    let world = World::new().await;
    world.store.submit(for_payments("a")).await.expect("stored");
    world.walk("a", &[Event::ApprovalDenied]).await;
    world.store.submit(for_payments("b")).await.expect("stored");
    world.walk("b", &[Event::ApprovalDenied]).await;
    let late = Submission { instead_of: Some("a".into()), ..for_payments("c") };
    assert_eq!(world.store.submit(late).await.expect("answered"), Submitted::NotOwner("b".into()));
    let right = Submission { instead_of: Some("b".into()), ..for_payments("d") };
    assert_eq!(world.store.submit(right).await.expect("stored"), Submitted::Accepted(Step::ApprovalSending));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_want_one_relation_one_has_it() {
    let world = World::new().await;
    let wanted: Vec<_> = (0..64).map(|n| for_payments(&format!("op{n:02}"))).collect();
    let answers = join_all(wanted.into_iter().map(|new| world.store.submit(new))).await;
    let answers: Vec<_> = answers.into_iter().map(|answer| answer.expect("answered")).collect();
    let accepted = answers.iter().filter(|answer| matches!(answer, Submitted::Accepted(_))).count();
    assert_eq!(accepted, 1);
    let owner = world.store.owner_of("payments", "eu/cpu").await.expect("readable").expect("an owner").operation_id;
    let told = answers.iter().filter(|answer| matches!(answer, Submitted::Busy(id, _) if *id == owner)).count();
    assert_eq!(told, 63, "all others are told who has it");
    let mut hand = world.by_hand().await;
    assert_eq!(number(&mut hand, "SELECT count(*) FROM operation").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_submissions_under_one_key_are_one_request() {
    let world = World::new().await;
    let wanted: Vec<_> = (0..64).map(|n| keyed(&format!("op{n:02}"), "4")).collect();
    let answers = join_all(wanted.into_iter().map(|new| world.store.submit(new))).await;
    let mut accepted = 0;
    let mut repeated = Vec::new();
    for answer in answers {
        match answer.expect("answered") {
            Submitted::Accepted(_) => accepted += 1,
            Submitted::Repeated(id) => repeated.push(id),
            other => panic!("{other:?}"),
        }
    }
    repeated.dedup();
    assert_eq!((accepted, repeated.len()), (1, 1));
    let mut hand = world.by_hand().await;
    for table in ["operation", "binding", "history", "outbox"] {
        assert_eq!(number(&mut hand, &format!("SELECT count(*) FROM {table}")).await, 1, "{table}");
    }
}
