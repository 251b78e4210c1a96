//! The ticket: sent once, decided by people, heard of in every way.

use std::time::Duration;

use signalbox_engine::ports::{error::ErrorClass, forge::MrState};

use crate::support::{Fault, PROJECT, World, down};

pub fn a_denial_ends_it_and_says_why() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.decide(&id, "rejected");
    world.settle();
    assert_eq!((world.step(&id), world.status(&id).as_str()), (10404, "REJECTED"));
    assert!(world.history(&id).last().unwrap()["reason"].as_str().unwrap().contains("as agreed"));
    assert_eq!(world.sent("commit_files"), 0);
    world.invariants();
}

pub fn a_withdrawal_is_not_a_denial() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.decide(&id, "withdrawn");
    world.settle();
    assert_eq!((world.step(&id), world.status(&id).as_str()), (10405, "REJECTED"));
    world.invariants();
    let (mut world, id) = undecided_and_unnoted();
    world.desk.decide(&id, "withdrawn", "mira", None);
    world.wire.clear_faults();
    world.run_until(&id, 10405);
}

pub fn a_look_before_our_own_note_finds_the_decision() {
    let cases = [("approved", 10109), ("rejected", 10404), ("withdrawn", 10405)];
    for (order, (word, step)) in ["approval-first", "mr-first"].into_iter().flat_map(|o| cases.map(|case| (o, case))) {
        let (mut world, id) = undecided_and_unnoted_in(order);
        world.desk.decide(&id, word, "mira", None);
        world.wire.clear_faults();
        world.press_now(&id, "reconcile");
        world.run_until(&id, step);
        assert!(!world.path(&id).contains(&10402), "it was decided before we had noted that we asked");
        world.settle();
        world.invariants();
    }
}

