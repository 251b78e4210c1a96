//! What a killed process leaves behind: every move that was acknowledged, and no half of any other.

use std::{fs, path::Path};

use futures::future::join_all;
use signalbox_engine::{
    flow::{Event, Step},
    store::{Store, moves::Moved},
};

use crate::world::{World, by_hand, number, transition};

/// The files as they are at this moment, as a kill would leave them: the store and its log, without the shared memory.
fn as_if_killed(world: &World, to: &Path) {
    for name in ["signalbox.db", "signalbox.db-wal"] {
        fs::copy(world.dir.path().join(name), to.join(name)).expect("a copy");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_was_answered_is_in_the_files() {
    let world = World::new().await;
    let ids: Vec<String> = (0..200).map(|n| format!("op{n:03}")).collect();
    let operations = join_all(ids.iter().map(|id| world.request(id))).await;
    let mut acknowledged = Vec::new();
    for wave in operations.chunks(40) {
        let answers = join_all(wave.iter().map(|o| world.store.commit(transition(o, Event::ApprovalSent)))).await;
        assert!(answers.iter().all(|answer| matches!(answer, Ok(Moved::To(2)))));
        acknowledged.extend(wave.iter().map(|o| o.operation_id.clone()));
        let grave = tempfile::tempdir().expect("a directory");
        as_if_killed(&world, grave.path());
        let found = Store::open(grave.path()).await.expect("it opens again");
        for id in &acknowledged {
            let operation = found.operation(id).await.expect("readable").expect("a request");
            assert_eq!((operation.step, operation.version), (Step::ApprovalWaiting, 2), "{id} was acknowledged");
        }
        found.close().await;
    }
}

#[tokio::test]
async fn a_log_that_was_cut_off_ends_at_a_whole_commit() {
    let world = World::new().await;
    world.request("a").await;
    world.walk("a", &[Event::ApprovalSent, Event::ApprovalGranted, Event::MrOpened, Event::PipelinePassed]).await;
    let whole = fs::metadata(world.dir.path().join("signalbox.db-wal")).expect("a log").len();
    for keep in (0..=whole).step_by(4111) {
        let grave = tempfile::tempdir().expect("a directory");
        as_if_killed(&world, grave.path());
        let wal = fs::OpenOptions::new().write(true).open(grave.path().join("signalbox.db-wal")).expect("the log");
        wal.set_len(keep).expect("cut off");
        let found = Store::open(grave.path()).await.expect("it opens again");
        let mut hand = by_hand(&grave.path().join("signalbox.db")).await;
        let torn = number(
            &mut hand,
            "SELECT count(*) FROM operation o WHERE last_seq <> (SELECT max(seq) FROM history h WHERE h.operation_id = o.operation_id) \
               OR step <> (SELECT to_step FROM history h WHERE h.operation_id = o.operation_id ORDER BY seq DESC LIMIT 1) \
               OR status <> (SELECT status FROM binding b WHERE b.operation_id = o.operation_id)",
        )
        .await;
        assert_eq!(torn, 0, "half a commit at {keep} of {whole} bytes");
        found.close().await;
    }
}

#[tokio::test]
async fn what_was_there_at_a_start_needs_no_log() {
    let world = World::new().await;
    world.request("a").await;
    let grave = tempfile::tempdir().expect("a directory");
    as_if_killed(&world, grave.path());
    let started = Store::open(grave.path()).await.expect("it opens again");
    let bare = tempfile::tempdir().expect("a directory");
    fs::copy(grave.path().join("signalbox.db"), bare.path().join("signalbox.db")).expect("a copy");
    let found = Store::open(bare.path()).await.expect("it opens without its log");
    assert_eq!(found.operation("a").await.expect("readable").map(|operation| operation.version), Some(1));
    started.close().await;
}

#[tokio::test]
async fn a_closed_store_needs_no_log_and_says_that_it_is_closed() {
    let world = World::new().await;
    let operation = world.request("a").await;
    world.store.close().await;
    let wal = fs::metadata(world.dir.path().join("signalbox.db-wal")).map(|log| log.len()).unwrap_or(0);
    assert_eq!(wal, 0);
    let late = world.store.commit(transition(&operation, Event::ApprovalSent)).await;
    assert_eq!(late.expect_err("too late").to_string(), "the store is closed; nothing was written");
    let again = Store::open(world.dir.path()).await.expect("it opens again");
    assert_eq!(again.operation("a").await.expect("readable").expect("a request").version, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_log_stays_small_while_a_reader_looks_on() {
    let world = World::new().await;
    let ids: Vec<String> = (0..30).map(|n| format!("op{n:02}")).collect();
    join_all(ids.iter().map(|id| world.request(id))).await;
    let reader = {
        let store = world.store.clone();
        tokio::spawn(async move {
            for _ in 0..400 {
                store.list(&signalbox_engine::store::list::Filter { limit: 50, ..Default::default() }).await?;
            }
            Ok::<_, signalbox_engine::store::StoreError>(())
        })
    };
    for _ in 0..60 {
        for operation in join_all(ids.iter().map(|id| world.read(id))).await {
            let earlier = operation.due_at.expect("running") - 1;
            world.store.hurry(&operation.operation_id, earlier).await.expect("written");
        }
    }
    reader.await.expect("it ended").expect("it read");
    let wal = fs::metadata(world.dir.path().join("signalbox.db-wal")).expect("a log").len();
    assert!(wal < 8 << 20, "the log has grown to {wal} bytes");
}
