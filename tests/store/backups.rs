//! Backups: made while the store is in use, whole or not there, seven deep; and putting one back.

use std::{fs, path::Path};

use futures::future::join_all;
use signalbox_engine::{
    flow::{Event, Step},
    store::{
        Store,
        backup::{self, Backup, Contents, Since},
        submission::Submission,
        verify,
    },
};

use crate::world::{NOON, World, submission, transition};

const DAY: i64 = 24 * 3600 * 1000;

async fn faults(file: &Path) -> Vec<String> {
    verify::verify(file).await.expect("readable").faults
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_is_made_while_requests_move() {
    let world = World::new().await;
    let ids: Vec<String> = (0..100).map(|n| format!("op{n:03}")).collect();
    join_all(ids.iter().map(|id| world.request(id))).await;
    let copies: Vec<_> = (0..3).map(|n| world.dir.path().join(format!("copy-{n}.db"))).collect();
    let walking = join_all(ids.iter().map(|id| world.walk(id, &[Event::ApprovalSent, Event::ApprovalGranted])));
    let copying = join_all(copies.iter().map(|to| {
        let from = world.file();
        async move { backup::copy(&from, to).await.expect("a copy") }
    }));
    let (_, sizes) = tokio::join!(walking, copying);
    for (copy, bytes) in copies.iter().zip(sizes) {
        assert_eq!(fs::metadata(copy).expect("a file").len(), bytes);
        assert_eq!(faults(copy).await, Vec::<String>::new(), "a picture of one moment");
    }
}

#[tokio::test]
async fn a_file_that_is_there_is_never_overwritten() {
    let world = World::new().await;
    let to = world.dir.path().join("notes.txt");
    fs::write(&to, "mine").expect("written");
    let sentence = backup::copy(&world.file(), &to).await.expect_err("refused").to_string();
    assert!(sentence.contains("a file of that name is there already, and is left as it is"), "{sentence}");
    assert_eq!(fs::read_to_string(&to).expect("readable"), "mine");
    let nothing = backup::copy(&world.dir.path().join("nothing.db"), &world.dir.path().join("x.db")).await;
    assert!(nothing.expect_err("refused").to_string().contains("there is no store"));
}

#[tokio::test]
async fn seven_backups_are_kept_and_other_files_are_left_alone() {
    let world = World::new().await;
    let folder = world.dir.path().join("backups");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("by-hand.db"), "mine").expect("written");
    for day in 0..10 {
        world.store.back_up(NOON + day * DAY).await.expect("a backup");
    }
    let kept = world.store.backups();
    let days: Vec<_> = kept.iter().map(|backup| (backup.at - NOON) / DAY).collect();
    assert_eq!(days, [9, 8, 7, 6, 5, 4, 3], "newest first");
    assert!(kept.iter().all(|backup| backup.bytes > 0));
    assert_eq!(fs::read_to_string(folder.join("by-hand.db")).expect("still there"), "mine");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 8, "no half copy is left");
}

/// Flips the bytes of some pages: tables, indexes, and what lies between.
fn damage(file: &Path, page: usize) {
    let mut bytes = fs::read(file).expect("the file");
    for byte in &mut bytes[page * 4096 + 8..page * 4096 + 200] {
        *byte ^= 0xff;
    }
    fs::write(file, bytes).expect("damaged");
}

async fn with_a_past() -> (World, Backup) {
    let world = World::new().await;
    let ids: Vec<String> = (0..20).map(|n| format!("op{n:02}")).collect();
    join_all(ids.iter().map(|id| world.request(id))).await;
    join_all(ids.iter().map(|id| world.walk(id, &[Event::ApprovalSent]))).await;
    let backup = world.store.back_up(NOON).await.expect("a backup");
    (world, backup)
}

/// Case C100.
#[tokio::test]
async fn a_damaged_store_is_not_started_and_the_last_good_backup_is_named() {
    let (world, good) = with_a_past().await;
    let newer = world.store.back_up(NOON + DAY).await.expect("a backup");
    world.store.close().await;
    damage(&newer.file, 3);
    let whole = fs::read(world.file()).expect("the store");
    for page in 0..whole.len() / 4096 {
        damage(&world.file(), page);
        let damaged = fs::read(world.file()).expect("the store");
        // A page that is free, or has free space there, holds nothing that could be damaged.
        if let Err(refusal) = Store::open(world.dir.path()).await {
            let sentence = refusal.to_string();
            assert!(sentence.contains("signalbox.db is damaged ("), "page {page}: {sentence}");
            assert!(sentence.contains("it was left as it is"), "{sentence}");
            assert!(sentence.contains(&format!("The last good backup is {}", good.file.display())), "{sentence}");
            assert!(sentence.contains("of 2025-06-15T15:06:40Z"), "{sentence}");
            assert!(sentence.contains("`signalboxd restore --data-dir"), "{sentence}");
            assert_eq!(fs::read(world.file()).expect("the store"), damaged, "page {page} was written to");
        } else {
            assert!(page > 0, "the first page is always in use");
        }
        fs::write(world.file(), &whole).expect("mended");
    }
    Store::open(world.dir.path()).await.expect("whole again");
}

