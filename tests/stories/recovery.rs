//! What needs a person, by its cause; and work that follows, tried again or given up by people.

use serde_json::{Value, json};
use signalbox_engine::ports::forge::MrState;

use crate::support::{Answer, Fault, PROJECT, Plan, World, down};

pub fn one_broken_pipeline_with_many_victims_is_one_cause() {
    let mut world = World::new();
    world.rules(|rules| rules.usual = vec![Plan::ending("failed", 3)]);
    let victims: Vec<String> = ["a", "b", "c"].map(|name| world.submit_memo(name)).into();
    for id in &victims {
        world.run_until(id, 10402);
        world.approve(id);
        world.run_until(id, 10004);
    }
    world.wire.fault("create", 0, usize::MAX, down());
    let unsent = world.submit();
    world.run_until(&unsent, 10403);
    let found = world.get("/api/v1/recovery");
    assert_eq!((&found["requests"], &found["more_causes"]), (&json!(4), &json!(0)), "{found:#}");
    let [checks, ticket] = &found["causes"].as_array().unwrap()[..] else { panic!("{found:#}") };
    assert_eq!((&checks["step"]["code"], &checks["count"]), (&json!(10004), &json!(3)), "the most victims first");
    assert_eq!(checks["ids"], json!(victims), "the oldest first");
    assert_eq!(checks["since"], world.operation(&victims[0])["entered_at"]);
    assert_eq!(checks["sentence"], world.operation(&victims[0])["sentence"], "one of them as an example");
    assert_eq!(checks["members"][2]["subject_id"], world.operation(&victims[2])["subject_id"]);
    assert_eq!(eligible(checks), [("resume", 3), ("reconcile", 3), ("close", 3)]);
    assert_eq!((&ticket["step"]["code"], &ticket["count"]), (&json!(10403), &json!(1)));
    assert_eq!(eligible(ticket), [("resume", 1), ("retry-approval", 1), ("reconcile", 1), ("close", 1)]);
    assert_eq!(world.get("/api/v1/status")["recovery"], 2, "two causes");
    let listed = world.items("/api/v1/operations?attention=true&stage=10004");
    assert_eq!(listed.len(), 3, "a whole code narrows the list to the step");
}

