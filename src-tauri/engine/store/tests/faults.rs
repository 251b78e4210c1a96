//! The disk is full, or may not be written: everybody who asked is told, nothing is half there, and it goes on afterwards.

use std::sync::Arc;

use futures::future::join_all;
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::super::{
    Store, StoreError,
    inbox::{Delivery, Verdict},
    schema,
    writer::Writer,
};
use crate::words::Sentence;

/// Sets a pragma of the writer's connection between two commits.
pub(super) async fn set(store: &Store, pragma: &str) {
    let sql = format!("PRAGMA {pragma}");
    store
        .writer
        .run(move |connection| {
            Box::pin(async move {
                sqlx::query(AssertSqlSafe(sql)).execute(connection).await?;
                Ok(())
            })
        })
        .await
        .unwrap();
}

fn delivery(n: usize) -> Delivery {
    Delivery {
        source: "approval",
        delivery_id: format!("delivery-{n}"),
        operation_id: Some("a".into()),
        says: "approved".into(),
        body: json!({"decision": "approved", "ext": "x".repeat(20_000)}),
        verdict: Verdict::IgnoredStale,
        reason: Sentence::quoted("nobody waits"),
        at: 1,
        mark: None,
    }
}

async fn stored(store: &Store) -> usize {
    store.events("a").await.unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_at_a_commit_is_told_to_everybody_who_asked() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).await.unwrap();
    // No page beyond those that are there: the same answer as a disk without a free block.
    set(&store, "max_page_count = 1").await;
    let answers = join_all((0..30).map(|n| store.receive(delivery(n)))).await;
    for answer in &answers {
        let sentence = answer.as_ref().unwrap_err().to_string();
        assert!(sentence.contains("the disk is full; free some space"), "{sentence}");
    }
    assert_eq!(stored(&store).await, 0);
    set(&store, "max_page_count = 1000000").await;
    let again = join_all((0..30).map(|n| store.receive(delivery(n)))).await;
    assert!(again.iter().all(|answer| matches!(answer, Ok((Verdict::IgnoredStale, _)))));
    assert_eq!(stored(&store).await, 30);
}

/// Whoever is answered with success is stored, whoever is not is not, wherever in a batch the space ran out.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_in_the_middle_keeps_exactly_what_was_acknowledged() {
    for room in [2, 5, 11, 23, 40, 77, 150] {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&store.readers).await.unwrap();
        set(&store, &format!("max_page_count = {}", pages + room)).await;
        let answers = join_all((0..40).map(|n| store.receive(delivery(n)))).await;
        let kept: Vec<_> = store.events("a").await.unwrap().into_iter().map(|event| event.delivery_id).collect();
        for (n, answer) in answers.iter().enumerate() {
            let is_kept = kept.contains(&format!("delivery-{n}"));
            match answer {
                Ok(_) => assert!(is_kept, "{n} was acknowledged and is lost, with room for {room} pages"),
                Err(StoreError::Database(_)) => assert!(!is_kept, "{n} was refused and is there"),
                Err(other) => panic!("{other}"),
            }
        }
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_may_not_be_written_says_so_to_everybody() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("signalbox.db");
    let (mut connection, readers) = schema::open(&file, &schema::MIGRATIONS).await.unwrap();
    sqlx::query("PRAGMA query_only = ON").execute(&mut connection).await.unwrap();
    let store = Store { file: Arc::new(file), readers, writer: Writer::start(connection) };
    for answer in join_all((0..30).map(|n| store.receive(delivery(n)))).await {
        let sentence = answer.unwrap_err().to_string();
        assert!(sentence.contains("the store is read-only; give this user the right to write it"), "{sentence}");
    }
    assert_eq!(stored(&store).await, 0);
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let nowhere = dir.path().join("nowhere");
    let sentence = Store::open(&nowhere).await.err().unwrap().to_string();
    assert!(sentence.contains("nowhere/signalbox.db cannot be opened"), "{sentence}");
}

/// A bug in one piece of work; what it had written before goes with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_panic_in_one_piece_of_work_fails_that_piece_and_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).await.unwrap();
    let bug = store.writer.run(|connection| {
        Box::pin(async move {
            sqlx::query("INSERT INTO timer VALUES ('half', 7)").execute(connection).await?;
            let nothing: Option<i64> = std::hint::black_box(None);
            Ok(nothing.expect("a bug"))
        })
    });
    let others = join_all((0..30).map(|n| store.receive(delivery(n))));
    let at_once = store.writer.run::<(), _>(|_| panic!("a bug before anything was written"));
    let (others, bug, at_once) = tokio::join!(others, bug, at_once);
    for failed in [bug.map(drop), at_once] {
        let sentence = failed.unwrap_err().to_string();
        assert!(sentence.contains("a bug in the store stopped this work; nothing of it was kept"), "{sentence}");
    }
    assert!(others.iter().all(Result::is_ok), "{others:?}");
    assert_eq!(store.timer("half").await.unwrap(), None);
    assert!(store.receive(delivery(30)).await.is_ok(), "the writer goes on");
    assert_eq!(stored(&store).await, 31);
}
