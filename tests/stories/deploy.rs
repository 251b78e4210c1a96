//! Effective: by callback, by sweep, exactly once.

use std::time::Duration;

use serde_json::json;

use crate::support::{PROJECT, World, fault::Fault};

pub fn a_failed_deploy_is_told_and_a_later_one_heals_it() {
    let (mut world, id) = World::standing_at(10302);
    assert_eq!(world.status(&id), "MERGED");
    world.deploy(&id, "effective");
    world.run_until(&id, 10301);
    assert_eq!(world.validated_total(), 1);
    world.once(&id);
}

pub fn the_sweep_takes_what_a_later_merge_request_proves() {
    let (mut world, id) = World::standing_at(10109);
    let later = world.submit_memo("later");
    world.run_until(&later, 10402);
    world.approve(&later);
    world.run_until(&later, 10109);
    world.deploy(&later, "effective");
    world.run_until(&later, 10301);
    assert_eq!(world.step(&id), 10109, "younger than min_age");
    world.run_until(&id, 10301);
    let last = world.history(&id).pop().unwrap();
    assert_eq!((&last["evidence"], &last["event"]), (&json!("watermark"), &json!("reconciled")));
    world.once(&id);
}

pub fn a_deploy_that_failed_is_healed_by_a_look() {
    let (mut world, id) = World::standing_at(10302);
    let data = json!({"project": PROJECT, "mr_iid": 99, "status": "effective"});
    let callback = world.callback("deploy", "deploy.finished", data);
    world.deliver(&callback);
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10301);
    world.once(&id);
}

pub fn a_failed_and_a_good_deploy_at_once_end_well() {
    let (mut world, id) = World::standing_at(10102);
    world.deploy(&id, "failed");
    world.deploy(&id, "effective");
    world.rules(|rules| rules.approvals_required = 2);
    world.run_until_merged(&id);
    world.advance(Duration::from_secs(60));
    assert_eq!(world.step(&id), 10301, "{}", world.story());
    world.once(&id);
}

pub fn a_deploy_that_failed_twice_keeps_its_reason() {
    let (mut world, id) = World::standing_at(10302);
    let reason = world.error(&id);
    assert!(reason.contains("as it went"), "{reason}");
    world.deploy(&id, "failed");
    world.settle();
    assert_eq!(world.error(&id), reason);
    world.invariants();
}

pub fn callback_and_sweep_at_once_flip_it_once() {
    let (mut world, id) = World::standing_at(10109);
    world.advance(Duration::from_secs(700));
    let callback = world.deploy_callback(&id, "effective");
    let copies = world.deliver_copies(&callback, 20);
    assert!(copies.iter().all(|answer| answer.status == 200));
    world.reconcile();
    world.settle();
    assert_eq!(world.step(&id), 10301);
    assert_eq!(world.validated_total(), 1);
    let verdicts = world.verdicts(&id);
    assert_eq!(verdicts.iter().filter(|verdict| *verdict == "duplicate").count(), 19);
    world.once(&id);
}

pub fn a_deploy_result_before_the_merge_is_kept_until_it_is_merged() {
    let (mut world, id) = World::standing_at(10102);
    world.deploy(&id, "effective");
    assert_eq!(world.verdicts(&id), ["applied", "parked"]);
    world.rules(|rules| rules.approvals_required = 2);
    world.run_until(&id, 10301);
    assert_eq!(world.verdicts(&id), ["applied", "applied"]);
    world.once(&id);
}

pub fn a_bug_in_the_sweep_stops_no_other_request() {
    let (mut world, first) = World::standing_at(10109);
    let [second, later] = ["second", "later"].map(|name| {
        let id = world.submit_memo(name);
        world.run_until(&id, 10402);
        world.approve(&id);
        world.run_until(&id, 10109);
        id
    });
    let live = world.forge.mr(PROJECT, world.iid_of(&later)).merged_sha.unwrap();
    let data = json!({"project": PROJECT, "mr_iid": 3, "status": "effective", "sha": live});
    let callback = world.callback("deploy", "deploy.finished", data);
    world.deliver(&callback);
    world.run_until(&later, 10301);
    // The one that is swept first meets a bug; the other is found in the same sweep, and the first in the next.
    world.wire.fault("contains", 0, 1, Fault::Panic);
    world.run_until(&second, 10301);
    assert_eq!(world.step(&first), 10109, "{}", world.story());
    world.run_until(&first, 10301);
    world.once(&first);
    world.once(&second);
}

/// The sha of a deploy may be known to a replica of GitLab only later: the result counts then.
pub fn a_failed_deploy_of_a_commit_that_shows_late_is_not_lost() {
    let (mut world, id) = World::standing_at(10109);
    let merged = world.forge.mr(PROJECT, 1).merged_sha.unwrap();
    let later = world.submit_memo("later");
    world.run_until(&later, 10402);
    world.approve(&later);
    world.run_until(&later, 10109);
    let live = world.forge.mr(PROJECT, 2).merged_sha.unwrap();
    let hidden = world.forge.with(PROJECT, |project, _| project.repo.commits.remove(&live).unwrap());
    let data = json!({"project": PROJECT, "mr_iid": 1, "status": "failed", "sha": live, "reason": "as it went"});
    let callback = world.callback("deploy", "deploy.finished", data);
    assert_eq!(world.deliver(&callback).status, 200);
    world.settle();
    assert_eq!(world.step(&id), 10109, "{merged} is in it, and nobody can say so yet");
    world.forge.with(PROJECT, |project, _| project.repo.commits.insert(live, hidden));
    world.run_until(&id, 10302);
    world.invariants();
}

/// A rename changes the path of a project and keeps its number.
pub fn a_deploy_of_a_project_that_was_renamed_since_counts() {
    let (mut world, id) = World::standing_at(10109);
    world.write(&format!(
        "UPDATE operation SET project = 'config/before', facts = json_set(facts, '$.project', 'config/before') WHERE operation_id = '{id}'"
    ));
    let data = json!({"project": PROJECT, "mr_iid": 1, "operation_id": id, "status": "effective"});
    let callback = world.callback("deploy", "deploy.finished", data);
    let answer = world.deliver(&callback);
    assert_eq!(answer.status, 200, "{}", answer.body);
    world.run_until(&id, 10301);
    world.once(&id);
}
