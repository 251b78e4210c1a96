//! The disk runs full at every point of a request's way at which the file has to grow: what was refused is not there, what was
//! acknowledged is, and with space again the same work is done.

use serde_json::json;

use super::super::{
    Store,
    inbox::{Delivery, Verdict},
    moves::Moved,
    operation::{Facts, MrFacts, Operation},
    submission::{Submission, Submitted},
    verify,
};
use super::faults::set;
use crate::{
    flow::{Actor, Event, Step, table},
    reconcile::still,
    settings::FlowOrder,
    words::Sentence,
};

/// One commit of a request's way.
#[derive(Debug, Clone, Copy)]
enum Work {
    Submit,
    Hear(u32),
    Move(Event),
}

const WAY: &[Work] = &[
    Work::Submit,
    Work::Hear(1),
    Work::Move(Event::ApprovalSent),
    Work::Hear(2),
    Work::Move(Event::ApprovalGranted),
    Work::Move(Event::MrOpened),
    Work::Hear(3),
    Work::Move(Event::PipelinePassed),
    Work::Move(Event::Handle),
    Work::Move(Event::Approved),
    Work::Move(Event::Merged),
    Work::Hear(4),
    Work::Move(Event::Deployed),
];

/// Long enough that every commit needs pages of its own.
fn long(text: &str) -> String {
    format!("{text} {}", "x".repeat(9_000))
}

fn submission() -> Submission {
    Submission {
        operation_id: "a".into(),
        kind: "quota".into(),
        workflow: "merge-request".into(),
        subject_id: "billing".into(),
        target_key: "cpu".into(),
        repeatable: false,
        flow_order: FlowOrder::ApprovalFirst,
        fields: json!({"note": long("why")}),
        comment: None,
        requested_by: "alice".into(),
        idempotency_key: Some("key".into()),
        fingerprint: "f".into(),
        facts: Facts { project: "p".into(), branch: "b".into(), target_branch: "main".into(), ..Facts::default() },
        files: Vec::new(),
        warning: None,
        at: 1,
        max_active: 10,
        instead_of: None,
    }
}

fn delivery(n: u32) -> Delivery {
    Delivery {
        source: "deploy",
        delivery_id: format!("delivery-{n}"),
        operation_id: Some("a".into()),
        says: "running".into(),
        body: json!({"status": long("running")}),
        verdict: Verdict::IgnoredStale,
        reason: Sentence::quoted("no result"),
        at: 1,
        mark: None,
    }
}

async fn read(store: &Store) -> Option<Operation> {
    store.operation("a").await.unwrap()
}

/// Does one piece of work; the sentence where it was refused.
async fn attempt(store: &Store, work: Work) -> Result<(), String> {
    let said = match work {
        Work::Submit => {
            store.submit(submission()).await.map(|done| assert_eq!(done, Submitted::Accepted(Step::ApprovalSending)))
        }
        Work::Hear(n) => {
            store.receive(delivery(n)).await.map(|(verdict, _)| assert_eq!(verdict, Verdict::IgnoredStale))
        }
        Work::Move(event) => {
            let operation = read(store).await.unwrap();
            let mut moves = still(&operation, event.word(), Actor::system(), operation.entered_at + 1);
            moves.facts.mr = (event != Event::ApprovalSent && event != Event::ApprovalGranted)
                .then(|| MrFacts { iid: 7, web_url: "u".into() });
            let has_mr = moves.facts.mr.is_some();
            moves.to = table::next(Some(operation.step), event, operation.flow_order, has_mr).unwrap();
            moves.new_version = true;
            moves.reason = Some(Sentence::quoted(&long("because")));
            let next = operation.version + 1;
            store.commit(moves).await.map(|moved| assert_eq!(moved, Moved::To(next)))
        }
    };
    said.map_err(|error| error.to_string())
}

/// Walks the way with room for so many pages more; which work was refused when they were used up.
async fn walk(room: i64) -> Option<Work> {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).await.unwrap();
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&store.readers).await.unwrap();
    set(&store, &format!("max_page_count = {}", pages + room)).await;
    let mut refused = None;
    for work in WAY {
        let before = (
            read(&store).await.map(|operation| (operation.version, operation.step)),
            store.events("a").await.unwrap().len(),
        );
        let Err(sentence) = attempt(&store, *work).await else { continue };
        assert!(sentence.contains("the disk is full; free some space"), "{work:?}: {sentence}");
        assert!(refused.is_none(), "{work:?} was refused although there is space");
        refused = Some(*work);
        let after = (
            read(&store).await.map(|operation| (operation.version, operation.step)),
            store.events("a").await.unwrap().len(),
        );
        assert_eq!(before, after, "{work:?} was refused and left something");
        let faults = verify::verify(&dir.path().join("signalbox.db")).await.unwrap().faults;
        assert_eq!(faults, [""; 0], "after {work:?} was refused");
        set(&store, "max_page_count = 1000000").await;
        attempt(&store, *work).await.unwrap();
    }
    assert_eq!(read(&store).await.unwrap().step, Step::CalledBack, "with room for {room} pages");
    assert_eq!(store.events("a").await.unwrap().len(), 4);
    store.close().await;
    refused
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_at_any_commit_refuses_that_commit_whole() {
    let mut refused = std::collections::BTreeSet::new();
    for room in 0.. {
        let Some(work) = walk(room).await else { break };
        refused.insert(format!("{work:?}"));
    }
    assert_eq!(refused.len(), WAY.len(), "it was never full at some commit; at these it was: {refused:?}");
}
