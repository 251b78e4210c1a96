//! Merge requests: opened once, found by their branch, read through their life, closed.

use signalbox_engine::ports::{
    error::ErrorClass,
    forge::{MrState, PipelineVerdict, Readiness, Who},
};

use crate::place::Place;

pub async fn a_merge_request_is_found_by_its_branch(at: &Place) {
    let opened = at.open("found").await;
    let bot = at.forge.account(&at.scope, Who::Bot).await.unwrap().username;
    let found = at.forge.merge_requests_of(&at.scope, &at.project, &opened.source).await.unwrap();
    let [mr] = found.as_slice() else { panic!("one merge request was opened: {found:?}") };
    let wanted = at.new_merge_request(&opened.source, &opened.target);
    assert_eq!((mr.iid, &mr.state, &mr.author), (opened.iid, &MrState::Opened, &bot));
    assert_eq!((&mr.title, &mr.description), (&wanted.title, &wanted.description));
    assert_eq!((&mr.source_branch, &mr.target_branch), (&opened.source, &opened.target));
    assert_eq!(mr.source_project_id, mr.project_id);
    assert!(mr.web_url.contains(&format!("/merge_requests/{}", mr.iid)), "{}", mr.web_url);
    assert_eq!((&mr.merged_sha, &mr.ended_by), (&None, &None));
}

/// Every page is read; the newest comes first, whatever became of the older ones.
pub async fn all_merge_requests_of_a_branch_are_found_newest_first(at: &Place) {
    let opened = at.open("pages").await;
    let mut iids = vec![opened.iid];
    for _ in 0..4 {
        at.forge.close(&at.scope, &at.project, *iids.last().unwrap()).await.unwrap();
        iids.push(at.open_from(&opened.source, &opened.target).await);
    }
    iids.reverse();
    let found = at.forge.merge_requests_of(&at.scope, &at.project, &opened.source).await.unwrap();
    assert_eq!(found.iter().map(|mr| mr.iid).collect::<Vec<_>>(), iids);
    let states: Vec<&str> = found.iter().map(|mr| mr.state.word()).collect();
    assert_eq!(states, ["opened", "closed", "closed", "closed", "closed"]);
}

pub async fn a_second_open_merge_request_is_told(at: &Place) {
    let opened = at.open("second").await;
    let again = at.new_merge_request(&opened.source, &opened.target);
    let error = at.forge.open_merge_request(&at.scope, &at.project, &again).await.unwrap_err();
    assert_eq!(error.class, ErrorClass::AlreadyExists, "{error}");
    assert_eq!(at.forge.merge_requests_of(&at.scope, &at.project, &opened.source).await.unwrap().len(), 1);
}

pub async fn a_branch_that_is_not_there_opens_nothing(at: &Place) {
    let (target, _) = at.target("no-source").await;
    let new = at.new_merge_request(&at.branch("no-source/change"), &target);
    let error = at.forge.open_merge_request(&at.scope, &at.project, &new).await.unwrap_err();
    assert!(matches!(error.class, ErrorClass::Retryable | ErrorClass::Terminal), "{error}");
    assert_eq!(at.forge.merge_requests_of(&at.scope, &at.project, &new.source_branch).await.unwrap(), []);
}

/// Preparing and checking are waits; the head and its pipelines are those of the commit that was made.
pub async fn a_merge_request_becomes_mergeable(at: &Place) {
    let opened = at.open("life").await;
    let settled = at.until(opened.iid, "checked", |mr| mr.readiness != Readiness::Checking).await;
    assert_eq!(settled.head_sha.as_ref(), Some(&opened.head));
    assert!(!settled.rebase_in_progress);
    assert_eq!((settled.behind, settled.merge_error), (Some(0), None));
    at.make_mergeable(opened.iid).await;
    let pipelines = at.forge.pipelines(&at.scope, &at.project, opened.iid).await.unwrap();
    for pipeline in &pipelines {
        assert_eq!((&pipeline.sha, pipeline.verdict), (&opened.head, PipelineVerdict::Passed), "{pipeline:?}");
    }
    let has_ci = at.forge.file(&at.scope, &at.project, ".gitlab-ci.yml", &opened.head).await.unwrap().is_some();
    assert!(!has_ci || !pipelines.is_empty(), "a project with pipelines ran none");
}

pub async fn closing_is_done_once_and_stays(at: &Place) {
    let opened = at.open("close").await;
    let bot = at.forge.account(&at.scope, Who::Bot).await.unwrap().username;
    for again in [false, true] {
        at.forge.close(&at.scope, &at.project, opened.iid).await.unwrap();
        let mr = at.read(opened.iid).await;
        assert_eq!((&mr.state, &mr.merged_sha), (&MrState::Closed, &None), "again: {again}");
        assert_eq!(mr.ended_by.as_ref(), Some(&bot));
        assert_eq!(mr.readiness, Readiness::NotOpen);
    }
    assert_eq!(at.head(&opened.source).await, opened.head, "the branch stays");
}
