//! K14: sleep, clocks that are set, and everything overdue at once. C107 needs a process in another zone: `src-tauri/daemon/tests`.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    given::HAPPY,
    support::{PROJECT, Plan, World},
};

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn c106_nine_hours_asleep_during_the_check() {
    let (mut world, id) = World::new().c1_of(&[Plan::ending("success", 240)]);
    let looks = world.sent("pipelines");
    world.sleep_machine(9 * HOUR);
    let woke = world.clock.millis();
    let last = world.get("/api/v1/status")["remotes"][0]["read_at"].as_str().unwrap().to_owned();
    assert!(last.starts_with("2026-03-02T18:"), "the last contact is told as a time, not {last:?}");
    world.advance(Duration::from_secs(30));
    let first = world.ledger().into_iter().filter(|entry| entry.name == "pipelines").nth(looks).unwrap();
    assert!(first.at - woke <= 30_000, "the look came {} ms after waking", first.at - woke);
    assert!(world.step(&id) > 10005, "{}", world.story());
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
    world.never_failed(&id);
}

#[test]
fn c108_clock_is_set_back_two_hours() {
    for hours in [-2, 2] {
        let (mut world, id) = World::new().c1_of(&[Plan::ending("success", 60)]);
        world.advance(Duration::from_secs(15));
        world.clock.step_wall(hours * 3_600_000);
        // The forge has a clock of its own; ours alone is wrong.
        world.forge.with(PROJECT, |project, _| {
            project.pipes.iter_mut().for_each(|pipe| pipe.born += hours * 3_600_000);
            for mr in &mut project.mrs {
                mr.prepared_at += hours * 3_600_000;
                mr.checked_at += hours * 3_600_000;
            }
        });
        let looks = world.sent("pipelines");
        world.advance(Duration::from_secs(60));
        assert!(world.sent("pipelines") > looks, "{hours} h: within a minute, not after two hours");
        world.run_until(&id, 10109);
        assert!(!world.path(&id).contains(&10502), "{hours} h: nothing is late without a look\n{}", world.story());
        assert_eq!(world.writes(), HAPPY);
        world.until_effective(&id);
    }
}

/// The limit of requests in a second is the adapter's, and `adapters` holds it there; here it is how the looks are spread.
#[test]
fn c109_200_requests_overdue_at_wake() {
    let mut world = World::with("gitlab.wait.max_looks = 400\nengine.workers = 8\nengine.max_active = 500");
    world.rules(|rules| rules.usual = vec![Plan::endless()]);
    let ids: Vec<_> = (0..200).map(|n| world.submit_memo(&format!("memo-{n}"))).collect();
    for id in &ids {
        world.run_until(id, 10402);
        world.approve(id);
    }
    world.until("all wait for their checks", |world| {
        world.count("SELECT count(*) FROM operation WHERE step = 10005") == 200
    });
    world.advance(Duration::from_secs(60));
    world.sleep_machine(HOUR);
    let before = world.ledger().len();
    let woke = world.clock.millis();
    assert_eq!(world.get("/api/v1/operations")["items"].as_array().unwrap().len(), 50);
    assert_eq!(world.clock.millis(), woke, "the list waits for nobody's look");
    world.advance(Duration::from_secs(30));
    let mut looks: BTreeMap<String, usize> = BTreeMap::new();
    for entry in world.ledger().into_iter().skip(before).filter(|entry| entry.name == "pipelines") {
        *looks.entry(entry.path).or_default() += 1;
    }
    assert_eq!(looks.len(), 200, "each is looked at");
    assert!(looks.values().all(|n| *n <= 4), "one look at waking, and the ladder's own after it: {looks:?}");
    assert!(ids.iter().all(|id| world.step(id) == 10005));
    world.invariants();
}
