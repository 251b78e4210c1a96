//! What verify finds, and that it finds nothing where nothing is.

use signalbox_engine::{
    flow::Event,
    store::verify::{self, Report},
};

use crate::world::{NOON, World, transition, typed};

async fn look(world: &World) -> Report {
    verify::verify(&world.file()).await.expect("readable")
}

async fn with_two_requests() -> World {
    let world = World::new().await;
    world.request("a").await;
    world.request("b").await;
    world.walk("a", &[Event::ApprovalSent, Event::ApprovalGranted, Event::MrOpened, Event::PipelineFailed]).await;
    world.walk("a", &[Event::Close, Event::Closed]).await;
    world.walk("b", &[Event::ApprovalDenied]).await;
    world
}

#[tokio::test]
async fn a_store_in_use_holds_together() {
    let world = with_two_requests().await;
    let report = look(&world).await;
    assert_eq!((report.operations, report.moves), (2, 9));
    assert_eq!((report.faults, report.rules), (Vec::<String>::new(), Vec::new()));
}

/// What somebody with the rights to the file may do after taking the rules away, and what verify says of it.
const TAMPERED: &[(&str, &str)] = &[
    (
        "UPDATE operation SET step = 10301 WHERE operation_id = 'a'",
        "Request a: its history ends at 10202 CLOSED version 7, and 10301 CLOSED version 7 is stored.",
    ),
    ("UPDATE operation SET version = 9, last_seq = 9 WHERE operation_id = 'a'", "and 10202 CLOSED version 9 is stored"),
    ("UPDATE operation SET status = 'VALIDATED' WHERE operation_id = 'a'", "its relation shows another status"),
    (
        "UPDATE operation SET entered_at = 1 WHERE operation_id = 'a'",
        "it did not come to its step when its history says",
    ),
    ("UPDATE operation SET facts = '{\"mr\": 7}' WHERE operation_id = 'a'", "facts"),
    (
        "UPDATE history SET to_step = 10109 WHERE seq = 3 AND operation_id = 'a'",
        "row 3 goes from 10402 APPROVAL_SENT to 10109 by `approval_granted`, which the table does not list",
    ),
    (
        "UPDATE history SET event = 'merged' WHERE seq = 3 AND operation_id = 'a'",
        "by `merged`, which the table does not list",
    ),
    (
        "UPDATE history SET from_step = 10001 WHERE seq = 3 AND operation_id = 'a'",
        "row 3 leaves 10001 APPROVAL_SENT, where the row before it led to 10402 APPROVAL_SENT",
    ),
    (
        "UPDATE history SET to_status = 'MERGED' WHERE seq = 3 AND operation_id = 'a'",
        "row 3 brings the status MERGED, where 10001 means MR_CREATING",
    ),
    ("DELETE FROM history WHERE seq = 2 AND operation_id = 'a'", "row 3 of the history comes where row 2 belongs"),
    ("DELETE FROM history WHERE operation_id = 'b'", "Request b: there is no history."),
    ("UPDATE history SET version = 2 WHERE seq = 3 AND operation_id = 'a'", "row 3 makes version 2 of version 2"),
    ("UPDATE operation SET last_seq = 8 WHERE operation_id = 'a'", "it counts other rows of history than there are"),
    ("DELETE FROM diff WHERE seq = 3", "a move of it is missing in the log of changes"),
    ("DELETE FROM outbox WHERE version = 3", "not every move of it was told to listeners"),
    ("DELETE FROM binding WHERE operation_id = 'b'", "Request b: its relation has no owner."),
    (
        "UPDATE remote_call SET operation_id = 'gone'; INSERT INTO rendered_file VALUES ('gone', 'p', 'create', NULL, NULL, '')",
        "A row of rendered_file belongs to a row of operation that is not there.",
    ),
];

#[tokio::test]
async fn what_was_changed_behind_its_back_is_found() {
    for (sql, words) in TAMPERED {
        let world = with_two_requests().await;
        let mut hand = world.by_hand().await;
        let rules: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            .fetch_all(&mut hand)
            .await
            .expect("the rules");
        typed(&mut hand, "PRAGMA foreign_keys = OFF").await.expect("off");
        for rule in &rules {
            typed(&mut hand, &format!("DROP TRIGGER {rule}")).await.expect("dropped");
        }
        typed(&mut hand, sql).await.expect(sql);
        let report = look(&world).await;
        assert!(report.faults.iter().any(|fault| fault.contains(words)), "{sql}\n{:#?}", report.faults);
        let missing = report.rules.iter().filter(|rule| rule.starts_with("The rule ")).count();
        assert!(missing >= 4, "{:#?}", report.rules);
    }
}

#[tokio::test]
async fn many_faults_of_one_sort_are_counted() {
    let world = World::new().await;
    for n in 0..30 {
        world.request(&format!("op{n:02}")).await;
    }
    let mut hand = world.by_hand().await;
    typed(&mut hand, "DELETE FROM outbox").await.expect("deleted");
    let report = look(&world).await;
    assert_eq!(report.faults.len(), 21);
    assert_eq!(report.faults[20], "And 10 more like it.");
}

#[tokio::test]
async fn a_file_that_is_not_there_is_named() {
    let world = World::new().await;
    let sentence = verify::verify(&world.dir.path().join("gone.db")).await.expect_err("no file").to_string();
    assert!(sentence.contains("gone.db cannot be opened: there is no such file"), "{sentence}");
}

/// Case C108: a move that was made after the clock had been set back lies before the one before it.
#[tokio::test]
async fn a_clock_that_was_set_back_is_no_fault() {
    let world = World::new().await;
    let operation = world.request("a").await;
    let mut sent = transition(&operation, Event::ApprovalSent);
    sent.at = NOON + 2 * 3600 * 1000;
    world.store.commit(sent).await.expect("moved");
    let mut granted = transition(&world.read("a").await, Event::ApprovalGranted);
    granted.at = NOON + 60_000;
    world.store.commit(granted).await.expect("moved");
    assert_eq!(look(&world).await.faults, Vec::<String>::new());
}
