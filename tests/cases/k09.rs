//! K09: limits, bursts, pages that are not JSON, and things that show late. What leaves the machine is tested in tests/adapters.

use std::time::Duration;

use signalbox_engine::ports::error::ErrorClass;

use crate::{
    given::{HAPPY, OPENED, Writes, refusal},
    support::{Fault, PROJECT, Plan, World},
};

/// Calls that `meant` picks meet this fault for so long.
fn for_a_while(world: &World, seconds: i64, fault: Fault, meant: impl Fn(&str, &str) -> bool + Send + 'static) {
    let clock = world.clock.clone();
    let end = clock.millis() + seconds * 1000;
    world
        .wire
        .weather(move |_, entry| (clock.millis() < end && meant(entry.remote, entry.name)).then(|| fault.clone()));
}

#[test]
fn c067_429_with_retry_after() {
    let (mut world, first) = World::c1();
    let mut ids = vec![first];
    for name in ["second", "third"] {
        let id = world.submit_memo(name);
        world.run_until(&id, 10402);
        world.approve(&id);
        world.run_until(&id, 10005);
        ids.push(id);
    }
    let (before, began) = (world.ledger().len(), world.clock.millis());
    for_a_while(&world, 30, Fault::slow_down(Duration::from_secs(30)), |remote, _| remote == "gitlab");
    world.advance(Duration::from_secs(15));
    let limited = world.ledger().iter().skip(before).filter(|entry| entry.remote == "gitlab").count();
    assert!(limited <= 3, "each asks once and then waits: {limited}");
    for id in &ids {
        world.tells(id, &["GitLab asked bot to slow down"]);
        let waiting = world.operation(id)["waiting"].clone();
        assert!(waiting["next_look_at"].as_str().unwrap() > "2026-03-02T09:00:30", "{waiting}");
        assert!(waiting["look"].as_u64().unwrap() <= 8, "a limit spends no look: {waiting}");
    }
    world.forge.with(PROJECT, |project, _| project.pipes.iter_mut().for_each(|pipe| pipe.plan = Plan::green()));
    for id in &ids {
        world.until_effective(id);
        world.never_failed(id);
    }
    assert_eq!(world.applied("merge"), 3);
    assert!(world.clock.millis() >= began + 30_000);
}

#[test]
fn c068_html_instead_of_json() {
    let (mut world, id) = World::c1();
    for (status, word) in [(503, "Service Unavailable"), (403, "Forbidden"), (200, "OK"), (200, "no data")] {
        let message = format!("a web page instead of data ({word})");
        world.wire.fault("merge_request", 0, 1, refusal(ErrorClass::Retryable, status, &message));
        let looks = world.sent("merge_request");
        world.until("it has looked", |world| world.sent("merge_request") > looks);
        assert_eq!((world.step(&id), world.writes()), (10005, OPENED));
        world.tells(&id, &[&format!("GitLab answered {status} to bot: {message}")]);
        assert!(world.operation(&id)["mr"]["iid"] == 1 && !world.told(&id).contains("credential"));
    }
    world.pipeline_says("success");
    world.until_effective(&id);
    world.never_failed(&id);
}

#[test]
fn c069_dns_fails_for_40_s_after_waking() {
    let (mut world, id) = World::c1();
    world.sleep_machine(Duration::from_secs(3600));
    let message = "the name gitlab.test could not be looked up".to_owned();
    let offline = Fault::Refuse { class: ErrorClass::NotSent, status: None, message, retry_after: None };
    let look = world.operation(&id)["waiting"]["look"].as_u64().unwrap();
    for_a_while(&world, 40, offline, |_, _| true);
    world.advance(Duration::from_secs(35));
    world.tells(&id, &["gave no answer", "could not be looked up"]);
    assert_eq!(world.operation(&id)["waiting"]["look"].as_u64().unwrap(), look, "nothing was looked at");
    world.advance(Duration::from_secs(35));
    assert_eq!(world.step(&id), 10005);
    assert!(
        !world.sentence(&id).contains("looked up") && world.operation(&id)["last_error"].is_null(),
        "it clears by itself"
    );
    world.pipeline_says("success");
    world.until_effective(&id);
    world.never_failed(&id);
}

