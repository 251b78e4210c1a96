//! K17: deploy results are lost, early, late, about another commit, or superseded.

use std::time::Duration;

use serde_json::json;

use crate::{
    given::HAPPY,
    support::{PROJECT, World, forge::model::Method},
};

/// A later request of the same project that is merged.
fn later(world: &mut World) -> String {
    let id = world.submit_memo("later");
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10109);
    id
}

fn deployed(world: &mut World, iid: u64, status: &str, sha: &str) {
    let data = json!({"project": PROJECT, "mr_iid": iid, "status": status, "sha": sha});
    let callback = world.callback("deploy", "deploy.finished", data);
    assert_eq!(world.deliver(&callback).status, 200);
    world.turn();
}

#[test]
fn c128_deploy_callback_is_lost() {
    let (mut world, id) = World::f1();
    let other = later(&mut world);
    world.deploy(&other, "effective");
    world.run_until(&other, 10301);
    let before = world.ledger().iter().filter(|entry| entry.write).count();
    world.advance(Duration::from_secs(16 * 60));
    assert_eq!(world.step(&id), 10301, "min_age and one sweep later");
    let last = world.history(&id).pop().unwrap();
    assert_eq!(
        (&last["event"], &last["evidence"], &last["actor"]["kind"]),
        (&json!("reconciled"), &json!("watermark"), &json!("sweep"))
    );
    world.tells(&id, &["!2 of the same project is effective, so !1, merged before it, is too"]);
    let version = world.version(&id);
    world.advance(Duration::from_secs(7 * 3600));
    world.deploy(&id, "effective");
    world.settle();
    assert_eq!((world.version(&id), world.validated_total()), (version, 2), "the late callback changes nothing");
    assert_eq!(world.ledger().iter().filter(|entry| entry.write).count(), before);
    world.once(&id);
    world.rules_hold();
}

#[test]
fn c129_no_merge_commit_fast_forward_and_squash() {
    // Which field of GitLab names the commit on the target is tested on the wire: tests/adapters/cases.rs.
    for method in [Method::FastForward, Method::Squash, Method::Merge] {
        let world = World::new();
        world.rules(|rules| rules.method = method);
        let (mut world, id) = world.a2();
        world.run_until(&id, 10109);
        let (head, landed) = (world.head().0, world.target().sha);
        assert_eq!(head == landed, method == Method::FastForward);
        world.tells(&id, &[&landed[..7]]);
        assert!(world.sentence(&id).contains(&landed[..7]), "the commit on main is shown: {}", world.sentence(&id));
        if method == Method::Squash {
            deployed(&mut world, 1, "effective", &head);
            // Neither now nor when a sweep comes by.
            world.advance(Duration::from_secs(1800));
            assert_eq!(world.step(&id), 10109, "a deploy of the head that never landed is not ours");
            let event = world.events(&id).pop().unwrap();
            assert_eq!(event["verdict"], "ignored_stale", "{event}");
            assert_eq!(event["reason"], "The deployed commit does not contain the merge of this request.");
        }
        deployed(&mut world, 1, "effective", &landed);
        world.run_until(&id, 10301);
        assert_eq!(world.history(&id).pop().unwrap()["evidence"], "exact");
        assert_eq!(world.writes(), HAPPY);
        world.rules_hold();
    }
}

#[test]
fn c130_deploy_fails_a_person_retries_and_it_succeeds() {
    for by_hand in [true, false] {
        let (mut world, id) = World::f1();
        world.deploy(&id, "failed");
        world.run_until(&id, 10302);
        assert_eq!((world.status(&id).as_str(), world.outlook(&id).as_str()), ("MERGED", "failed"));
        world.tells(&id, &["The deploy of !1 failed: as it went"]);
        assert_eq!(world.buttons(&id), ["reconcile"], "Resume would have nothing to merge or commit again");
        world.rules_hold();
        // The success of this one is lost; a later one of the project is heard of.
        let other = later(&mut world);
        world.deploy(&other, "effective");
        world.run_until(&other, 10301);
        if by_hand {
            world.press_now(&id, "reconcile");
        }
        world.run_until(&id, 10301);
        world.deploy(&id, "failed");
        world.settle();
        assert_eq!((world.step(&id), world.status(&id).as_str()), (10301, "VALIDATED"));
        world.once(&id);
        world.rules_hold();
    }
}

#[test]
fn c131_our_deploy_was_superseded_by_the_next_one() {
    // The outcome of this product: effective by the deploy of the later request, which is named.
    let (mut world, id) = World::f1();
    let merged = world.target().sha;
    let other = later(&mut world);
    deployed(&mut world, 1, "canceled", &merged);
    assert_eq!(world.step(&id), 10109, "canceled is no result");
    let live = world.target().sha;
    deployed(&mut world, 2, "effective", &live);
    world.run_until(&other, 10301);
    world.advance(Duration::from_secs(16 * 60));
    assert_eq!(world.step(&id), 10301);
    world.tells(&id, &[&format!("The deploy of !2 put {} live, which contains the merge of !1", &live[..7])]);
    assert_eq!(world.history(&id).pop().unwrap()["evidence"], "exact");
    world.once(&id);
    world.rules_hold();
}

#[test]
fn c131_a_later_number_that_was_live_before_our_merge_is_no_evidence() {
    let (mut world, id) = World::c1();
    let other = later(&mut world);
    let live = world.target().sha;
    deployed(&mut world, 2, "effective", &live);
    world.run_until(&other, 10301);
    world.pipeline_of(&id, "success");
    world.run_until(&id, 10109);
    world.advance(Duration::from_secs(3600));
    assert_eq!(world.step(&id), 10109, "what was deployed does not contain it");
    let newest = world.target().sha;
    deployed(&mut world, 2, "effective", &newest);
    world.run_until(&id, 10301);
    world.rules_hold();
}
