//! Closing: whatever is open, and never what is merged.

use signalbox_engine::ports::forge::MrState;

use crate::support::{Fault, PROJECT, World, down};

const CLOSABLE: [i64; 24] = [
    10001, 10002, 10003, 10004, 10005, 10006, 10007, 10101, 10102, 10103, 10104, 10105, 10106, 10107, 10108, 10110,
    10111, 10401, 10402, 10403, 10501, 10502, 10503, 10504,
];

pub fn every_step_that_may_be_closed_closes() {
    for step in CLOSABLE {
        let (mut world, id) = World::standing_at(step);
        world.wire.clear_faults();
        world.press_now(&id, "close");
        world.wire.release();
        world.run_until(&id, 10202);
        assert_eq!(world.status(&id), "CLOSED");
        let open = world.forge.with(PROJECT, |project, _| project.mrs.iter().any(|mr| mr.state == MrState::Opened));
        assert!(!open, "from {step}");
        let pending = world.desk.of(&id).is_some_and(|ticket| ticket.state.word() == "pending");
        assert!(!pending, "from {step}");
        world.invariants();
        // The relation is free again.
        if step != 10006 {
            world.submit();
        }
    }
}

pub fn a_close_that_fails_is_tried_again() {
    for action in ["resume", "close"] {
        let (mut world, id) = World::standing_at(10203);
        world.press_now(&id, action);
        world.run_until(&id, 10202);
        world.invariants();
    }
}

pub fn a_close_gives_way_to_a_merge() {
    let (mut world, id) = World::standing_at(10005);
    world.forge.merge_by_hand(PROJECT, 1, "hal");
    world.press_now(&id, "close");
    world.run_until(&id, 10109);
    assert_eq!(world.sent("close"), 0);
    world.invariants();
}

pub fn a_close_pressed_while_a_merge_is_out_gives_way_if_it_was_the_merge() {
    let mut world = World::new();
    world.wire.fault("merge", 0, 1, Fault::Hold);
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.until("the merge is out", |world| !world.wire.blocked().is_empty());
    world.press_now(&id, "close");
    world.wire.release();
    world.settle();
    assert_eq!(world.step(&id), 10109, "{}", world.story());
    world.once(&id);
}

/// The create stage learned the project's number and opened the merge request; the press came first, so that none of it is on record.
pub fn a_merge_request_that_opens_while_close_is_pressed_is_closed_too() {
    for is_known in [true, false] {
        let mut world = World::new();
        if !is_known {
            world.wire.fault("project", 0, 1, down());
        }
        let id = world.submit();
        world.run_until(&id, 10402);
        world.approve(&id);
        world.wire.fault("open_merge_request", 0, 1, Fault::HoldAnswer);
        world.until("the merge request is open", |world| !world.wire.blocked().is_empty());
        world.press_now(&id, "close");
        world.wire.release();
        world.run_until(&id, 10202);
        assert_eq!(world.forge.mr(PROJECT, 1).state, MrState::Closed, "{}", world.story());
        world.invariants();
    }
}

/// Case C073, while it is closed: one 404 ends nothing.
pub fn a_merge_request_that_is_not_shown_for_a_while_is_closed_when_it_is() {
    let (mut world, id) = World::standing_at(10005);
    let gone = world.forge.with(PROJECT, |project, _| project.mrs.pop().unwrap());
    world.press_now(&id, "close");
    let looks = world.sent("merge_request");
    world.until("it has looked", |world| world.sent("merge_request") > looks);
    assert_eq!(world.step(&id), 10201, "{}", world.story());
    world.forge.with(PROJECT, |project, _| project.mrs.push(gone));
    world.run_until(&id, 10202);
    assert_eq!(world.forge.mr(PROJECT, 1).state, MrState::Closed);
    world.invariants();
}

pub fn a_merge_request_that_was_deleted_keeps_nobody_from_closing() {
    let (mut world, id) = World::standing_at(10005);
    world.forge.with(PROJECT, |project, _| project.mrs.clear());
    world.press_now(&id, "close");
    world.run_until(&id, 10202);
    let last = world.history(&id).pop().unwrap();
    assert!(last["reason"].as_str().unwrap().contains("it was deleted"), "{last}");
}