#[tokio::test]
async fn a_table_page_and_an_index_page_are_both_looked_at() {
    let (world, _) = with_a_past().await;
    let mut hand = world.by_hand().await;
    let root = |name: &str| format!("SELECT rootpage FROM sqlite_schema WHERE name = '{name}'");
    let pages = [
        crate::world::number(&mut hand, &root("binding")).await,
        crate::world::number(&mut hand, &root("operation_newest")).await,
        crate::world::number(&mut hand, &root("history")).await,
    ];
    world.store.close().await;
    drop(hand);
    let whole = fs::read(world.file()).expect("the store");
    for page in pages {
        damage(&world.file(), usize::try_from(page).expect("a page") - 1);
        let refusal = Store::open(world.dir.path()).await.err().expect("damaged").to_string();
        assert!(refusal.contains("is damaged"), "page {page}: {refusal}");
        fs::write(world.file(), &whole).expect("mended");
    }
}

#[tokio::test]
async fn a_damaged_store_without_a_backup_says_how_to_bring_one() {
    let world = World::new().await;
    world.request("a").await;
    world.store.close().await;
    damage(&world.file(), 0);
    let sentence = Store::open(world.dir.path()).await.err().expect("damaged").to_string();
    assert!(sentence.contains("There is no good backup in"), "{sentence}");
    assert!(sentence.contains("signalboxd restore FILE --data-dir"), "{sentence}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_damaged_and_stays() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("signalbox.db");
    fs::write(&file, "x".repeat(9000)).expect("written");
    let sentence = Store::open(dir.path()).await.err().expect("refused").to_string();
    assert!(sentence.contains("is damaged"), "{sentence}");
    assert_eq!(fs::metadata(&file).expect("still there").len(), 9000);
}

#[tokio::test]
async fn a_restore_puts_the_backup_in_place_and_keeps_what_was_there() {
    let (world, good) = with_a_past().await;
    world.walk("op00", &[Event::ApprovalGranted]).await;
    world.request("later").await;
    world.store.close().await;
    damage(&world.file(), 2);
    let damaged = fs::read(world.file()).expect("the store");
    let restored = backup::restore(world.dir.path(), &good.file, NOON + DAY).await.expect("restored");
    let aside = restored.aside.expect("kept");
    assert!(aside.ends_with("signalbox.replaced-20250616T150640Z.db"), "{}", aside.display());
    assert_eq!(fs::read(&aside).expect("kept"), damaged);
    assert_eq!(restored.operations, 20);
    assert!(good.file.exists(), "the backup is not used up");
    let store = Store::open(world.dir.path()).await.expect("whole");
    let operation = store.operation("op00").await.expect("readable").expect("a request");
    assert_eq!((operation.step, operation.version), (Step::ApprovalWaiting, 2));
    assert!(store.operation("later").await.expect("readable").is_none());
    store.commit(transition(&operation, Event::ApprovalGranted)).await.expect("it goes on from there");
    store.submit(submission("new")).await.expect("and takes new requests");
    store.close().await;
    assert_eq!(faults(&world.file()).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_came_after_a_backup_is_counted_before_it_is_restored() {
    let (world, good) = with_a_past().await;
    // The requests of the past were submitted at noon and moved a second after it.
    assert_eq!(world.store.since(NOON + 1000).await.expect("counted"), Since { submitted: 0, changes: 0 });
    assert_eq!(world.store.since(NOON).await.expect("counted"), Since { submitted: 0, changes: 20 });
    world.store.submit(Submission { at: NOON + 2000, ..submission("later") }).await.expect("stored");
    world.walk("op00", &[Event::ApprovalGranted]).await;
    assert_eq!(world.store.since(NOON + 1000).await.expect("counted"), Since { submitted: 1, changes: 2 });
    let contents = backup::look_into(&good.file).await.expect("readable");
    assert_eq!(contents, Contents { damage: None, operations: Some(20) }, "what came later is not in it");
    damage(&good.file, 3);
    let contents = backup::look_into(&good.file).await.expect("readable");
    assert!(contents.damage.is_some() && contents.operations.is_none(), "{contents:?}");
}

/// The log of the store that was replaced would be read into the new one.
#[tokio::test]
async fn the_log_of_a_killed_process_goes_with_the_store_it_belongs_to() {
    let (world, good) = with_a_past().await;
    world.walk("op00", &[Event::ApprovalGranted]).await;
    let grave = tempfile::tempdir().expect("a directory");
    for name in ["signalbox.db", "signalbox.db-wal", "signalbox.db-shm"] {
        fs::copy(world.dir.path().join(name), grave.path().join(name)).expect("a copy");
    }
    let restored = backup::restore(grave.path(), &good.file, NOON + DAY).await.expect("restored");
    let store = Store::open(grave.path()).await.expect("whole");
    assert_eq!(store.operation("op00").await.expect("readable").expect("a request").version, 2);
    let aside = restored.aside.expect("kept");
    let old = tempfile::tempdir().expect("a directory");
    for ending in ["", "-wal"] {
        let from = format!("{}{ending}", aside.display());
        fs::copy(from, old.path().join(format!("signalbox.db{ending}"))).expect("kept");
    }
    let old = Store::open(old.path()).await.expect("still a store");
    assert_eq!(old.operation("op00").await.expect("readable").expect("a request").version, 3);
}

#[tokio::test]
async fn what_is_no_good_backup_is_refused_before_anything_is_touched() {
    let (world, good) = with_a_past().await;
    world.store.close().await;
    let before = fs::read(world.file()).expect("the store");
    let text = world.dir.path().join("text.db");
    fs::write(&text, "y".repeat(5000)).expect("written");
    let damaged = world.dir.path().join("damaged.db");
    fs::copy(&good.file, &damaged).expect("a copy");
    damage(&damaged, 1);
    let other = world.dir.path().join("other.db");
    fs::write(&other, "").expect("an empty file");
    let mut hand = crate::world::by_hand(&other).await;
    crate::world::typed(&mut hand, "CREATE TABLE songs (name)").await.expect("another program's file");
    drop(hand);
    for (file, words) in [
        (world.dir.path().join("nothing.db"), "there is no such file"),
        (text, "the backup is damaged itself"),
        (damaged, "the backup is damaged itself"),
        (other, "no store of Signalbox"),
    ] {
        let sentence = backup::restore(world.dir.path(), &file, NOON).await.expect_err("refused").to_string();
        assert!(sentence.contains(words), "{sentence}");
        assert!(sentence.contains("The store is as it was"), "{sentence}");
    }
    assert_eq!(fs::read(world.file()).expect("the store"), before);
}

#[tokio::test]
async fn a_backup_is_not_let_go_because_a_clock_ran_ahead_once() {
    let world = World::new().await;
    for day in 30..37 {
        world.store.back_up(NOON + day * DAY).await.expect("a backup");
    }
    for n in 0..3 {
        let made = world.store.back_up(NOON + n * DAY).await.expect("a backup");
        assert!(made.file.exists(), "the one that was just made is there");
    }
    let days: Vec<_> = world.store.backups().iter().map(|backup| (backup.at - NOON) / DAY).collect();
    assert_eq!(days, [36, 35, 34, 33, 2, 1, 0], "those of the future go first");
}

/// What lies in a folder when a restore was cut off after so many of its steps.
#[tokio::test]
async fn a_restore_that_was_cut_off_is_finished_or_was_never_begun() {
    let (world, good) = with_a_past().await;
    world.walk("op00", &[Event::ApprovalGranted]).await;
    for (moved, version) in [(0, 3), (1, 3), (3, 2)] {
        let grave = tempfile::tempdir().expect("a directory");
        let at = |name: &str| grave.path().join(name);
        // As a kill leaves it: with a log that holds the last moves.
        for name in ["signalbox.db", "signalbox.db-wal", "signalbox.db-shm"] {
            fs::copy(world.dir.path().join(name), at(name)).expect("a copy");
        }
        fs::copy(&good.file, at("signalbox.next")).expect("a copy");
        for ending in ["-wal", "-shm", ""].iter().take(moved) {
            let aside = at(&format!("signalbox.replaced-20250616T150640Z.db{ending}"));
            fs::rename(at(&format!("signalbox.db{ending}")), aside).expect("moved");
        }
        let store = Store::open(grave.path()).await.expect("whole");
        assert_eq!(store.operation("op00").await.expect("readable").expect("a request").version, version, "{moved}");
        assert!(!at("signalbox.next").exists());
        store.close().await;
    }
}

#[tokio::test]
async fn two_restores_in_one_second_keep_both_stores() {
    let (world, good) = with_a_past().await;
    world.walk("op00", &[Event::ApprovalGranted]).await;
    world.store.close().await;
    let first = backup::restore(world.dir.path(), &good.file, NOON).await.expect("restored").aside.expect("kept");
    let second = backup::restore(world.dir.path(), &good.file, NOON).await.expect("restored").aside.expect("kept");
    assert_ne!(first, second);
    let kept = Store::open(world.dir.path()).await.expect("whole");
    assert_eq!(kept.operation("op00").await.expect("readable").expect("a request").version, 2);
    assert!(fs::read(&first).expect("kept") != fs::read(&second).expect("kept"));
}

/// A backup that an older program made carries that program's rules; the next start writes them anew.
#[tokio::test]
async fn a_backup_with_other_rules_is_restored() {
    let (world, good) = with_a_past().await;
    world.store.close().await;
    let mut hand = crate::world::by_hand(&good.file).await;
    crate::world::typed(&mut hand, "DROP TRIGGER operation_legal_move").await.expect("dropped");
    sqlx::Connection::close(hand).await.expect("closed");
    assert!(!verify::verify(&good.file).await.expect("readable").rules.is_empty());
    backup::restore(world.dir.path(), &good.file, NOON).await.expect("restored");
    Store::open(world.dir.path()).await.expect("whole").close().await;
    let report = verify::verify(&world.file()).await.expect("readable");
    assert_eq!((report.rules, report.faults), (Vec::new(), Vec::new()));
}
