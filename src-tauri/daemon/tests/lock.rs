//! One owner for each data directory.

use std::time::Instant;

use signalboxd::lock::{DataDir, Holder, LockError};

#[tokio::test]
async fn a_missing_directory_is_made_for_its_owner_only() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("a/b");
    let own = DataDir::own(&path).await.expect("a new directory");
    assert_eq!(own.path(), path);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path).expect("the directory").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

#[tokio::test]
async fn the_second_owner_learns_who_the_first_is() {
    let dir = tempfile::tempdir().expect("a directory");
    let first = DataDir::own(dir.path()).await.expect("the first");
    first.announce("http://127.0.0.1:4321").expect("a record");
    let Err(error) = DataDir::own(dir.path()).await else { panic!("two owners") };
    let pid = std::process::id();
    let LockError::Held { holder, .. } = &error else { panic!("{error}") };
    assert_eq!(*holder, Some(Holder { pid, url: Some("http://127.0.0.1:4321".into()) }));
    assert!(error.to_string().contains(&format!("process {pid}, which answers at http://127.0.0.1:4321")), "{error}");
    drop(first);
    DataDir::own(dir.path()).await.expect("a free directory");
}

#[tokio::test]
async fn a_second_owner_waits_for_the_url_of_one_that_starts() {
    let dir = tempfile::tempdir().expect("a directory");
    let first = DataDir::own(dir.path()).await.expect("the first");
    let (second, ()) = tokio::join!(DataDir::own(dir.path()), async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        first.announce("http://127.0.0.1:1").expect("a record");
    });
    assert!(second.expect_err("one owner only").to_string().contains("http://127.0.0.1:1"));
}

#[tokio::test]
async fn a_second_owner_gives_up_after_two_seconds_and_still_names_the_process() {
    let dir = tempfile::tempdir().expect("a directory");
    let _first = DataDir::own(dir.path()).await.expect("the first");
    let since = Instant::now();
    let error = DataDir::own(dir.path()).await.expect_err("one owner only").to_string();
    assert!((1500..4000).contains(&since.elapsed().as_millis()), "{:?}", since.elapsed());
    assert!(error.contains(&std::process::id().to_string()) && error.contains("still starting"), "{error}");
}

#[tokio::test]
async fn a_record_left_by_a_crash_is_replaced() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("signalbox.run"), r#"{"pid":1,"url":"http://127.0.0.1:9999"}"#).expect("a record");
    let _first = DataDir::own(dir.path()).await.expect("the first");
    let error = DataDir::own(dir.path()).await.expect_err("one owner only").to_string();
    assert!(!error.contains("9999"), "{error}");
}
