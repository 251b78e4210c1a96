//! K05: which pipeline counts, and what its state means.

use std::time::Duration;

use crate::{
    given::{HAPPY, OPENED},
    support::{PROJECT, Plan, World},
};

#[test]
fn c033_head_pipeline_is_green_but_belongs_to_another_commit() {
    let (mut world, id) = World::new().c1_of(&[]);
    let other = world.target().sha;
    world.stray_pipeline(&other, "success");
    world.advance(Duration::from_secs(60));
    let (_, short) = world.head();
    assert_eq!((world.step(&id), world.writes()), (10005, OPENED));
    world.tells(&id, &[&format!("There is no pipeline for {short} yet")]);
    world.rules_hold();
}

#[test]
fn c034_pipeline_not_created_yet() {
    let seconds = Duration::from_secs;
    let plan = Plan { appears: seconds(25), starts: seconds(40), ends: Some(seconds(60)), ..Plan::green() };
    let (mut world, id) = World::new().c1_of(&[plan]);
    world.advance(seconds(50));
    assert_eq!((world.step(&id), world.writes()), (10005, OPENED));
    world.run_until(&id, 10109);
    let passed = world.forge.with(PROJECT, |project, _| project.pipes[0].born) + 60_000;
    let ledger = world.ledger();
    let first = |name: &str| ledger.iter().find(|entry| entry.name == name).unwrap().at;
    assert!(passed <= first("approve") && first("approve") <= first("merge"));
    assert_eq!(world.writes(), HAPPY);
    world.until_effective(&id);
}

#[test]
fn c035_pipeline_skipped() {
    // Skipped is neither passed nor failed (workflow.md, section 7): it waits in plain words, and then it is unknown.
    let (mut world, id) = World::new().c1_of(&[Plan::ending("skipped", 3)]);
    world.advance(Duration::from_secs(30));
    assert_eq!(world.step(&id), 10005);
    world.tells(&id, &["is skipped: neither passed nor failed"]);
    world.run_until(&id, 10502);
    assert_eq!((world.outlook(&id).as_str(), world.writes()), ("unknown", OPENED));
    assert!(world.buttons(&id).contains(&"resume".to_owned()));
    world.tells(&id, &["is skipped: neither passed nor failed", "It is safe to keep waiting"]);
    world.forge.run_again(PROJECT, 1, Plan::green());
    world.press_now(&id, "resume");
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
}

#[test]
fn c036_unknown_status_word() {
    let (mut world, id) = World::c1();
    let other = world.submit_memo("other");
    world.forge.with(PROJECT, |project, _| project.mr(1).unwrap().odd_word = Some("frobnicating"));
    for word in ["canceling", "waiting_for_callback", "running"] {
        world.pipeline_says(word);
        world.advance(Duration::from_secs(15));
        assert_eq!(world.step(&id), 10005, "{word}");
        world.tells(&id, &[word]);
        assert_eq!(world.get("/api/v1/operations")["items"].as_array().unwrap().len(), 2);
    }
    world.pipeline_says("success");
    world.run_until(&id, 10102);
    world.advance(Duration::from_secs(15));
    assert_eq!(world.step(&id), 10102);
    world.tells(&id, &["“frobnicating”"]);
    world.forge.with(PROJECT, |project, _| project.mr(1).unwrap().odd_word = None);
    world.until_effective(&id);
    assert_eq!(world.applied("merge"), 1);
    assert_eq!(world.step(&other), 10402, "the others go on");
}

#[test]
fn c037_head_pipeline_is_null_and_the_wanted_pipeline_comes_late_in_the_list() {
    // That page 2 is asked for is tested on the wire: tests/adapters/cases.rs.
    let (mut world, id) = World::new().c1_of(&[Plan::ending("success", 3)]);
    let other = world.target().sha;
    for _ in 0..24 {
        world.stray_pipeline(&other, "failed");
    }
    world.until_effective(&id);
    world.tells(&id, &["Pipeline #100 passed"]);
    assert_eq!(world.writes(), HAPPY);
}
