//! From one schema to the next: a backup first, and a step that breaks takes nothing with it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sqlx::{Connection as _, SqliteConnection, migrate::Migrator};

use super::super::{Store, StoreError, backup, schema, verify};

/// The migrations of this program, with more beside them.
async fn migrations(dir: &Path, keep: usize, more: &[(&str, &str)]) -> Migrator {
    let folder = dir.join(format!("{keep} and {}", more.first().map_or("no more", |(name, _)| name)));
    fs::create_dir_all(&folder).unwrap();
    let mut ours: Vec<PathBuf> =
        fs::read_dir("migrations/sqlite").unwrap().map(|entry| entry.unwrap().path()).collect();
    ours.sort();
    for file in ours.iter().take(keep) {
        fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    for (name, sql) in more {
        fs::write(folder.join(name), sql).unwrap();
    }
    Migrator::new(folder).await.unwrap()
}

async fn open(file: &Path, migrations: &Migrator) -> Result<SqliteConnection, StoreError> {
    schema::open(file, migrations).await.map(|(writer, _)| writer)
}

/// A store as the first version wrote it, with a timer in it.
async fn first_version(dir: &Path) -> PathBuf {
    let file = dir.join("signalbox.db");
    let mut old = open(&file, &migrations(dir, 1, &[]).await).await.unwrap();
    sqlx::query("INSERT INTO timer VALUES ('sweep', 7)").execute(&mut old).await.unwrap();
    old.close().await.unwrap();
    file
}

async fn timers(file: &Path) -> i64 {
    let mut look = schema::look_at(file).await.unwrap();
    sqlx::query_scalar("SELECT count(*) FROM timer").fetch_one(&mut look).await.unwrap()
}

async fn version(file: &Path) -> i64 {
    schema::applied_version(&mut schema::look_at(file).await.unwrap()).await.unwrap()
}

#[tokio::test]
async fn an_empty_folder_becomes_a_store_of_the_newest_schema() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).await.unwrap();
    store.close().await;
    let report = verify::verify(&dir.path().join("signalbox.db")).await.unwrap();
    assert_eq!((report.schema, report.faults), (schema::newest(&schema::MIGRATIONS), Vec::<String>::new()));
    assert_eq!(backup::list(dir.path()), [], "there was nothing to back up");
}

#[tokio::test]
async fn an_older_store_is_copied_before_it_is_migrated() {
    let dir = tempfile::tempdir().unwrap();
    let file = first_version(dir.path()).await;
    Store::open(dir.path()).await.unwrap().close().await;
    assert_eq!(version(&file).await, schema::newest(&schema::MIGRATIONS));
    let copies = backup::list(dir.path());
    assert_eq!(copies.len(), 1);
    assert!(copies[0].file.ends_with("signalbox.before-2.db"));
    assert_eq!((version(&copies[0].file).await, timers(&copies[0].file).await), (1, 1));
    Store::open(dir.path()).await.unwrap().close().await;
    assert_eq!(backup::list(dir.path()).len(), 1, "a start that migrates nothing copies nothing");
}

