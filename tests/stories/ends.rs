//! From the first word to the last, in both orders.

use std::time::Duration;

use serde_json::json;

use crate::support::{Fault, Method, PROJECT, Plan, Source, World};

pub fn an_approval_first_request_goes_all_the_way() {
    let mut world = World::new();
    let id = world.submit();
    world.finish(&id);
    assert_eq!(world.path(&id), [10401, 10402, 10001, 10005, 10002, 10101, 10102, 10109, 10301]);
    assert_eq!(world.status(&id), "VALIDATED");
    assert!(world.forge.text(PROJECT, "main", "limits/orders.yaml").unwrap().contains("    timeout: 60\n"));
    world.once(&id);
}

pub fn an_mr_first_request_goes_all_the_way() {
    let mut world = World::with("flow.order = \"mr-first\"");
    let id = world.submit();
    world.finish(&id);
    assert_eq!(world.path(&id), [10001, 10005, 10002, 10401, 10402, 10101, 10102, 10109, 10301]);
    assert_eq!(world.desk.of(&id).unwrap().ext["mrId"], "1");
    world.once(&id);
}

pub fn both_orders_are_in_flight_at_once() {
    let mut world = World::new();
    let first = world.submit_memo("first");
    world.call("PATCH", "/api/v1/settings", Some(serde_json::json!({"flow": {"order": "mr-first"}})));
    let second = world.submit_memo("second");
    world.run_until(&first, 10402);
    world.run_until(&second, 10402);
    for id in [&first, &second] {
        world.approve(id);
        world.run_until(id, 10109);
        world.once(id);
    }
    assert_eq!(world.path(&first)[..3], [10401, 10402, 10001]);
    assert_eq!(world.path(&second)[..3], [10001, 10005, 10002]);
}

pub fn a_request_that_meets_a_moving_target_is_rebased_and_merged() {
    let mut world = World::new();
    world.rules(|rules| rules.method = Method::FastForward);
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10005);
    world.target_moves();
    world.run_until_merged(&id);
    let walked = [10401, 10402, 10001, 10005, 10002, 10101, 10102, 10107, 10108, 10101, 10102, 10109];
    assert_eq!(world.path(&id), walked);
    assert_eq!(world.applied("rebase"), 1);
    assert_eq!(world.applied("approve"), 4, "the rebase took both approvals away, and both were given again");
    world.once(&id);
}

pub fn merged_results_and_push_pipelines_count_for_the_head_they_merge() {
    for plans in [
        vec![Plan::green().of(Source::MergedResults)],
        vec![Plan::green().of(Source::Push)],
        // A push pipeline that fails says nothing while a pipeline of the merge request is there.
        vec![Plan::green(), Plan::ending("failed", 3).of(Source::Push)],
        vec![Plan::ending("skipped", 3).of(Source::Push), Plan { appears: Duration::from_secs(5), ..Plan::green() }],
    ] {
        let mut world = World::new();
        world.rules(|rules| rules.usual = plans);
        let id = world.submit();
        world.finish(&id);
        world.once(&id);
    }
}

pub fn a_kind_without_checks_passes_when_the_ladder_ends() {
    let mut world = World::new();
    world.rules(|rules| rules.usual.clear());
    let id = world.submit_as("limit-unchecked", crate::support::fields());
    world.finish(&id);
    world.once(&id);
}

/// A sweep that asks a GitLab that never answers holds no stop up.
pub fn a_stop_waits_for_no_sweep_that_gets_no_answer() {
    let (mut world, _) = World::standing_at(10109);
    let later = world.submit_memo("later");
    world.run_until(&later, 10402);
    world.approve(&later);
    world.run_until(&later, 10109);
    let live = world.forge.mr(PROJECT, 2).merged_sha.unwrap();
    let data = json!({"project": PROJECT, "mr_iid": 2, "status": "effective", "sha": live});
    let callback = world.callback("deploy", "deploy.finished", data);
    world.deliver(&callback);
    world.run_until(&later, 10301);
    world.wire.fault("contains", 0, 1, Fault::Hold);
    world.until("the sweep is out", |world| !world.wire.blocked().is_empty());
    world.stop();
}
