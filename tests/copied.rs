//! The data directory is copied to a second machine while a request is in flight, and both go on: the remotes' truth wins, and each
//! effect is there once.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

mod support;

use std::collections::BTreeSet;

use signalbox_engine::ports::approval::TicketState;
use support::{PROJECT, World};

/// Lets both machines work, in turns, until both have it merged.
#[track_caller]
fn both_go_on(first: &mut World, second: &mut World, id: &str, about: &str) {
    let is_over = |step: i64| matches!(step, 10109 | 10301 | 10302);
    let end = first.clock.millis() + 24 * 3600 * 1000;
    while !(is_over(first.step(id)) && is_over(second.step(id))) {
        for world in [&mut *first, &mut *second] {
            let failed = world.operation(id)["outlook"] == "failed";
            assert!(!failed, "{about}: {}\n{}", world.error(id), world.story());
            world.turn();
        }
        let ticket = first.desk.of(id).filter(|ticket| ticket.state == TicketState::Pending);
        if ticket.is_some() && first.step(id) == 10402 {
            // Only one of them is called back; the other finds it by its poll.
            first.approve(id);
        } else {
            let goes_on = first.step_before(end);
            second.turn();
            assert!(goes_on || second.step_before(end), "{about}: it hangs\n{}\n{}", first.story(), second.story());
        }
    }
}

#[track_caller]
fn each_effect_is_there_once(world: &mut World, id: &str, about: &str) {
    for effect in ["create", "commit_files", "open_merge_request", "merge"] {
        assert_eq!(world.applied(effect), 1, "{about}: {effect}\n{}", world.story());
    }
    let mr = world.forge.mr(PROJECT, world.iid_of(id));
    let given: BTreeSet<_> = mr.approvals_given.iter().collect();
    assert_eq!((given.len(), mr.approvals_given.len()), (2, 2), "{about}: {given:?}");
}

#[track_caller]
fn a_copy_of_any_moment_does_nothing_twice(order: &str) {
    let settings = format!("flow.order = \"{order}\"");
    let mut clean = World::with(&settings);
    let before = clean.wire.calls();
    let id = clean.submit();
    clean.run_until(&id, 10402);
    clean.approve(&id);
    clean.run_until_merged(&id);
    let mut copies = 0;
    // The first calls render the change before the request is stored.
    for call in before + 4..clean.ledger().len() {
        let about = format!("{order}, copied in call {call} ({})", clean.ledger()[call].name);
        let mut first = World::with(&settings);
        let copy = first.copy_in_call(call);
        let id = first.submit();
        while copy.lock().unwrap().is_none() {
            first.turn();
            if copy.lock().unwrap().is_none() {
                let undecided = first.desk.of(&id).is_some_and(|ticket| ticket.state == TicketState::Pending);
                if undecided && first.step(&id) == 10402 {
                    first.approve(&id);
                } else {
                    assert!(first.step_before(i64::MAX), "{about}: it never came to that call\n{}", first.story());
                }
            }
        }
        let dir = copy.lock().unwrap().take().unwrap();
        let mut second = first.on_a_copy(dir);
        assert!(second.ids().contains(&id), "{about}: the copy holds the request");
        both_go_on(&mut first, &mut second, &id, &about);
        each_effect_is_there_once(&mut first, &id, &about);
        first.deploy(&id, "effective");
        first.run_until(&id, 10301);
        copies += 1;
    }
    assert!(copies > 15, "{copies} copies");
}

#[test]
fn two_machines_on_copies_of_an_approval_first_request() {
    a_copy_of_any_moment_does_nothing_twice("approval-first");
}

#[test]
fn two_machines_on_copies_of_an_mr_first_request() {
    a_copy_of_any_moment_does_nothing_twice("mr-first");
}
