//! Buttons: one wins, none is lost, and nothing stale is written.

use std::time::Duration;

use crate::support::{Fault, PROJECT, World};

pub fn two_people_with_the_same_version_cannot_both_win() {
    for (step, one, other) in [(10103, "resume", "close"), (10103, "retry-approval", "resume"), (10005, "close", "close")]
    {
        let (mut world, id) = World::standing_at(step);
        let answers = world.press_together(&id, &[(one, "ada"), (other, "bob")]);
        let mut codes: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        codes.sort_unstable();
        assert_eq!(codes[0], 202);
        assert!(codes[1] == 409, "{codes:?}");
        let stale = answers.iter().find(|answer| answer.status == 409).unwrap();
        assert!(stale.body["last_change"]["actor"]["name"].is_string(), "{}", stale.body);
        world.rules(|rules| rules.may_not_approve.clear());
        world.settle();
        world.invariants();
    }
}

pub fn a_press_while_a_call_is_out_fences_the_worker() {
    // A read is out when the button is pressed: whatever the worker decides afterwards, it may not write any more.
    for name in ["merge_request", "approvals"] {
        let (mut world, id) = World::standing_at(10103);
        world.rules(|rules| rules.may_not_approve.clear());
        world.wire.fault(name, 0, 1, Fault::Hold);
        world.press_now(&id, "resume");
        world.until("the read is out", |world| !world.wire.blocked().is_empty());
        let sent = world.sent("approve");
        world.press_now(&id, "close");
        world.wire.release();
        world.settle();
        assert_eq!(world.step(&id), 10202, "{}", world.story());
        let landed = world.ledger().iter().filter(|entry| entry.name == "approve" && entry.intent.is_some()).count();
        assert_eq!(landed, sent, "no approval left after the press");
        world.invariants();
    }
}

pub fn reconcile_without_a_finding_changes_no_step_and_loses_no_look() {
    for step in [10001, 10005, 10101, 10102, 10107, 10108, 10109, 10201, 10302, 10401, 10402, 10502] {
        let (mut world, id) = World::standing_at(step);
        let writes = world.ledger().iter().filter(|entry| entry.write).count();
        let due = world.next_look(&id);
        for _ in 0..3 {
            world.press_now(&id, "reconcile");
            world.turn();
        }
        assert_eq!(world.step(&id), step, "{}", world.story());
        let after = world.ledger().iter().filter(|entry| entry.write).count();
        assert_eq!(after, writes, "reconcile never writes (at {step})");
        let next = world.next_look(&id);
        assert_eq!(due.is_some(), next.is_some(), "{step}: the next look was {due:?} and is {next:?}");
        world.invariants();
    }
}

pub fn a_look_during_a_rebase_does_not_ask_for_another() {
    let (mut world, id) = World::standing_at(10107);
    world.press_now(&id, "reconcile");
    world.turn();
    // The rebase has not begun to show by now.
    world.forge.with(PROJECT, |project, _| project.mrs[0].rebase_done_at = None);
    world.advance(Duration::from_secs(5));
    assert_eq!(world.sent("rebase"), 1);
    world.invariants();
}

pub fn a_button_on_an_ended_request_does_nothing() {
    for step in [10202, 10301, 10404, 10405] {
        let (mut world, id) = World::standing_at(step);
        for action in ["resume", "retry-approval", "reconcile", "close"] {
            let version = world.version(&id);
            assert_eq!(world.press(&id, action, "ada", version).status, 422, "{action} at {step}");
        }
        world.advance(Duration::from_secs(3600));
        assert_eq!(world.step(&id), step);
        world.invariants();
    }
}

pub fn an_ended_request_hears_nothing_any_more() {
    for step in [10202, 10301, 10404, 10405] {
        let (mut world, id) = World::standing_at(step);
        let version = world.version(&id);
        for word in ["approved", "rejected", "withdrawn"] {
            let callback = world.approval_callback(&id, word);
            assert_eq!(world.deliver(&callback).body["verdict"], "ignored_stale");
        }
        if matches!(step, 10202 | 10301) {
            for status in ["failed", "effective"] {
                world.deploy(&id, status);
            }
            world.hook(1);
        }
        world.advance(Duration::from_secs(3600));
        assert_eq!((world.step(&id), world.version(&id)), (step, version));
        world.invariants();
    }
}

pub fn one_request_that_cannot_be_read_stops_no_other() {
    let mut world = World::with("engine.workers = 2");
    let broken = world.submit_memo("broken");
    world.run_until(&broken, 10402);
    world.write("UPDATE operation SET facts = '{\"mr\": 7}'");
    world.broken = 1;
    world.clock.advance(Duration::from_secs(61));
    let id = world.submit();
    let name = id;
    world.until("the other one goes on", move |world| world.step(&name) == 10402);
    world.write(&format!("UPDATE operation SET facts = '{{}}' WHERE operation_id = '{broken}'"));
}

pub fn nobody_looks_twice_because_a_lease_ran_out_in_sleep() {
    // The merge is out when the lid is closed. After waking the lease has run out, and a second worker comes.
    for fault in [Fault::Hold, Fault::Late(Duration::from_secs(40))] {
        let mut world = World::new();
        world.wire.fault("merge", 0, 1, fault);
        let id = world.submit();
        world.run_until(&id, 10402);
        world.approve(&id);
        world.until("the merge is out", |world| !world.wire.blocked().is_empty());
        world.sleep_machine(Duration::from_secs(3600));
        world.advance(Duration::from_secs(60));
        world.wire.release();
        world.run_until(&id, 10109);
        world.once(&id);
    }
}

pub fn one_merged_request_that_cannot_be_read_keeps_no_other_from_being_swept_or_listed() {
    let (mut world, broken) = World::standing_at(10109);
    let later = world.submit_memo("later");
    world.finish(&later);
    let third = world.submit_memo("third");
    world.run_until(&third, 10402);
    world.write(&format!("UPDATE operation SET facts = '{{\"mr\": 7}}' WHERE operation_id = '{broken}'"));
    world.broken = 1;
    world.advance(Duration::from_secs(1800));
    world.reconcile();
    let page = world.get("/api/v1/operations?limit=2");
    let ids: Vec<_> = page["items"].as_array().unwrap().iter().map(|item| item["operation_id"].clone()).collect();
    assert_eq!(ids, [third, later], "{page}");
    world.write(&format!("UPDATE operation SET facts = '{{}}' WHERE operation_id = '{broken}'"));
}

/// A press that comes while a look on demand is under way is carried out after it.
pub fn a_press_during_a_look_on_demand_is_not_lost() {
    let mut world = World::with("approval.poll = \"0s\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.wire.fault("ticket", 0, 1, Fault::Hold);
    world.press_now(&id, "reconcile");
    world.until("the look is out", |world| !world.wire.blocked().is_empty());
    let version = world.version(&id);
    assert_eq!(world.press(&id, "retry-approval", "ops-1", version).status, 202);
    let looks = world.sent("ticket");
    world.wire.release();
    world.settle();
    assert!(world.sent("ticket") > looks, "{}", world.story());
}
