//! Backups in the true window: made, put in place while the engine stands back, and offered where the store is damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;
use crate::page::Page;
use crate::practice::{practise, stands_at, submit_quota};

/// How long an engine and the practice remotes may take to stop and to start again.
const ROUND: Duration = Duration::from_secs(60);

/// An app that has a backup with one request in it, which is in effect.
fn backed_up() -> (App, Page, String) {
    let app = App::new();
    let (page, remotes) = practise(&app);
    remotes.approve_everything();
    let kept = submit_quota(&page, "checkout", 333);
    stands_at(&page, &kept, 10301);
    back_up(&page);
    (app, page, kept)
}

#[test]
fn a_backup_is_put_in_place_and_the_store_of_before_is_kept() {
    let (app, page, kept) = backed_up();
    let gone = submit_quota(&page, "media", 210);
    stands_at(&page, &gone, 10301);
    assert_eq!(ids(&page), [gone.clone(), kept.clone()]);

    page.press("Restore\u{2026}");
    page.reads("1 request is in it");
    page.reads("1 request was submitted after the backup and will not be here any more");
    page.picture("restore-dialog");
    page.press("Restore");
    page.reads_within("is in place with 1 request", ROUND);
    page.shows("[role=grid] [aria-rowindex='2']");
    page.picture("restored");
    assert_eq!(ids(&page), [kept]);
    let aside = replaced(&app.data_dir().join("practice"));
    page.reads(aside.file_name().and_then(|name| name.to_str()).expect("a plain name"));
    assert!(fs::metadata(&aside).expect("the store of before").len() > 0);

    // The page hears of the engine that was started again.
    let next = submit_quota(&page, "search", 320);
    page.press("1 newer");
    page.shows(&format!("#row-{next}"));
    stands_at(&page, &next, 10301);
}

#[test]
fn only_a_backup_that_belongs_here_is_put_in_place() {
    let app = App::new();
    let (page, _) = practise(&app);
    let foreign = app.data_dir().join("foreign.db");
    fs::write(&foreign, "not a store").expect("written");
    let damaged = app.data_dir().join("practice/backups/signalbox-20261130T160000Z.db");
    fs::create_dir_all(damaged.parent().expect("a folder")).expect("made");
    fs::write(&damaged, "not a store either").expect("written");
    for (file, why) in [(&foreign, "is not among the backups of"), (&damaged, "is damaged itself")] {
        let refused = page.invoke("restore_backup", &json!({"file": file})).expect_err("refused");
        assert!(refused.contains(why) && refused.contains("Nothing was changed"), "{refused}");
    }
    assert_eq!(ids(&page), [String::new(); 0], "the engine answers as before");
}

#[test]
fn a_damaged_store_is_replaced_by_its_last_good_backup_and_kept() {
    let (app, page, kept) = backed_up();
    drop(page);
    let dir = app.data_dir().join("practice");
    let damaged = damage(&dir);

    let page = app.open();
    page.reads_within("The store is damaged", ROUND);
    page.reads(dir.join("signalbox.db").to_str().expect("a plain path"));
    page.reads("with 1 request");
    page.picture("damaged-store");
    page.press("Restore this backup\u{2026}");
    page.reads("The damaged file is kept beside it");
    page.press("Restore");
    page.reads_within("is in place with 1 request", ROUND);
    assert_eq!(ids(&page), [kept]);
    assert!(fs::read(replaced(&dir)).expect("the damaged file") == damaged, "it is kept as it was");
}

fn back_up(page: &Page) {
    page.press("Settings");
    page.press("Make a backup now");
    page.reads("Made, checked and on the disk");
}

/// The ids of all requests, newest first.
fn ids(page: &Page) -> Vec<String> {
    let list = page.call("GET", "/api/v1/operations", &Value::Null);
    let items = list["items"].as_array().unwrap_or_else(|| panic!("no list: {list}"));
    items.iter().map(|item| item["operation_id"].as_str().expect("an id").to_owned()).collect()
}

/// The one store that was replaced.
fn replaced(dir: &Path) -> PathBuf {
    let entries = fs::read_dir(dir).expect("the data directory").map(|entry| entry.expect("an entry").path());
    let is_aside = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("signalbox.replaced-") && name.ends_with(".db")
    };
    let found: Vec<_> = entries.filter(is_aside).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().expect("one")
}

/// The store as it was at its backup, with a part of every page turned over; gives what stands there now. What was written
/// since is still in the log, which goes.
fn damage(dir: &Path) -> Vec<u8> {
    let mut backups =
        fs::read_dir(dir.join("backups")).expect("the backups").map(|entry| entry.expect("an entry").path());
    let mut bytes = fs::read(backups.next().expect("a backup")).expect("a backup");
    for page in bytes.chunks_mut(4096).skip(1) {
        for byte in page.iter_mut().take(200).skip(8) {
            *byte ^= 0xff;
        }
    }
    for log in ["signalbox.db-wal", "signalbox.db-shm"] {
        drop(fs::remove_file(dir.join(log)));
    }
    fs::write(dir.join("signalbox.db"), &bytes).expect("damaged");
    bytes
}
