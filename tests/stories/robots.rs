//! The reviewers' robots: each on its own, pinned to the head.

use crate::support::{Fault, PROJECT, World};

pub fn a_refused_approval_is_named_and_tried_again_on_demand() {
    for action in ["resume", "retry-approval"] {
        let (mut world, id) = World::standing_at(10103);
        assert!(world.error(&id).contains("rev-a"), "{}", world.error(&id));
        let tries = world.ledger().iter().filter(|entry| entry.name == "approve" && entry.account == "rev-a").count();
        assert_eq!(tries, 4, "the first try and three retries");
        world.rules(|rules| rules.may_not_approve.clear());
        world.press_now(&id, action);
        world.run_until(&id, 10109);
        world.once(&id);
    }
}

pub fn an_approval_that_is_taken_away_is_given_again_once() {
    let (mut world, id) = World::standing_at(10102);
    world.rules(|rules| rules.approvals_required = 2);
    world.forge.unapprove(PROJECT, 1, "rev-b");
    world.run_until(&id, 10109);
    assert!(world.words(&id).contains(&"approval_lost".to_owned()));
    world.once(&id);
    let (mut world, id) = World::standing_at(10102);
    world.forge.unapprove(PROJECT, 1, "rev-b");
    world.until("it is given again", |world| world.applied("approve") == 3);
    world.until("it is back at the merge", |world| world.ids().iter().all(|id| world.step(id) == 10102));
    world.forge.unapprove(PROJECT, 1, "rev-b");
    world.run_until(&id, 10103);
    assert!(world.error(&id).contains("rev-b"), "{}", world.error(&id));
    world.invariants();
}

pub fn an_approval_whose_answer_was_lost_is_found_by_the_last_read() {
    let mut world = World::with("gitlab.approve.max_retries = 0");
    world.wire.fault("approve", 0, 1, Fault::LoseAnswer);
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10109);
    assert_eq!(world.sent("approve"), 2);
    world.once(&id);
}
