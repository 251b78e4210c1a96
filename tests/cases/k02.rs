//! K02: senders deliver at least once, in no order, and late.

use std::time::Duration;

use serde_json::json;

use crate::{
    given::{HAPPY, OPENED},
    support::{PROJECT, Plan, World},
};

#[test]
fn c010_same_event_twice_and_20_times_at_once() {
    let together = |world: &mut World, id: &str, copies: usize| {
        let callback = world.approval_callback(id, "approved");
        let answers = world.deliver_together(&vec![callback; copies]);
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    };
    let apart = |world: &mut World, id: &str, same: bool| {
        let first = world.approval_callback(id, "approved");
        let second = if same { first.clone() } else { world.approval_callback(id, "approved") };
        assert_eq!(world.deliver(&first).status, 200);
        world.advance(Duration::from_millis(1500));
        assert_eq!(world.deliver(&second).status, 200);
    };
    type Send<'a> = &'a dyn Fn(&mut World, &str);
    let sends: [(Send, &[&str]); 3] = [
        (&|world, id| apart(world, id, true), &["applied", "duplicate"]),
        (&|world, id| apart(world, id, false), &["applied", "ignored_stale"]),
        (&|world, id| together(world, id, 20), &["applied"]),
    ];
    for (send, verdicts) in sends {
        let (mut world, id) = World::a1();
        world.desk.decide(&id, "approved", "mira", None);
        send(&mut world, &id);
        world.run_until(&id, 10005);
        assert_eq!(world.verdicts(&id)[..verdicts.len()], *verdicts);
        assert_eq!(world.verdicts(&id).iter().filter(|verdict| *verdict == "applied").count(), 1);
        let granted = world.words(&id).iter().filter(|word| *word == "approval_granted").count();
        assert_eq!((granted, world.writes()), (1, OPENED));
        world.rules_hold();
    }
}

#[test]
fn c011_events_arrive_as_completed_in_progress_queued() {
    let (mut world, id) = World::c1();
    world.pipeline_says("success");
    for word in ["success", "running", "pending"] {
        let sha = world.head().0;
        let body = json!({"object_kind": "pipeline", "project": {"id": 7}, "merge_request": {"iid": 1},
            "object_attributes": {"id": 100, "sha": sha, "status": word}});
        assert_eq!(world.gitlab_hook(word, &body).status, 200);
        world.turn();
    }
    world.run_until(&id, 10109);
    assert_eq!(world.path(&id), [10401, 10402, 10001, 10005, 10002, 10101, 10102, 10109]);
    assert_eq!(world.writes(), HAPPY);
    let after = world.history(&id).into_iter().skip_while(|row| row["event"] != "pipeline_passed");
    assert!(after.skip(1).all(|row| !row["reason"].as_str().unwrap_or_default().contains("Waiting for pipeline")));
    world.until_effective(&id);
}

#[test]
fn c012_event_for_the_old_head_arrives_after_the_rebase() {
    let (mut world, id) = World::behind(vec![Plan::endless()]);
    let (old, _) = world.head();
    world.run_until(&id, 10108);
    let (new, short) = world.head();
    for word in ["failed", "success"] {
        world.stray_pipeline(&old, word);
        assert_eq!(world.hook(1).status, 200);
        world.advance(Duration::from_secs(25));
        assert_eq!(world.step(&id), 10108, "{word}");
        world.tells(&id, &[&format!("on {short}")]);
        assert!(world.sentence(&id).contains(&short), "{}", world.sentence(&id));
    }
    world.forge.run_again(PROJECT, 1, Plan::green());
    world.run_until(&id, 10109);
    assert_eq!(world.shas("merge"), std::slice::from_ref(&new));
    assert_eq!(world.shas("approve")[2..], [new.clone(), new]);
    world.until_effective(&id);
}

#[test]
fn c013_older_state_overwrites_newer_state() {
    let (mut world, id) = World::f1();
    let before = world.ledger().len();
    world.deploy(&id, "running");
    world.settle();
    let deploys = |world: &mut World| world.verdicts(&id).split_off(1);
    assert_eq!((world.step(&id), deploys(&mut world)), (10109, vec!["ignored_stale".to_owned()]), "no result yet");
    world.deploy(&id, "effective");
    world.run_until(&id, 10301);
    world.deploy(&id, "running");
    world.settle();
    assert_eq!((world.step(&id), world.status(&id).as_str()), (10301, "VALIDATED"));
    assert_eq!(deploys(&mut world), ["ignored_stale", "applied", "ignored_stale"]);
    assert_eq!(world.ledger().iter().skip(before).filter(|entry| entry.write).count(), 0);
    assert!(!world.told(&id).contains("running"), "{}", world.told(&id));
    world.rules_hold();
}

#[test]
fn c014_answers_to_unwanted_events_must_not_get_the_hook_switched_off() {
    let (mut world, closed) = World::c1();
    world.press_now(&closed, "close");
    world.run_until(&closed, 10202);
    world.rules(|rules| rules.next = [vec![Plan::endless()]].into());
    let id = world.submit_memo("again");
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10005);
    world.advance(Duration::from_secs(30));
    let pipeline = |iid: u64| json!({"object_kind": "pipeline", "project": {"id": 7}, "merge_request": {"iid": iid}});
    let unwanted = [
        ("unknown", pipeline(99)),
        ("other", json!({"object_kind": "note", "project": {"id": 7}})),
        ("closed", pipeline(1)),
        ("closed", pipeline(1)),
        ("fields", json!({"object_kind": "build", "new": {"in": ["version", 99]}, "project": null})),
    ];
    let writes = world.writes();
    for (name, body) in unwanted {
        let answer = world.gitlab_hook(name, &body);
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        let (verdict, reason) = (answer.body["verdict"].as_str().unwrap(), answer.body["reason"].as_str().unwrap());
        assert!(verdict != "applied" && reason.len() > 10, "{name}: {}", answer.body);
        world.turn();
    }
    assert_eq!(world.writes(), writes);
    world.pipeline_says("success");
    let seen = world.clock.millis();
    assert_eq!(world.gitlab_hook("news", &pipeline(2)).body["verdict"], "applied");
    world.turn();
    assert!(world.words(&id).contains(&"pipeline_passed".to_owned()), "{}", world.story());
    assert_eq!(world.clock.millis(), seen, "by the event, not by the next look");
    world.until_effective(&id);
    assert_eq!(world.status(&closed), "CLOSED");
}
