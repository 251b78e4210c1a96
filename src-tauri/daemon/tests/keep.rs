//! `signalboxd backup`, `verify`, `restore`, `export` and `import`, beside a process that serves and after it.

mod process;

use process::{Ended, Place, run};

fn ended(args: &[&str], code: i32, words: &[&str]) -> Ended {
    let ended = run(args);
    assert_eq!(ended.code, Some(code), "{args:?}\n{}{}", ended.out, ended.err);
    for word in words {
        assert!(ended.out.contains(word) || ended.err.contains(word), "no {word:?} in {}{}", ended.out, ended.err);
    }
    ended
}

#[test]
fn a_backup_is_made_and_verified_beside_a_process_that_serves() {
    let place = Place::new();
    let dir = place.data_dir();
    let copy = place.path("copy.db").display().to_string();
    let serving = place.serve(&[]);
    ended(&["backup", &copy, "--data-dir", &dir], 0, &["holds the whole store"]);
    ended(&["backup", &copy, "--data-dir", &dir], 2, &["a file of that name is there already"]);
    ended(&["verify", "--data-dir", &dir], 0, &["signalbox.db holds together: 0 requests"]);
    ended(&["verify", &copy], 0, &["copy.db holds together"]);
    ended(&["restore", &copy, "--data-dir", &dir], 3, &[&format!("process {}", serving.child.id()), "in use"]);
    ended(&["export", "nobody", "--data-dir", &dir], 2, &["there is no request nobody here", "Nothing was written."]);
    assert_eq!(serving.terminate().0, Some(0));
    ended(&["restore", &copy, "--data-dir", &dir], 0, &["is in place, with 0 requests", "is kept as"]);
    assert_eq!(place.serve(&[]).terminate().0, Some(0));
}

#[test]
fn a_damaged_store_is_told_by_serve_and_verify_and_restored_from_the_last_backup() {
    let place = Place::new();
    let dir = place.data_dir();
    assert_eq!(place.serve(&[]).terminate().0, Some(0));
    std::fs::create_dir(place.path("backups")).expect("a folder");
    let daily = place.path("backups/signalbox-20260102T030405Z.db").display().to_string();
    ended(&["backup", &daily, "--data-dir", &dir], 0, &[]);
    let mut bytes = std::fs::read(place.path("signalbox.db")).expect("the store");
    bytes[4096..8192].fill(0xa5);
    std::fs::write(place.path("signalbox.db"), &bytes).expect("damaged");
    run(&["serve", "--data-dir", &dir]).refused(
        2,
        &[
            "signalbox.db is damaged",
            "it was left as it is",
            &daily,
            "of 2026-01-02T03:04:05Z",
            "signalboxd restore",
            "Nothing was started.",
        ],
    );
    ended(&["verify", "--data-dir", &dir], 1, &["fault: The file is damaged", "does not hold together"]);
    assert_eq!(std::fs::read(place.path("signalbox.db")).expect("the store"), bytes);
    ended(&["restore", "--data-dir", &dir], 0, &[&daily, "is in place"]);
    assert_eq!(place.serve(&[]).terminate().0, Some(0));
}

#[test]
fn what_cannot_be_read_is_told() {
    let place = Place::new();
    let dir = place.data_dir();
    let nothing = place.path("nothing").display().to_string();
    ended(&["backup", &nothing, "--data-dir", &dir], 2, &["there is no store"]);
    ended(&["verify", &nothing], 2, &["there is no such file"]);
    ended(&["verify"], 2, &["--data-dir"]);
    ended(&["restore", "--data-dir", &dir], 2, &["There is no good backup in", "Nothing was changed."]);
    ended(&["export", "a", "--data-dir", &dir], 2, &["there is no such file"]);
    ended(&["import", &nothing], 2, &["cannot be read"]);
    let settings = place.path("signalbox.toml").display().to_string();
    ended(&["import", &settings], 1, &["is not as it was written: line 1"]);
}
