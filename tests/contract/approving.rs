//! Approvals: each account for itself, once, on the head that was seen.

use signalbox_engine::ports::error::ErrorClass;

use crate::place::Place;

async fn approved_by(at: &Place, iid: u64) -> Vec<String> {
    let mut names = at.forge.approvals(&at.scope, &at.project, iid).await.unwrap();
    names.sort();
    names
}

pub async fn two_accounts_approve_each_for_itself(at: &Place) {
    let opened = at.open("approve").await;
    at.until(opened.iid, "prepared", |mr| mr.readiness_word != "preparing").await;
    let reviewers = at.forge.reviewers(&at.scope).await.unwrap();
    assert_eq!(approved_by(at, opened.iid).await, Vec::<String>::new());
    let mut seen = Vec::new();
    for (n, reviewer) in reviewers.iter().enumerate() {
        at.forge.approve(&at.scope, &at.project, opened.iid, &opened.head, n).await.unwrap();
        seen.push(reviewer.clone());
        seen.sort();
        assert_eq!(approved_by(at, opened.iid).await, seen);
    }
}

/// 401 by most versions, 304 by the newest; the list tells what is true.
pub async fn a_repeated_approval_adds_nothing(at: &Place) {
    let opened = at.open("repeat").await;
    at.until(opened.iid, "prepared", |mr| mr.readiness_word != "preparing").await;
    at.forge.approve(&at.scope, &at.project, opened.iid, &opened.head, 0).await.unwrap();
    let before = approved_by(at, opened.iid).await;
    if let Err(error) = at.forge.approve(&at.scope, &at.project, opened.iid, &opened.head, 0).await {
        assert_eq!((error.class, error.status), (ErrorClass::Terminal, Some(401)), "{error}");
    }
    assert_eq!(approved_by(at, opened.iid).await, before);
    assert_eq!(before.len(), 1);
}

pub async fn an_approval_of_another_head_is_refused(at: &Place) {
    let opened = at.open("pinned").await;
    let (_, other) = (at.until(opened.iid, "prepared", |mr| mr.readiness_word != "preparing").await, at.start().await);
    let error = at.forge.approve(&at.scope, &at.project, opened.iid, &other, 0).await.unwrap_err();
    assert!(error.is(409), "{error}");
    assert_eq!(approved_by(at, opened.iid).await, Vec::<String>::new());
}
