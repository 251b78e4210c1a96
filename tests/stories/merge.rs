//! The merge, the rebase, and what GitLab says of them.

use std::time::Duration;

use crate::support::{PROJECT, Plan, World};

pub fn a_refused_merge_fails_and_resumes() {
    let (mut world, id) = World::standing_at(10104);
    world.rules(|rules| rules.bot_may_merge = true);
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn a_merge_that_is_confirmed_and_not_done_is_asked_for_again() {
    for (ignored, step) in [(3, 10109), (9, 10104)] {
        let mut world = World::new();
        world.rules(|rules| rules.merges_ignored = ignored);
        let id = world.submit();
        world.run_until(&id, 10402);
        world.approve(&id);
        world.run_until(&id, step);
        assert!(world.sent("merge") <= 5);
        world.invariants();
    }
}

pub fn a_locked_merge_is_waited_for() {
    let mut world = World::new();
    world.rules(|rules| rules.locked_for = Duration::from_secs(25));
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10109);
    assert_eq!(world.sent("merge"), 1);
    world.once(&id);
}

pub fn mergeability_that_never_comes_becomes_unknown() {
    let (mut world, id) = World::standing_at(10504);
    assert_eq!(world.operation(&id)["outlook"], "unknown");
    world.rules(|rules| rules.approvals_required = 2);
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn an_unknown_merge_is_found_by_reconcile() {
    // It is blocked for good: that is a failure that can be named.
    let (mut world, id) = World::standing_at(10504);
    world.forge.block(PROJECT, 1, Some("draft_status"));
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10104);
    assert!(world.error(&id).contains("draft_status"), "{}", world.error(&id));
    // It was our own merge that took so long.
    let mut world = World::with("gitlab.wait.merge.max_looks = 3");
    world.rules(|rules| rules.locked_for = Duration::from_secs(600));
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10504);
    world.clock.advance(Duration::from_secs(600));
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10109);
    assert_eq!(world.words(&id).last().unwrap(), "merged");
    world.once(&id);
}

pub fn too_many_rebases_end_in_a_failure() {
    let (mut world, id) = World::standing_at(10108);
    world.rules(|rules| rules.usual = vec![Plan::green()]);
    world.forge.run_again(PROJECT, 1, Plan::green());
    for round in 1..=3 {
        world.target_moves();
        let name = id.clone();
        world.until("the next round", move |world| {
            world.step(&name) == 10104 || (world.step(&name) == 10108 && world.applied("rebase") > round)
        });
    }
    assert_eq!(world.step(&id), 10104, "{}", world.story());
    assert_eq!(world.applied("rebase"), 3);
    world.invariants();
}

pub fn a_rebase_that_conflicts_is_told() {
    // Seen before a rebase was tried.
    let (mut world, id) = World::standing_at(10105);
    assert_eq!(world.sent("rebase"), 0);
    world.forge.with(PROJECT, |project, now| {
        let first = project.repo.merge_base(&project.mrs[0].head, project.repo.head("main").unwrap()).unwrap();
        project.repo.branches.insert("main".into(), first);
        project.branch_moved("main", now);
    });
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    // Seen by the rebase itself.
    let (mut world, id) = World::standing_at(10107);
    world.target_conflicts();
    world.forge.with(PROJECT, |project, now| project.mrs[0].rebase_done_at = Some(now + 5000));
    world.run_until(&id, 10105);
    world.invariants();
}

pub fn an_unknown_rebase_may_still_end_either_way() {
    let (mut world, id) = World::standing_at(10503);
    world.press_now(&id, "resume");
    world.run_until(&id, 10503);
    world.clock.advance(Duration::from_secs(3600));
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10109);
    world.once(&id);
    let (mut world, id) = World::standing_at(10503);
    world.target_conflicts();
    world.clock.advance(Duration::from_secs(3600));
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10105);
    world.invariants();
}

/// Every merge into the target makes GitLab test anew, for as long as it takes: whoever looks only every so often would meet
/// the next test each time.
pub fn a_test_for_conflicts_is_waited_for_and_not_slept_through() {
    let (mut world, id) = World::standing_at(10102);
    world.rules(|rules| {
        rules.approvals_required = 2;
        rules.checking = Duration::from_millis(400);
    });
    let due = u64::try_from(world.next_look(&id).unwrap()).unwrap();
    world.advance(Duration::from_millis(due.saturating_sub(100)));
    assert_eq!(world.step(&id), 10102);
    let (began, look) = (world.clock.millis(), world.operation(&id)["waiting"]["look"].clone());
    world.target_moves();
    world.advance(Duration::from_millis(250));
    assert_eq!(world.operation(&id)["waiting"]["look"], look, "a quick look spends none of the ladder\n{}", world.story());
    world.run_until(&id, 10109);
    let took = world.clock.millis() - began;
    assert!(took <= 600, "within two quick looks: {took} ms\n{}", world.story());
    world.once(&id);
}
