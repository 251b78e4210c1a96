//! K04: approvals come early, double, late, or are taken back.

use std::time::Duration;

use serde_json::json;

use crate::{
    given::{OPENED, TICKET, Writes},
    support::{Fault, Moment, World},
};

#[test]
fn c024_approved_before_the_create_call_has_returned() {
    for by_ticket_only in [false, true] {
        // No poll: what is matched, is matched by the event.
        let mut world = World::with("approval.poll = \"0s\"");
        let id = world.submit();
        world.wire.fault("create", 0, 1, Fault::HoldAnswer);
        world.until("the answer is held", |world| !world.wire.blocked().is_empty());
        world.desk.decide(&id, "approved", "mira", None);
        let callback = if by_ticket_only {
            world.callback("approval", "approval.changed", json!({"approval_id": "T-1", "decision": "approved"}))
        } else {
            world.approval_callback(&id, "approved")
        };
        let answer = world.deliver(&callback);
        assert_eq!((answer.status, answer.body["verdict"].as_str()), (200, Some("parked")), "{}", answer.body);
        world.clock.advance(Duration::from_secs(9));
        world.wire.release();
        world.run_until(&id, 10005);
        assert_eq!(world.path(&id), [10401, 10402, 10001, 10005]);
        assert_eq!((world.writes(), world.verdicts(&id)), (OPENED, vec!["applied".to_owned()]));
        world.rules_hold();
    }
}

#[test]
fn c024_a_decision_that_names_a_ticket_of_nobody_moves_nobody() {
    let (mut world, id) = World::a1();
    let callback =
        world.callback("approval", "approval.changed", json!({"approval_id": "T-9", "decision": "approved"}));
    assert_eq!(world.deliver(&callback).status, 200);
    // And one that names ours is only a hint: the desk says that nobody has decided.
    let callback =
        world.callback("approval", "approval.changed", json!({"approval_id": "T-1", "decision": "approved"}));
    assert_eq!(world.deliver(&callback).body["verdict"], "parked");
    world.advance(Duration::from_secs(200));
    assert_eq!((world.step(&id), world.writes()), (10402, TICKET));
    world.rules_hold();
}

#[test]
fn c025_create_times_out_and_the_ticket_exists() {
    let restarts = [Fault::Die(Moment::AfterEffect), Fault::LoseAnswer, Fault::Late(Duration::from_secs(12))];
    for fault in restarts {
        let mut world = World::new();
        world.wire.fault("create", 0, 1, fault.clone());
        let id = world.submit();
        world.run_until(&id, 10402);
        assert_eq!((world.writes(), world.status(&id).as_str()), (TICKET, "APPROVAL_SENT"), "{fault:?}");
        assert_eq!(world.operation(&id)["ticket"]["id"], "T-1");
        let sends: Vec<_> = world.ledger().into_iter().filter(|entry| entry.name == "create").collect();
        assert!(sends.iter().all(|entry| entry.about == id), "one key for all sends: {sends:?}");
        world.never_failed(&id);
        world.rules_hold();
    }
}

#[test]
fn c026_requester_withdraws_while_pending() {
    for by_callback in [true, false] {
        let (mut world, id) = World::a1();
        if by_callback {
            world.decide(&id, "withdrawn");
        } else {
            world.desk.decide(&id, "withdrawn", "mira", Some("as agreed"));
        }
        world.run_until(&id, 10405);
        assert_eq!((world.status(&id).as_str(), world.writes_to("gitlab")), ("REJECTED", 0));
        world.tells(&id, &["mira withdrew ticket T-1: as agreed"]);
        let last = world.history(&id).pop().unwrap();
        assert!(last["at"].as_str().unwrap().starts_with("2026-03-02T09:0"), "says when: {last}");
        let late = world.approval_callback(&id, "approved");
        assert_eq!(world.deliver(&late).body["verdict"], "ignored_stale");
        world.settle();
        assert_eq!((world.step(&id), world.writes_to("gitlab")), (10405, 0));
        world.rules_hold();
    }
}

#[test]
fn c026_a_word_that_the_desk_does_not_share_with_us_is_shown_and_ends_nothing() {
    // The contract knows four words; "deleted" is none of them, so it waits on and shows the word.
    for word in ["deleted", "cancelled"] {
        let (mut world, id) = World::a1();
        world.decide(&id, word);
        world.advance(Duration::from_secs(200));
        assert_eq!((world.step(&id), world.writes_to("gitlab")), (10402, 0));
        world.tells(&id, &[&format!("“{word}”"), "neither yes nor no"]);
        world.rules_hold();
    }
}

#[test]
fn c027_a_late_decision_is_not_swallowed_in_silence() {
    for (word, step) in [("rejected", 10404), ("withdrawn", 10405)] {
        let (mut world, id) = World::a1();
        world.decide(&id, word);
        world.run_until(&id, step);
        world.advance(Duration::from_secs(120));
        let version = world.version(&id);
        let late = world.approval_callback(&id, "approved");
        let answer = world.deliver(&late);
        assert_eq!(answer.status, 200);
        world.settle();
        assert_eq!((world.step(&id), world.version(&id), world.writes()), (step, version, TICKET));
        let event = world.events(&id).pop().unwrap();
        assert_eq!(event["verdict"], "ignored_stale");
        assert_eq!(event["reason"], "It came after the request had ended as REJECTED; it was not applied.");
        world.rules_hold();
    }
}

#[test]
fn c028_callback_is_acknowledged_fast_in_both_shapes() {
    for flat in [false, true] {
        let (mut world, id) = World::a1();
        world.wire.weather(|_, entry| (entry.remote == "gitlab").then_some(Fault::Hold));
        world.desk.decide(&id, "approved", "mira", None);
        let mut callback = world.approval_callback(&id, "approved");
        if flat {
            let mut body = callback.body["data"].clone();
            body["type"] = json!("approval.changed");
            callback.body = body;
        }
        let came = world.clock.millis();
        assert_eq!(world.deliver(&callback).status, 200);
        assert_eq!(world.clock.millis(), came, "the answer waits for no remote");
        world.turn();
        assert_eq!(world.step(&id), 10001, "taken, although GitLab says nothing");
        world.wire.clear_faults();
        world.wire.release();
        world.run_until(&id, 10005);
        assert_eq!((world.writes(), world.verdicts(&id)), (OPENED, vec!["applied".to_owned()]));
        world.rules_hold();
    }
}

#[test]
fn c028_a_challenge_is_news_of_another_sort_and_changes_nothing() {
    // The adapter `http` of the contract has no challenge: signed, it is taken and told; unsigned, it is refused.
    let (mut world, id) = World::a1();
    let body = json!({"type": "url_verification", "challenge": "abc", "token": "right"}).to_string();
    let headers = world.signed("approval", "d-challenge", body.as_bytes());
    let came = world.clock.millis();
    let answer = world.deliver_raw("approval", &headers, body.as_bytes());
    assert_eq!((answer.status, answer.body["verdict"].as_str()), (200, Some("ignored_foreign")));
    assert_eq!(world.clock.millis(), came);
    assert_eq!(world.deliver_raw("approval", &[], body.as_bytes()).status, 401);
    world.turn();
    assert_eq!((world.step(&id), world.writes()), (10402, Writes { ..TICKET }));
    world.rules_hold();
}
