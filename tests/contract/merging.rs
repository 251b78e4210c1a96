//! Merging: pinned to a head, done once, and told by the commit that it left on the target branch.

use signalbox_engine::ports::forge::{MergeRequest, MrState, Readiness, Who};

use crate::place::{Opened, Place, update};

/// Merges and reads until it shows.
async fn merge(at: &Place, opened: &Opened) -> MergeRequest {
    let head = at.make_mergeable(opened.iid).await;
    at.forge.merge(&at.scope, &at.project, opened.iid, &head).await.unwrap();
    at.until(opened.iid, "merged", |mr| mr.state == MrState::Merged).await
}

/// The commit that was merged to is on the target branch, and so is the change.
async fn assert_on_target(at: &Place, opened: &Opened, merged: &str) {
    let target = at.head(&opened.target).await;
    assert_eq!(at.forge.contains(&at.scope, &at.project, &target, merged).await, Ok(Some(true)));
    let file = at.forge.file(&at.scope, &at.project, &at.quota(), &opened.target).await.unwrap().unwrap();
    assert_eq!(file.bytes, b"cpu 12\nmemory 20\n");
}

/// The commit on the target is a merge of the head, or, by fast-forward, the head itself.
pub async fn a_merge_leaves_its_commit_on_the_target(at: &Place) {
    let opened = at.open("merge").await;
    let bot = at.forge.account(&at.scope, Who::Bot).await.unwrap().username;
    let mr = merge(at, &opened).await;
    let merged = mr.merged_sha.clone().unwrap();
    assert_eq!((mr.ended_by, mr.readiness), (Some(bot), Readiness::NotOpen));
    assert_on_target(at, &opened, &merged).await;
    assert_eq!(at.forge.contains(&at.scope, &at.project, &merged, &opened.head).await, Ok(Some(true)));
    let commit = at.forge.commit(&at.scope, &at.project, &merged).await.unwrap().unwrap();
    match commit.parents.as_slice() {
        [_, second] => assert_eq!(second, &opened.head),
        _ => assert_eq!(merged, opened.head),
    }
}

pub async fn a_second_merge_changes_nothing(at: &Place) {
    let opened = at.open("twice").await;
    let before = merge(at, &opened).await;
    let target = at.head(&opened.target).await;
    let error = at.forge.merge(&at.scope, &at.project, opened.iid, &opened.head).await.unwrap_err();
    assert!(matches!(error.status, Some(405 | 406 | 409 | 422)), "{error}");
    at.forge.close(&at.scope, &at.project, opened.iid).await.unwrap();
    let after = at.read(opened.iid).await;
    assert_eq!(
        (after.state, after.merged_sha),
        (MrState::Merged, before.merged_sha),
        "a merge is not undone by a close"
    );
    assert_eq!(at.head(&opened.target).await, target);
}

pub async fn a_merge_of_another_head_is_refused(at: &Place) {
    let opened = at.open("pin").await;
    at.make_mergeable(opened.iid).await;
    let target = at.head(&opened.target).await;
    let error = at.forge.merge(&at.scope, &at.project, opened.iid, &target).await.unwrap_err();
    assert!(error.is(409), "{error}");
    assert_eq!(at.read(opened.iid).await.state, MrState::Opened);
    assert_eq!(at.head(&opened.target).await, target);
}

/// Two commits become one, and the commit that is told is the one on the target.
pub async fn a_squashed_merge_tells_what_is_on_the_target(at: &Place) {
    let opened = at.open("squash").await;
    at.commit_onto(&opened.source, vec![update(&at.quota(), "cpu 11\nmemory 20\n")]).await;
    let head = at.commit_onto(&opened.source, vec![update(&at.quota(), "cpu 12\nmemory 20\n")]).await;
    at.until(opened.iid, "on its new head", |mr| mr.head_sha.as_ref() == Some(&head)).await;
    at.raw.squash(opened.iid).await;
    let mr = merge(at, &opened).await;
    let merged = mr.merged_sha.unwrap();
    assert_on_target(at, &opened, &merged).await;
    let contains = at.forge.contains(&at.scope, &at.project, &merged, &head).await;
    assert_eq!(contains, Ok(Some(false)), "the commits of the branch stay off the target");
}
