//! The table model-checked: every interleaving of run loop, callbacks, sweep, operators, people and kills on one request.
//!
//! The moves are those of the engine's own table, and the first look after a move is the engine's own. What stages decide, what
//! a commit is guarded by and what the remotes promise is told in `model/` in a few hundred lines, beside which the engine can be read.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

#[path = "model/others.rs"]
mod others;
#[path = "model/remote.rs"]
mod remote;
#[path = "model/rules.rs"]
mod rules;
#[path = "model/search.rs"]
mod search;
#[path = "model/stage.rs"]
mod stage;
#[path = "model/state.rs"]
mod state;
#[path = "model/worker.rs"]
mod worker;

use std::{collections::BTreeSet, thread, time::Instant};

use rules::{Cast, Guard, Model};
use search::{Seen, search};
use signalbox_engine::{
    flow::{Event, Step, table},
    settings::FlowOrder,
};

/// Both orders with both casts.
const ALL: [(FlowOrder, Cast); 4] = [
    (FlowOrder::MrFirst, Cast::People),
    (FlowOrder::MrFirst, Cast::Workers),
    (FlowOrder::ApprovalFirst, Cast::Workers),
    (FlowOrder::ApprovalFirst, Cast::People),
];

fn holds(order: FlowOrder, cast: Cast) -> Seen {
    let began = Instant::now();
    match search(&Model::new(order, cast, None)) {
        Ok(seen) => {
            println!("{order:?}, {cast:?}: {} states, {} steps, {:?}", seen.states, seen.steps, began.elapsed());
            seen
        }
        Err(found) => panic!("{order:?}, {cast:?}: {}\n{}", found.rule, found.way.join("\n")),
    }
}

/// Rows of the table that the model has no cause for.
fn is_left_out(from: Option<Step>, event: Event) -> bool {
    // A submission is where it begins, and bugs of our own are the safety net's, which `stories` walks.
    from.is_none() || event == Event::StepFailed
}

#[test]
fn every_rule_holds_in_every_state_and_every_move_is_walked() {
    let seen: Vec<Seen> = thread::scope(|scope| {
        let runs = ALL.map(|(order, cast)| scope.spawn(move || holds(order, cast)));
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    println!("{} states in all", seen.iter().map(|seen| seen.states).sum::<usize>());
    let walked: BTreeSet<_> = seen.iter().flat_map(|seen| seen.moves.iter().copied()).collect();
    let missing: Vec<_> = table::moves()
        .filter(|row| !is_left_out(row.from, row.event))
        .map(|row| (row.from.map_or(0, Step::code), row.event.word()))
        .filter(|row| !walked.contains(row))
        .collect();
    assert!(missing.is_empty(), "the model never walks {missing:?}");
}

/// What breaks where one guard is taken away. The way to it is told when `--nocapture` is given.
#[track_caller]
fn without(guard: Guard, cast: Cast, rule: &str) {
    let Err(found) = search(&Model::new(FlowOrder::ApprovalFirst, cast, Some(guard))) else {
        panic!("nothing breaks without {guard:?}: the model does not see what it is for");
    };
    println!("without {guard:?}: {}\n{}", found.rule, found.way.join("\n"));
    assert_eq!(found.rule, rule, "without {guard:?}");
}

#[test]
fn without_the_fence_of_intents_an_overtaken_worker_writes_after_the_end() {
    without(Guard::IntentFence, Cast::Workers, "a write was begun after the end");
}

#[test]
fn without_the_version_of_moves_an_end_is_left() {
    without(Guard::MoveVersion, Cast::Workers, "an end was left");
}

#[test]
fn without_the_version_of_presses_an_end_is_left() {
    without(Guard::PressVersion, Cast::People, "an end was left");
}

#[test]
fn without_a_read_before_it_a_write_is_repeated() {
    without(Guard::ReadFirst, Cast::Workers, "a write of what is there already");
}

#[test]
fn without_a_last_look_at_the_approvals_one_that_was_taken_back_is_overlooked() {
    without(Guard::ApprovalsRead, Cast::People, "a merge was wanted without both approvals");
}

#[test]
fn without_a_pinned_head_a_stranger_s_commit_is_approved() {
    without(Guard::PinnedHead, Cast::Workers, "an approval of what was not checked");
}

#[test]
fn without_keys_of_its_own_a_call_that_comes_late_makes_a_second_ticket() {
    without(Guard::OwnKeys, Cast::Workers, "a second ticket");
}

#[test]
fn without_gitlab_s_refusal_an_overtaken_worker_approves_twice() {
    without(Guard::RepeatsRefused, Cast::Workers, "an approval given twice");
}

#[test]
fn without_asking_the_desk_a_callback_agrees_to_what_nobody_agreed_to() {
    without(Guard::CallbackIsHint, Cast::People, "a write that nobody had agreed to");
}

#[test]
fn without_a_wake_up_a_parked_event_waits_for_ever() {
    without(Guard::ParkedWakes, Cast::People, "an event waits, and nobody will look at it");
}

#[test]
fn without_a_second_judgement_an_event_is_parked_on_an_ended_request() {
    without(Guard::JudgedWhenStored, Cast::People, "an event waits for a request that has ended");
}

#[test]
fn without_an_end_of_leases_a_kill_leaves_the_request_to_nobody() {
    without(Guard::LeaseEnds, Cast::Workers, "no end can be reached");
}

#[test]
fn without_a_look_after_the_end_a_late_merge_request_stays_open() {
    without(Guard::LateSweep, Cast::Workers, "left alone, it comes to no rest");
}
