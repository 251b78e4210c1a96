//! Time: long, asleep, set back and set forward.

use std::time::Duration;

use crate::support::{PROJECT, Plan, World};

pub fn a_day_of_waiting_is_one_look_a_minute() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.advance(Duration::from_secs(24 * 3600));
    assert_eq!(world.step(&id), 10402);
    let looks = world.sent("ticket");
    assert!((1400..=1440).contains(&looks), "a look each minute of a day, not {looks}");
    world.approve(&id);
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn nine_hours_asleep_cost_one_look() {
    let mut world = World::new();
    world.rules(|rules| rules.usual = vec![Plan::ending("success", 240)]);
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10005);
    let looks = world.sent("pipelines");
    world.sleep_machine(Duration::from_secs(9 * 3600));
    world.advance(Duration::from_secs(31));
    assert!(world.step(&id) > 10005, "within half a minute of waking");
    assert_eq!(world.sent("pipelines"), looks + 1, "one look, not one for each that was missed");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn a_clock_that_is_set_back_delays_nothing_for_long() {
    let mut world = World::new();
    world.rules(|rules| rules.usual = vec![Plan::ending("success", 20)]);
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10005);
    world.advance(Duration::from_secs(5));
    world.turn();
    world.clock.step_wall(-2 * 3600 * 1000);
    // The forge has a clock of its own; ours alone is wrong.
    world.forge.with(PROJECT, |project, _| {
        for pipe in &mut project.pipes {
            pipe.born -= 2 * 3600 * 1000;
        }
        for mr in &mut project.mrs {
            mr.prepared_at -= 2 * 3600 * 1000;
            mr.checked_at -= 2 * 3600 * 1000;
        }
    });
    world.advance(Duration::from_secs(120));
    assert!(world.step(&id) > 10005, "{}", world.story());
    world.run_until(&id, 10109);
    world.invariants();
}

pub fn a_clock_that_is_set_back_while_nothing_runs_delays_nothing_either() {
    for step in [10005, 10101, 10102, 10402] {
        let (mut world, id) = World::standing_at(step);
        world.kill();
        world.clock.step_wall(-2 * 3600 * 1000);
        world.start();
        let looks = world.ledger().len();
        world.advance(Duration::from_secs(90));
        assert!(world.ledger().len() > looks, "nobody looked at {step}\n{}", world.story());
        assert_eq!(world.ids(), [id]);
        world.invariants();
    }
}

pub fn a_clock_that_is_set_forward_loses_nothing() {
    for step in [10005, 10101, 10102, 10107, 10402] {
        let (mut world, id) = World::standing_at(step);
        world.clock.step_wall(2 * 3600 * 1000);
        world.advance(Duration::from_secs(120));
        assert!(![10501, 10502, 10503, 10504].contains(&world.step(&id)), "nothing is late without a look");
        world.invariants();
    }
}

pub fn a_hundred_that_are_overdue_are_each_looked_at_once() {
    let mut world = World::new();
    world.rules(|rules| rules.usual = vec![Plan::endless()]);
    let ids: Vec<_> = (0..100).map(|n| world.submit_memo(&format!("memo-{n}"))).collect();
    for id in &ids {
        world.run_until(id, 10402);
        world.approve(id);
    }
    for id in &ids {
        world.run_until(id, 10005);
    }
    let looks = world.sent("pipelines");
    world.sleep_machine(Duration::from_secs(3600));
    world.until("all were looked at", move |world| world.sent("pipelines") >= looks + 100);
    assert_eq!(world.sent("pipelines"), looks + 100, "one look each");
    world.invariants();
}
