//! Commits: what is written is what is read back, all of it or nothing.

use signalbox_engine::ports::{
    error::ErrorClass,
    forge::{FileWrite, RepoFile},
};

use crate::place::{Place, create, update};

async fn file(at: &Place, path: &str, branch: &str) -> Option<RepoFile> {
    at.forge.file(&at.scope, &at.project, path, branch).await.unwrap()
}

pub async fn one_commit_creates_updates_and_deletes(at: &Place) {
    let (target, _) = at.target("actions").await;
    let (old, new) = (format!("contract/{}/old.txt", at.prefix), format!("contract/{}/deep/new.txt", at.prefix));
    let start = at.commit_onto(&target, vec![create(&old, "to be removed\n")]).await;
    let seen = file(at, &at.quota(), &target).await.unwrap().last_commit_id;
    let branch = at.branch("actions/change");
    let new_commit = at.new_commit(
        &branch,
        &start,
        vec![
            create(&new, "fresh\n"),
            FileWrite::Update { path: at.quota(), content: b"cpu 12\n".to_vec(), last_commit_id: Some(seen) },
            FileWrite::Delete { path: old.clone(), last_commit_id: None },
        ],
    );
    let made = at.forge.commit_files(&at.scope, &at.project, &new_commit).await.unwrap();
    assert_eq!(made.parents, [start]);
    assert_eq!(made.message.trim_end(), new_commit.message);
    let head = at.forge.branch(&at.scope, &at.project, &branch).await.unwrap().unwrap();
    assert_eq!((&head.sha, &head.parents), (&made.sha, &made.parents));
    assert_eq!(file(at, &new, &branch).await.unwrap().bytes, b"fresh\n");
    assert_eq!(file(at, &at.quota(), &branch).await.unwrap().bytes, b"cpu 12\n");
    assert_eq!(file(at, &old, &branch).await, None);
}

pub async fn bytes_are_read_back_as_they_were_written(at: &Place) {
    let every: Vec<u8> = (0..=255).collect();
    let texts: [(&str, &[u8]); 5] = [
        ("crlf.txt", b"one\r\ntwo\r\n"),
        ("no-newline.txt", b"the last line has no end"),
        ("empty.txt", b""),
        ("bom.txt", "\u{feff}价格: 5 €\n".as_bytes()),
        ("every-byte.bin", &every),
    ];
    let path = |name: &str| format!("contract/{}/bytes/{name}", at.prefix);
    let files = texts.iter().map(|(name, bytes)| FileWrite::Create { path: path(name), content: bytes.to_vec() });
    let branch = at.branch("bytes");
    at.commit(&branch, &at.start().await, files.collect()).await;
    for (name, bytes) in texts {
        assert_eq!(file(at, &path(name), &branch).await.unwrap().bytes, bytes, "{name}");
    }
}

/// C093: what is made under a strange name is found under that name, and nothing else is.
pub async fn special_characters_in_branch_and_path(at: &Place) {
    let branch = at.branch("ops/50%#1+2&a=b;é");
    let path = format!("contract/{}/conf d/a#b%20+c?.yaml", at.prefix);
    let head = at.commit(&branch, &at.start().await, vec![create(&path, "a: 1\n")]).await;
    assert_eq!(at.head(&branch).await, head);
    for at_ref in [&branch, &head] {
        assert_eq!(file(at, &path, at_ref).await.unwrap().bytes, b"a: 1\n");
    }
    let decoded_twice = path.replace("%20", " ");
    assert_eq!(file(at, &decoded_twice, &branch).await, None);
    let (target, _) = at.target("special").await;
    let iid = at.open_from(&branch, &target).await;
    let found = at.forge.merge_requests_of(&at.scope, &at.project, &branch).await.unwrap();
    assert_eq!(found.iter().map(|mr| mr.iid).collect::<Vec<_>>(), [iid]);
    assert_eq!((found[0].source_branch.as_str(), found[0].target_branch.as_str()), (branch.as_str(), target.as_str()));
    let between = at.forge.commits_between(&at.scope, &at.project, &at.start().await, &branch).await.unwrap();
    assert_eq!(between.len(), 1);
}

pub async fn a_branch_that_is_there_is_told_and_left_alone(at: &Place) {
    let start = at.start().await;
    let branch = at.branch("taken");
    let head = at.commit(&branch, &start, vec![create(&at.quota(), "first\n")]).await;
    let again = at.new_commit(&branch, &start, vec![create(&at.quota(), "second\n")]);
    let error = at.forge.commit_files(&at.scope, &at.project, &again).await.unwrap_err();
    assert_eq!(error.class, ErrorClass::AlreadyExists, "{error}");
    assert_eq!(at.head(&branch).await, head);
    assert_eq!(file(at, &at.quota(), &branch).await.unwrap().bytes, b"first\n");
}

pub async fn a_commit_is_made_whole_or_not_at_all(at: &Place) {
    let (_, start) = at.target("whole").await;
    let branch = at.branch("whole/change");
    let fresh = format!("contract/{}/fresh.txt", at.prefix);
    let refused = [
        create(&at.quota(), "is there already\n"),
        update("contract/not/there.txt", "nothing to update\n"),
        FileWrite::Delete { path: "contract/not/there.txt".into(), last_commit_id: None },
    ];
    for wrong in refused {
        let new = at.new_commit(&branch, &start, vec![create(&fresh, "good\n"), wrong.clone()]);
        let error = at.forge.commit_files(&at.scope, &at.project, &new).await.unwrap_err();
        assert_eq!((error.class, error.status), (ErrorClass::Terminal, Some(400)), "{wrong:?}: {error}");
        assert_eq!(at.forge.branch(&at.scope, &at.project, &branch).await, Ok(None), "{wrong:?}");
    }
}

pub async fn a_file_that_changed_since_it_was_read_is_not_overwritten(at: &Place) {
    let (branch, start) = at.target("stale").await;
    let seen = file(at, &at.quota(), &branch).await.unwrap().last_commit_id;
    let theirs = at.commit_onto(&branch, vec![update(&at.quota(), "cpu 99\n")]).await;
    let ours = FileWrite::Update { path: at.quota(), content: b"cpu 12\n".to_vec(), last_commit_id: Some(seen) };
    let new = at.new_commit(&branch, &start, vec![ours]);
    let error = at.forge.commit_onto(&at.scope, &at.project, &new).await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Terminal, Some(400)), "{error}");
    assert_eq!(at.head(&branch).await, theirs);
}
