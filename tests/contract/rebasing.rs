//! Rebases: asked for, done later, or refused by a conflict.

use signalbox_engine::ports::forge::{MrState, Readiness};

use crate::place::{Place, create, update};

/// What shows while a rebase runs, or nothing yet because the job has not begun, is a wait.
pub async fn a_rebase_brings_the_head_onto_the_target(at: &Place) {
    let opened = at.open("rebase").await;
    let other = format!("contract/{}/elsewhere.txt", at.prefix);
    let target = at.commit_onto(&opened.target, vec![create(&other, "elsewhere\n")]).await;
    let behind = at.until(opened.iid, "behind", |mr| mr.behind == Some(1)).await;
    assert!(!behind.rebase_in_progress);

    at.forge.rebase(&at.scope, &at.project, opened.iid).await.unwrap();
    let moved = |head: &Option<String>| head.as_ref().is_some_and(|head| *head != opened.head);
    let mr = at.until(opened.iid, "rebased", |mr| !mr.rebase_in_progress && moved(&mr.head_sha)).await;
    let head = mr.head_sha.unwrap();
    assert_eq!((mr.behind, mr.merge_error), (Some(0), None));
    assert_eq!(at.head(&opened.source).await, head);
    let commit = at.forge.commit(&at.scope, &at.project, &head).await.unwrap().unwrap();
    assert_eq!(commit.parents, [target]);
    assert!(commit.message.contains(&format!("Signalbox-Operation: {}", opened.source)), "{}", commit.message);
    let file = at.forge.file(&at.scope, &at.project, &at.quota(), &head).await.unwrap().unwrap();
    assert_eq!(file.bytes, b"cpu 12\nmemory 20\n");
}

pub async fn a_rebase_without_need_leaves_the_head(at: &Place) {
    let opened = at.open("no-rebase").await;
    at.until(opened.iid, "checked", |mr| mr.readiness != Readiness::Checking).await;
    at.forge.rebase(&at.scope, &at.project, opened.iid).await.unwrap();
    let mr = at.until(opened.iid, "through with it", |mr| !mr.rebase_in_progress).await;
    assert_eq!((mr.head_sha.as_ref(), mr.merge_error), (Some(&opened.head), None));
}

pub async fn a_rebase_into_a_conflict_says_so_and_leaves_the_head(at: &Place) {
    let opened = at.open("conflict").await;
    // Missing approvals would be told before the conflict.
    at.make_mergeable(opened.iid).await;
    at.commit_onto(&opened.target, vec![update(&at.quota(), "cpu 99\nmemory 20\n")]).await;
    let conflict = at.until(opened.iid, "in conflict", |mr| mr.readiness == Readiness::Conflict).await;
    assert_eq!(conflict.behind, Some(1));
    at.forge.rebase(&at.scope, &at.project, opened.iid).await.unwrap();
    let mr = at.until(opened.iid, "refused", |mr| !mr.rebase_in_progress && mr.merge_error.is_some()).await;
    assert_eq!((mr.state, mr.head_sha.as_ref()), (MrState::Opened, Some(&opened.head)));
    assert_eq!(at.head(&opened.source).await, opened.head);
}