/// The disk runs full in the middle of the migration; then there is space.
#[tokio::test]
async fn c101_upgrade_migration_breaks_half_way() {
    let dir = tempfile::tempdir().unwrap();
    let file = first_version(dir.path()).await;
    let before = fs::read(&file).unwrap();
    let fills = "CREATE TABLE more (a); INSERT INTO more SELECT zeroblob(4000) FROM json_each('[1,2,3,4,5,6,7,8,9]') a, \
                 json_each('[1,2,3,4,5,6,7,8,9]') b;";
    let full = format!("PRAGMA max_page_count = 1; {fills}");
    let new = migrations(dir.path(), 1, &[("0002_full.sql", &full)]).await;
    let sentence = open(&file, &new).await.unwrap_err().to_string();
    let copy = dir.path().join("signalbox.before-2.db");
    let copied = copy.display().to_string();
    for words in ["the migration from schema 1 to 2 failed", "database or disk is full", "schema 1, whole", &copied] {
        assert!(sentence.contains(words), "no {words:?} in {sentence}");
    }
    assert_eq!((version(&file).await, timers(&file).await, timers(&copy).await), (1, 1, 1));
    let old = open(&file, &migrations(dir.path(), 1, &[]).await).await.expect("the older program opens it");
    old.close().await.unwrap();
    let new = migrations(dir.path(), 1, &[("0002_space.sql", fills)]).await;
    open(&file, &new).await.expect("there is space again").close().await.unwrap();
    assert_eq!((version(&file).await, timers(&file).await, timers(&copy).await), (2, 1, 1));
    assert_ne!(fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_migration_that_breaks_leaves_the_store_as_it_was_and_its_copy_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = first_version(dir.path()).await;
    let broken = "UPDATE timer SET due_at = 8; CREATE TABLE more (a); INSERT INTO nowhere VALUES (1);";
    let new = migrations(dir.path(), 1, &[("0002_broken.sql", broken)]).await;
    for _ in 0..2 {
        let sentence = open(&file, &new).await.unwrap_err().to_string();
        assert!(sentence.contains("the migration from schema 1 to 2 failed"), "{sentence}");
        assert!(sentence.contains("It stands at schema 1, whole; a copy of it from before is"), "{sentence}");
        assert!(sentence.contains("signalbox.before-2.db"), "{sentence}");
        let mut look = schema::look_at(&file).await.unwrap();
        let due: i64 = sqlx::query_scalar("SELECT due_at FROM timer").fetch_one(&mut look).await.unwrap();
        assert_eq!(due, 7);
        assert_eq!(timers(&dir.path().join("signalbox.before-2.db")).await, 1);
    }
    let mut old = open(&file, &migrations(dir.path(), 1, &[]).await).await.expect("the older program goes on");
    sqlx::query("INSERT INTO timer VALUES ('backup', 7)").execute(&mut old).await.unwrap();
    old.close().await.unwrap();
    let mended = migrations(dir.path(), 1, &[("0002_mended.sql", "CREATE TABLE more (a);")]).await;
    open(&file, &mended).await.expect("the mended version goes on");
    assert_eq!(timers(&dir.path().join("signalbox.before-2.db")).await, 2, "the copy is of now, not of the first try");
}

#[tokio::test]
async fn a_store_that_cannot_be_copied_is_not_migrated() {
    let dir = tempfile::tempdir().unwrap();
    let file = first_version(dir.path()).await;
    fs::create_dir(dir.path().join("signalbox.before-2.part")).unwrap();
    let sentence = Store::open(dir.path()).await.err().unwrap().to_string();
    assert!(sentence.contains("no backup was written to"), "{sentence}");
    assert_eq!(version(&file).await, 1);
}

#[tokio::test]
async fn a_store_of_a_newer_program_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("signalbox.db");
    let newer = migrations(dir.path(), 99, &[("0099_later.sql", "CREATE TABLE later (a);")]).await;
    open(&file, &newer).await.unwrap().close().await.unwrap();
    let sentence = Store::open(dir.path()).await.err().unwrap().to_string();
    assert!(sentence.contains("was written by a newer version of Signalbox (schema 99"), "{sentence}");
    assert!(
        sentence.contains("start the newer version, or restore the backup made before its first start"),
        "{sentence}"
    );
    assert_eq!(version(&file).await, 99);
    let report = verify::verify(&file).await.unwrap();
    assert_eq!(report.faults.len(), 1, "{:?}", report.faults);
}

#[tokio::test]
async fn half_a_copy_is_never_taken_for_a_backup() {
    let dir = tempfile::tempdir().unwrap();
    first_version(dir.path()).await;
    fs::write(dir.path().join("signalbox.before-2.part"), "half").unwrap();
    assert_eq!(backup::last_good(dir.path()).await, None);
    Store::open(dir.path()).await.unwrap().close().await;
    assert_eq!(timers(&dir.path().join("signalbox.before-2.db")).await, 1);
}
