//! The behaviours of the contract on the practice remotes, and what only they can be asked to do.

use std::{sync::Arc, time::Duration};

use signalbox_engine::ports::forge::Readiness;

use crate::{
    behaviours::{each_behaviour, merging, opening, rebasing},
    place::create,
    practice::{CONFIG, NETWORK, Practice},
    proxy::{Call, Fault, Proxy, Rules},
};

/// Time enough for a machine that has other things to do.
const PATIENT: &str = "20s";

macro_rules! on_practice {
    ($($part:ident :: $name:ident),* $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                let practice = Practice::begin().await;
                let place = practice.place(CONFIG, &practice.sandbox.gitlab_url, PATIENT);
                crate::behaviours::$part::$name(&place).await;
            }
        )*
    };
}

each_behaviour!(on_practice);

/// Three ways to merge, and after each the commit that is told is the one on the target.
#[tokio::test]
async fn every_merge_method_tells_the_commit_on_the_target() {
    for (method, project) in [("rebase_merge", CONFIG), ("ff", NETWORK)] {
        let practice = Practice::begin().await;
        practice.switch(if project == CONFIG { "config.merge_method" } else { "network.merge_method" }, method).await;
        let place = practice.place(project, &practice.sandbox.gitlab_url, PATIENT);
        merging::a_merge_leaves_its_commit_on_the_target(&place).await;
        merging::a_squashed_merge_tells_what_is_on_the_target(&place).await;
        rebasing::a_rebase_brings_the_head_onto_the_target(&place).await;
    }
}

/// Where a project merges by fast-forward only, a target that moved asks for a rebase and takes no merge before it.
#[tokio::test]
async fn a_fast_forward_project_asks_for_a_rebase_when_the_target_moved() {
    let practice = Practice::begin().await;
    let place = practice.place(NETWORK, &practice.sandbox.gitlab_url, PATIENT);
    let opened = place.open("ff").await;
    let head = place.make_mergeable(opened.iid).await;
    place.commit_onto(&opened.target, vec![create("contract/elsewhere.txt", "elsewhere\n")]).await;
    place.until(opened.iid, "in need of a rebase", |mr| mr.readiness == Readiness::NeedsRebase).await;
    let error = place.forge.merge(&place.scope, &place.project, opened.iid, &head).await.unwrap_err();
    assert!(error.is(405), "{error}");
}

/// 304 instead of 401 for an approval that is there, as by the newest versions.
#[tokio::test]
async fn an_approval_that_is_there_may_also_be_answered_304() {
    let practice = Practice::begin().await;
    practice.switch("gitlab.repeat_401", false).await;
    let place = practice.place(CONFIG, &practice.sandbox.gitlab_url, PATIENT);
    crate::behaviours::approving::a_repeated_approval_adds_nothing(&place).await;
}

/// Makes every list come in pages of two.
struct ShortPages;

impl Rules for ShortPages {
    fn fault(&self, _: &Call) -> Option<Fault> {
        None
    }
    fn target(&self, target: &str) -> String {
        target.replace("per_page=100", "per_page=2")
    }
}

#[tokio::test]
async fn lists_are_read_over_all_their_pages() {
    let practice = Practice::begin().await;
    let proxy = Proxy::before(&practice.sandbox.gitlab_url, Arc::new(ShortPages), Duration::ZERO).await;
    let place = practice.place(CONFIG, &proxy.url, PATIENT);
    opening::all_merge_requests_of_a_branch_are_found_newest_first(&place).await;
    let (branch, start) = place.target("long").await;
    for n in 0..5 {
        place.commit_onto(&branch, vec![create(&format!("contract/{n}.txt"), "one more\n")]).await;
    }
    let between = place.forge.commits_between(&place.scope, &place.project, &start, &branch).await.unwrap();
    assert_eq!(between.len(), 5);
    assert_eq!(between[0].parents, [start]);
}

/// What the suite makes at a real GitLab it removes there, and nothing else.
#[tokio::test]
async fn the_suite_cleans_up_after_itself() {
    let practice = Practice::begin().await;
    let place = practice.place(CONFIG, &practice.sandbox.gitlab_url, PATIENT);
    let before = place.raw.list("/repository/branches").await;
    crate::behaviours::writing::special_characters_in_branch_and_path(&place).await;
    opening::a_second_open_merge_request_is_told(&place).await;
    assert!(place.raw.list("/repository/branches").await.len() > before.len());
    place.clean_up().await;
    assert_eq!(place.raw.list("/repository/branches").await, before);
    assert_eq!(place.raw.list("/merge_requests?state=opened").await, Vec::<serde_json::Value>::new());
}