pub fn a_denial_with_an_open_mr_closes_it_afterwards() {
    let mut world = World::with("flow.order = \"mr-first\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    // GitLab is down just then: the record is tried again until it is done.
    world.decide(&id, "rejected");
    world.wire.fault("close", 0, 2, down());
    world.settle();
    assert_eq!(world.step(&id), 10404);
    assert_eq!(world.forge.mr(PROJECT, 1).state, MrState::Closed);
    assert_eq!(world.items("/api/v1/compensations")[0]["status"], "SUCCESS");
    world.invariants();
}

pub fn a_bug_in_what_follows_a_denial_is_that_record_s_alone() {
    let mut world = World::with("flow.order = \"mr-first\"");
    let [first, second] = [world.submit(), world.submit_memo("second")];
    for id in [&first, &second] {
        world.run_until(id, 10402);
        world.desk.decide(id, "rejected", "mira", None);
    }
    world.wire.fault("close", 0, 1, Fault::Panic);
    for id in [&first, &second] {
        world.press_now(id, "reconcile");
        world.run_until(id, 10404);
    }
    world.settle();
    let records = world.items("/api/v1/compensations");
    let mut statuses: Vec<_> = records.iter().map(|record| record["status"].as_str().unwrap()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, ["FINAL_FAIL", "SUCCESS"], "{records:?}");
    let failed = records.iter().find(|record| record["status"] == "FINAL_FAIL").unwrap();
    assert_eq!(failed["error_message"], "a bug ended this try", "{failed}");
}

/// A request at 10401 whose ticket was made without our knowing.
fn undecided_and_unnoted() -> (World, String) {
    undecided_and_unnoted_in("approval-first")
}

fn undecided_and_unnoted_in(order: &str) -> (World, String) {
    let mut world = World::with(&format!("approval.max_retries = 60\nflow.order = \"{order}\""));
    world.wire.fault("create", 0, 1, Fault::LoseAnswer);
    world.wire.fault("by_request", 1, usize::MAX, down());
    let id = world.submit();
    world.until("the ticket is there", |world| world.applied("create") == 1);
    assert_eq!(world.step(&id), 10401);
    (world, id)
}

pub fn a_ticket_that_cannot_be_sent_is_sent_again_by_a_person() {
    for (action, order) in [("resume", "approval-first"), ("retry-approval", "mr-first")] {
        let mut world = World::with(&format!("flow.order = \"{order}\""));
        world.wire.fault("create", 0, 4, Fault::LoseCall);
        let id = world.submit();
        world.run_until(&id, 10403);
        assert_eq!(world.sent("create"), 4, "the first try and three retries");
        world.press_now(&id, action);
        world.finish(&id);
        assert_eq!(world.applied("create"), 1);
        world.once(&id);
    }
    // Where the credential is refused, nothing is tried again.
    let mut world = World::new();
    let class = ErrorClass::Auth;
    let fault = Fault::Refuse { class, status: Some(401), message: "the token has expired".into(), retry_after: None };
    world.wire.fault("create", 0, 1, fault);
    let id = world.submit();
    world.run_until(&id, 10403);
    assert_eq!(world.sent("create"), 1);
}

pub fn an_approval_without_a_callback_is_found_by_the_poll() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.desk.decide(&id, "approved", "mira", None);
    world.advance(Duration::from_secs(61));
    assert!(world.step(&id) != 10402);
    // With the poll off, a person may ask.
    let mut world = World::with("approval.poll = \"0s\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.desk.decide(&id, "approved", "mira", None);
    world.advance(Duration::from_secs(7200));
    assert_eq!(world.step(&id), 10402);
    world.press_now(&id, "retry-approval");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn an_approval_that_comes_before_our_own_note_is_taken() {
    for order in ["approval-first", "mr-first"] {
        let mut world = World::with(&format!("flow.order = \"{order}\"\napproval.poll = \"0s\""));
        world.wire.fault("create", 0, 1, Fault::LoseAnswer);
        world.wire.fault("by_request", 1, 1, down());
        let id = world.submit();
        world.until("the ticket is there", |world| world.applied("create") == 1);
        assert_eq!(world.step(&id), 10401);
        world.approve(&id);
        assert_eq!(world.verdicts(&id), ["parked"]);
        world.run_until(&id, 10109);
        assert_eq!(world.verdicts(&id), ["applied"]);
        world.once(&id);
    }
    let (mut world, id) = undecided_and_unnoted();
    world.decide(&id, "rejected");
    world.wire.clear_faults();
    world.run_until(&id, 10404);
}

pub fn a_decision_that_comes_while_the_ticket_is_read_is_not_lost() {
    let mut world = World::with("approval.poll = \"0s\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.wire.fault("ticket", 0, 1, Fault::HoldAnswer);
    world.press_now(&id, "retry-approval");
    world.until("the ticket is being read", |world| !world.wire.blocked().is_empty());
    world.approve(&id);
    world.wire.release();
    world.settle();
    assert_eq!(world.step(&id), 10109, "{}", world.story());
    assert_eq!(world.verdicts(&id), ["applied"]);
    world.once(&id);
}

pub fn a_decision_nobody_waits_for_any_more_is_told_so() {
    let mut world = World::with("approval.poll = \"0s\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.wire.fault("ticket", 0, 1, Fault::HoldAnswer);
    world.press_now(&id, "retry-approval");
    world.until("the ticket is being read", |world| !world.wire.blocked().is_empty());
    let callback = world.approval_callback(&id, "approved");
    world.deliver(&callback);
    world.press_now(&id, "close");
    world.wire.release();
    world.run_until(&id, 10202);
    assert_eq!(world.verdicts(&id), ["ignored_stale"]);
    world.invariants();
}

pub fn a_decision_word_nobody_knows_approves_nothing() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.decide(&id, "escalated");
    world.advance(Duration::from_secs(600));
    assert_eq!(world.step(&id), 10402);
    assert!(world.operation(&id)["sentence"].as_str().unwrap().contains("escalated"), "{}", world.operation(&id));
    world.approve(&id);
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn an_overloaded_engine_keeps_the_request_and_takes_it_up_later() {
    for order in ["approval-first", "mr-first"] {
        let mut world = World::with(&format!("flow.order = \"{order}\"\nengine.max_active = 1"));
        world.wire.fault("by_request", 0, usize::MAX, down());
        world.wire.fault("merge_requests_of", 0, usize::MAX, down());
        let first = world.submit_memo("first");
        let second = world.submit_memo("second");
        assert_eq!(world.step(&second), 10006);
        let version = world.version(&second);
        assert_eq!(world.press(&second, "resume", "ada", version).status, 422, "there is no place yet");
        world.wire.clear_faults();
        world.run_until(&first, 10402);
        world.press_now(&second, "resume");
        world.finish(&second);
        world.once(&second);
    }
}
