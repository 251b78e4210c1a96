//! K16: runs that stop, buttons that are pressed at the wrong moment, results that are stale.

use std::time::Duration;

use serde_json::json;
use sqlx::{ConnectOptions as _, sqlite::SqliteConnectOptions};

use crate::{
    given::{HAPPY, OPENED, TICKET},
    support::{Fault, Moment, World},
};

#[test]
fn c119_stopped_between_two_steps() {
    // After the commit and before the merge request; and after each move, before the next stage begins.
    for (call, skip) in
        [("open_merge_request", 0), ("ticket", 0), ("merge_request", 1), ("pipelines", 1), ("approvals", 0)]
    {
        let mut world = World::new();
        world.wire.fault(call, skip, 1, Fault::Die(Moment::BeforeIntent));
        let id = world.submit();
        world.run_until(&id, 10402);
        world.approve(&id);
        world.until("it died", |world| world.deaths == 1);
        let ledger = world.ledger();
        let died = ledger.iter().position(|entry| entry.name == call && entry.status.is_none()).unwrap();
        assert!(ledger[died + 1].at - ledger[died].at <= 10_000, "{call}: {}", world.story());
        world.until_effective(&id);
        assert_eq!(world.writes(), HAPPY, "{call}");
        world.never_failed(&id);
    }
}

#[test]
fn c120_resume_on_a_run_that_is_already_moving() {
    let (mut world, id) = World::new().a2();
    world.wire.fault("merge", 0, 1, Fault::Hold);
    world.until("the merge is out", |world| !world.wire.blocked().is_empty());
    let version = world.version(&id);
    for action in ["resume", "retry-approval"] {
        let answer = world.press(&id, action, "ada", version);
        assert_eq!(answer.status, 422, "{action}: {}", answer.body);
        assert!(answer.body["reason"].as_str().unwrap().len() > 20, "{}", answer.body);
    }
    let resume = world.press(&id, "resume", "ada", version).body;
    assert!(resume["reason"].as_str().unwrap().contains("moving by itself or waiting at"), "{resume}");
    assert_eq!(world.buttons(&id), ["reconcile", "close"]);
    assert_eq!(world.press(&id, "reconcile", "ada", version).status, 202);
    let together = [("resume", "ada"), ("reconcile", "bo"), ("retry-approval", "cy"), ("resume", "dee")];
    let answers = world.press_together(&id, &together);
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [422, 202, 422, 422]);
    world.turn();
    assert_eq!(world.sent("merge"), 1, "no second runner");
    world.wire.release();
    world.run_until(&id, 10109);
    assert_eq!((world.writes(), world.sent("merge"), world.sent("approve")), (HAPPY, 1, 2));
    world.until_effective(&id);
}

#[test]
fn c121_buttons_and_events_on_an_ended_request() {
    for (step, status) in [(10301, "VALIDATED"), (10404, "REJECTED"), (10405, "REJECTED"), (10202, "CLOSED")] {
        let (mut world, id) = World::standing_at(step);
        world.settle();
        let (version, writes) = (world.version(&id), world.writes());
        for action in ["resume", "retry-approval", "reconcile", "close"] {
            let answer = world.press(&id, action, "ada", version);
            assert_eq!(answer.status, 422, "{step} {action}");
            let reason = answer.body["reason"].as_str().unwrap();
            assert!(reason.starts_with(&format!("It ended as {status} at 2026-03-02 ")), "{reason}");
        }
        let mut late: Vec<_> =
            ["approved", "rejected", "withdrawn", "reverted"].map(|word| world.approval_callback(&id, word)).into();
        if world.operation(&id)["mr"].is_object() {
            late.extend(["effective", "failed", "canceled"].map(|word| world.deploy_callback(&id, word)));
            assert_eq!(world.hook(1).status, 200);
        }
        for callback in &late {
            let answer = world.deliver(callback);
            assert_eq!(
                (answer.status, answer.body["verdict"].as_str()),
                (200, Some("ignored_stale")),
                "{}",
                answer.body
            );
            assert!(answer.body["reason"].as_str().unwrap().contains("after the request had ended"), "{}", answer.body);
        }
        world.advance(Duration::from_secs(3600));
        assert_eq!((world.step(&id), world.version(&id), world.writes()), (step, version, writes));
        assert!(world.events(&id).len() >= late.len(), "late news stays visible");
        world.rules_hold();
    }
}

#[test]
fn c122_version_conflict_when_a_step_result_is_stored() {
    let (mut world, id) = World::new().a2();
    world.wire.fault_of("approve", "rev-b", 1, Fault::HoldAnswer);
    world.until("the answer is on its way", |world| !world.wire.blocked().is_empty());
    // Somebody else changes the request at this very moment.
    let file = world.data_dir().join("signalbox.db");
    let edit = async {
        let mut other = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
        for sql in [
            "UPDATE operation SET version = version + 1, last_seq = last_seq + 1, comment = 'label: urgent' WHERE operation_id = ?",
            "INSERT INTO history (operation_id, seq, version, at, event, from_step, from_status, to_step, to_status, actor_kind, \
               actor_name) SELECT operation_id, last_seq, version, updated_at, 'edit', step, status, step, status, 'operator', 'bo' \
             FROM operation WHERE operation_id = ?",
        ] {
            sqlx::query(sql).bind(id.clone()).execute(&mut other).await.unwrap();
        }
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(edit);
    world.wire.release();
    world.run_until(&id, 10109);
    let by_b = world.ledger().iter().filter(|e| e.name == "approve" && e.account == "rev-b").count();
    assert_eq!((world.writes(), by_b), (HAPPY, 1), "what was stored is tried again, the call is not");
    assert_eq!(world.operation(&id)["comment"], "label: urgent");
    world.never_failed(&id);
    world.until_effective(&id);
}

#[test]
fn c123_reconcile_when_all_is_in_line() {
    let stands: [fn() -> (World, String); 3] = [World::a1, World::c1, World::f1];
    for (stand, writes) in stands.into_iter().zip([TICKET, OPENED, HAPPY]) {
        let (mut world, id) = stand();
        world.turn();
        let step = world.step(&id);
        let seen = |world: &mut World| {
            let page = world.operation(&id);
            [&page["version"], &page["updated_at"], &page["entered_at"], &page["step"], &page["status"]]
                .map(Clone::clone)
        };
        let before = seen(&mut world);
        for _ in 0..3 {
            let calls = world.ledger().len();
            world.clock.advance(Duration::from_millis(300));
            world.press_now(&id, "reconcile");
            world.until("it has looked", |world| world.words(&id).last().unwrap() == "reconcile_found");
            assert!(world.ledger().len() - calls <= 6, "{step}: {}", world.story());
            let found = world.history(&id).pop().unwrap();
            let reason = found["reason"].as_str().unwrap();
            assert!(reason.starts_with("Read every remote") && found["at"].is_string(), "{found}");
        }
        assert_eq!(seen(&mut world), before, "{step}");
        assert_eq!(world.writes(), writes);
        world.rules_hold();
    }
    let (mut world, id) = World::standing_at(10301);
    let (version, calls) = (world.version(&id), world.ledger().len());
    for _ in 0..3 {
        assert_eq!(world.press(&id, "reconcile", "ada", version).status, 422);
    }
    world.turn();
    assert_eq!((world.version(&id), world.ledger().len()), (version, calls));
    assert_eq!(world.operation(&id)["status"], json!("VALIDATED"));
}
