//! K08: people act in the middle.

use std::time::Duration;

use serde_json::json;
use signalbox_engine::ports::forge::MrState;

use crate::{
    given::{HAPPY, OPENED, Writes},
    support::{ORDERS, PROJECT, Plan, World},
};

#[test]
fn c060_mr_closed_by_hand_while_waiting() {
    // The outcome of this product: it stops at HANDLE_MR_CLOSED until a person decides.
    for by_event in [true, false] {
        let (mut world, id) = World::c1();
        world.forge.close_by_hand(PROJECT, 1, "sam");
        if by_event {
            let body = json!({"object_kind": "merge_request", "project": {"id": 7}, "object_attributes": {"iid": 1, "action": "close"}});
            assert_eq!(world.gitlab_hook("close", &body).status, 200);
        }
        world.run_until(&id, 10111);
        world.tells(&id, &["sam closed !1"]);
        assert_eq!((world.writes(), world.outlook(&id).as_str()), (OPENED, "failed"));
        world.rules_hold();
        world.pipeline_says("success");
        world.hook(1);
        world.advance(Duration::from_secs(600));
        assert_eq!((world.step(&id), world.writes()), (10111, OPENED), "it is not opened again by itself");
        world.forge.reopen(PROJECT, 1);
        world.press_now(&id, "resume");
        world.until_effective(&id);
        assert_eq!(world.writes(), HAPPY);
        assert_eq!(world.iid(&id), 1);
    }
}

#[test]
fn c061_mr_merged_by_a_person_with_the_same_head() {
    let (mut world, id) = World::c1();
    world.forge.merge_by_hand(PROJECT, 1, "sam");
    world.run_until(&id, 10109);
    let merged = world.target().sha;
    world.tells(
        &id,
        &[&format!("sam merged !1 into main as {}; the checks of its head were not waited for", &merged[..7])],
    );
    assert_eq!(world.writes(), OPENED, "we approved and merged nothing");
    let data = json!({"project": PROJECT, "mr_iid": 1, "status": "effective", "sha": merged});
    let callback = world.callback("deploy", "deploy.finished", data);
    world.deliver(&callback);
    world.until_effective(&id);
}

#[test]
fn c062_source_branch_deleted() {
    let (mut world, id) = World::c1();
    let branch = world.branch_of(&id);
    world.forge.delete_branch(PROJECT, &branch);
    // GitLab closes a merge request whose branch is gone; nobody is named.
    world.forge.with(PROJECT, |project, _| project.mr(1).unwrap().state = MrState::Closed);
    world.run_until(&id, 10111);
    world.tells(&id, &[&format!("The branch {branch} was deleted"), "Resume makes the branch again"]);
    world.advance(Duration::from_secs(600));
    assert_eq!(world.writes(), OPENED, "it is not made again by itself");
    world.rules_hold();
    world.press_now(&id, "resume");
    world.until_effective(&id);
    assert_eq!(world.writes(), Writes { commit: 2, mr: 2, ..HAPPY });
    assert_eq!(world.iid(&id), 2);
    assert!(world.forge.mr(PROJECT, 2).description.contains("It takes the place of !1, which was closed."));
    assert!(world.forge.text(PROJECT, "main", ORDERS).unwrap().contains("timeout: 60"));
}

#[test]
fn c063_draft_or_open_thread_blocks_the_merge() {
    for (word, told) in
        [("draft_status", "!1 is marked as a draft"), ("discussions_not_resolved", "!1 has open threads")]
    {
        let (mut world, id) = World::new().c1_of(&[Plan::green()]);
        world.forge.block(PROJECT, 1, Some(word));
        world.run_until(&id, 10104);
        world.tells(&id, &[told, "then resume"]);
        assert!(world.operation(&id)["mr"]["web_url"].as_str().unwrap().ends_with("/merge_requests/1"));
        assert_eq!(world.writes(), Writes { merge: 0, ..HAPPY });
        assert!(world.sent("merge") <= 2 && world.sent("rebase") == 0, "no rebase as a cure");
        world.rules_hold();
        world.forge.block(PROJECT, 1, None);
        world.press_now(&id, "resume");
        world.until_effective(&id);
        assert_eq!(world.writes(), HAPPY, "approvals that are still valid are not given again");
    }
}