#[test]
fn c070_branch_just_written_and_mr_create_says_it_does_not_exist() {
    let invisible = || refusal(ErrorClass::Retryable, 400, "source_branch does not exist");
    let (mut world, id) = World::new().a2();
    for_a_while(&world, 40, invisible(), |_, name| name == "open_merge_request");
    world.run_until(&id, 10005);
    assert_eq!(world.writes(), OPENED);
    world.never_failed(&id);
    world.until_effective(&id);

    let (mut world, id) = World::new().a2();
    for_a_while(&world, 300, invisible(), |_, name| name == "open_merge_request");
    world.run_until(&id, 10003);
    world.tells(&id, &["source_branch does not exist"]);
    assert_eq!(world.writes(), Writes { mr: 0, ..OPENED });
    world.rules_hold();
    world.advance(Duration::from_secs(300));
    world.press_now(&id, "resume");
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY, "without a new commit");
}

#[test]
fn c071_maintenance_reads_work_and_writes_get_503_for_20_min() {
    let (mut world, id) = World::with("gitlab.wait.short = \"5s\"").a2();
    let read_only = refusal(ErrorClass::Ambiguous, 503, "GitLab is in read-only mode");
    for_a_while(&world, 1200, read_only, |_, name| name == "merge");
    world.run_until(&id, 10102);
    world.advance(Duration::from_secs(600));
    assert_eq!(world.step(&id), 10102);
    world.tells(&id, &["GitLab answered 503 to bot: GitLab is in read-only mode"]);
    world.advance(Duration::from_secs(590));
    assert_eq!(world.step(&id), 10102);
    assert!(world.sent("merge") <= 10, "{}", world.sent("merge"));
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
    world.never_failed(&id);
}

#[test]
fn c072_our_mr_is_on_page_2() {
    // That later pages are asked for is tested on the wire: tests/adapters/cases.rs.
    let (mut world, id) = World::new().a2();
    world.forge.with(PROJECT, |project, now| {
        for n in 0..45 {
            project.open_mr(&format!("other-{n}"), "main", "Other", "", "sam", now);
        }
    });
    world.wire.fault("open_merge_request", 0, 1, Fault::LoseAnswer);
    world.run_until(&id, 10005);
    assert_eq!((world.writes(), world.iid(&id)), (OPENED, 46));
    world.never_failed(&id);
    world.rules_hold();
}

#[test]
fn c073_404_for_one_round() {
    let (mut world, id) = World::c1();
    let gone = world.forge.with(PROJECT, |project, _| project.mrs.pop().unwrap());
    let looks = world.sent("merge_request");
    world.until("it has looked", |world| world.sent("merge_request") > looks);
    assert_eq!((world.step(&id), world.writes()), (10005, OPENED));
    world.tells(&id, &["GitLab did not show !1 this time"]);
    world.forge.with(PROJECT, |project, _| project.mrs.push(gone));
    world.pipeline_says("success");
    world.until_effective(&id);
    world.never_failed(&id);
}

#[test]
fn c073_a_project_that_the_bot_no_longer_sees() {
    // No row of the table fails 10005 for this: it says so in words, waits on, and is unknown when the ladder ends.
    let (mut world, id) = World::c1();
    let text = "the project is not visible to the bot; check its membership";
    world.wire.fault("merge_request", 0, usize::MAX, refusal(ErrorClass::Terminal, 404, text));
    world.advance(Duration::from_secs(15));
    assert_eq!(world.step(&id), 10005);
    world.tells(&id, &["check its membership"]);
    world.run_until(&id, 10502);
    world.tells(&id, &["check its membership"]);
    assert_eq!(world.writes(), OPENED);
    world.rules_hold();
    world.wire.clear_faults();
    world.pipeline_says("success");
    world.press_now(&id, "resume");
    world.until_effective(&id);
}