pub fn what_is_unknown_is_a_cause_of_its_own_and_the_rest_is_none() {
    let (mut world, id) = World::standing_at(10502);
    let waits = world.submit_memo("waits");
    world.run_until(&waits, 10402);
    let found = world.get("/api/v1/recovery");
    let causes = found["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 1, "{found:#}");
    assert_eq!((&causes[0]["outlook"], &causes[0]["error_class"]), (&json!("unknown"), &Value::Null));
    assert_eq!(causes[0]["ids"], json!([id]));
    assert_eq!(causes[0]["sentence"], world.operation(&id)["sentence"]);
}

fn eligible(cause: &Value) -> Vec<(&str, u64)> {
    let actions = cause["actions"].as_array().unwrap().iter();
    actions.map(|action| (action["action"].as_str().unwrap(), action["eligible"].as_u64().unwrap())).collect()
}

/// A rejected request whose merge request cannot be closed, until nobody tries any more.
fn given_over() -> World {
    let mut world = World::with("flow.order = \"mr-first\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.wire.fault("close", 0, usize::MAX, down());
    world.decide(&id, "rejected");
    world.settle();
    let record = record(&mut world);
    assert_eq!((&record["status"], &record["retry_count"]), (&json!("FINAL_FAIL"), &json!(10)), "{record:#}");
    assert_eq!(record["max_retries"], 10);
    assert!(record["error_message"].as_str().is_some_and(|why| !why.is_empty()), "what failed is kept: {record:#}");
    world
}

fn record(world: &mut World) -> Value {
    world.items("/api/v1/compensations")[0].clone()
}

fn ask(world: &mut World, act: &str, body: Value) -> Answer {
    let code = record(world)["code"].as_str().unwrap().to_owned();
    world.call("POST", &format!("/api/v1/compensations/{code}/{act}"), Some(body))
}

pub fn a_person_grants_work_that_was_given_over_one_more_try_each_time() {
    let mut world = given_over();
    assert_eq!(world.get("/api/v1/status")["recovery"], 1, "it wants a person");
    let tries = world.sent("close");
    let again = ask(&mut world, "replay", json!({}));
    assert_eq!(again.status, 200, "{}", again.body);
    assert_eq!(world.sent("close"), tries + 1, "it was really tried");
    let shown = ["status", "retry_count", "max_retries"].map(|name| again.body[name].clone());
    assert_eq!(shown, [json!("FINAL_FAIL"), json!(11), json!(11)], "and the try can be seen");
    assert!(again.body["error_message"].is_string());
    world.wire.clear_faults();
    let done = ask(&mut world, "replay", json!({}));
    assert_eq!((&done.body["status"], &done.body["effect"]), (&json!("SUCCESS"), &json!("applied")));
    assert_eq!(world.forge.mr(PROJECT, 1).state, MrState::Closed);
    assert_eq!(world.get("/api/v1/status")["recovery"], 0);
    for act in ["replay", "ignore"] {
        let refused = ask(&mut world, act, if act == "ignore" { json!({"reason": "late"}) } else { json!({}) });
        assert_eq!(refused.status, 422, "{act}");
        assert_eq!(refused.body["reason"], "It was done and read back; nothing is left to do.");
    }
    let open = world.items("/api/v1/compensations?ended=false");
    assert!(open.is_empty(), "{open:?}");
    world.invariants();
}

pub fn work_is_given_up_only_with_a_reason_and_stays_so() {
    let mut world = given_over();
    for body in [json!({}), json!({"reason": "  "})] {
        let refused = ask(&mut world, "ignore", body);
        assert_eq!((refused.status, &refused.body["errors"][0]["path"]), (422, &json!("/reason")));
    }
    let kept = ask(&mut world, "ignore", json!({"reason": "closed by hand"}));
    let shown = ["status", "reason", "given_up_by"].map(|name| kept.body[name].clone());
    assert_eq!(shown, [json!("IGNORED"), json!("closed by hand"), json!("ada")]);
    let refused = ask(&mut world, "replay", json!({}));
    assert_eq!((refused.status, &refused.body["reason"]), (422, &json!("ada gave it up: closed by hand.")));
    world.wire.clear_faults();
    world.settle();
    assert_eq!(world.forge.mr(PROJECT, 1).state, MrState::Opened, "nobody touches it any more");
}

/// A rejected request whose merge request is being closed: the call is out, and holds.
fn with_a_close_out() -> World {
    let mut world = World::with("flow.order = \"mr-first\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.wire.fault("close", 0, 1, Fault::Hold);
    world.decide(&id, "rejected");
    world.until("the close is out", |world| !world.wire.blocked().is_empty());
    world
}

pub fn work_that_is_being_tried_is_left_alone() {
    let mut world = with_a_close_out();
    assert_eq!(record(&mut world)["status"], "PROCESSING");
    for (act, body) in [("replay", json!({})), ("ignore", json!({"reason": "no more"}))] {
        let refused = ask(&mut world, act, body);
        assert_eq!(refused.status, 422, "{act}");
        assert!(refused.body["reason"].as_str().unwrap().starts_with("It is being tried right now"), "{act}");
    }
    world.wire.release();
    world.settle();
    assert_eq!((world.sent("close"), world.forge.mr(PROJECT, 1).state), (1, MrState::Closed));
    assert_eq!(record(&mut world)["status"], "SUCCESS");
    world.invariants();
}

pub fn work_that_was_being_tried_when_the_engine_died_is_due_at_the_next_start() {
    let mut world = with_a_close_out();
    let begun = world.clock.millis();
    world.restart();
    world.wire.clear_faults();
    world.settle();
    assert_eq!(record(&mut world)["status"], "SUCCESS");
    assert!(world.clock.millis() - begun < 60_000, "nobody waits for a lease of the dead");
}
