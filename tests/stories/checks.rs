//! Pipelines: passed, failed, or not known.

use crate::support::{PROJECT, Plan, World};

pub fn a_failed_pipeline_fails_and_resumes_on_the_same_mr() {
    let (mut world, id) = World::standing_at(10004);
    let iid = world.iid(&id);
    world.forge.run_again(PROJECT, iid, Plan::green());
    world.advance(std::time::Duration::from_secs(1));
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    assert_eq!(world.iid(&id), iid);
    world.once(&id);
}

pub fn an_endless_pipeline_becomes_unknown_and_may_still_pass() {
    let (mut world, id) = World::standing_at(10502);
    assert_eq!(world.operation(&id)["outlook"], "unknown");
    world.press_now(&id, "resume");
    world.run_until(&id, 10502);
    world.forge.run_again(PROJECT, 1, Plan { appears: std::time::Duration::ZERO, ..Plan::ending("success", 0) });
    world.clock.advance(std::time::Duration::from_secs(2));
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn an_endless_pipeline_becomes_unknown_and_may_still_fail() {
    let (mut world, id) = World::standing_at(10502);
    world.forge.run_again(PROJECT, 1, Plan::ending("failed", 0));
    world.clock.advance(std::time::Duration::from_secs(2));
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10004);
    world.invariants();
}

pub fn the_checks_after_a_rebase_have_the_same_ways_out() {
    let (mut world, id) = World::standing_at(10106);
    world.forge.run_again(PROJECT, 1, Plan::green());
    world.advance(std::time::Duration::from_secs(1));
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    world.once(&id);
    for (word, step) in [("success", 10109), ("failed", 10106)] {
        let (mut world, id) = World::standing_at(10501);
        world.press_now(&id, "resume");
        world.run_until(&id, 10501);
        world.forge.run_again(PROJECT, 1, Plan::ending(word, 0));
        world.clock.advance(std::time::Duration::from_secs(2));
        world.press_now(&id, "reconcile");
        world.run_until(&id, step);
        world.invariants();
    }
}

/// GitLab says once that the pipeline has ended; nobody looks by himself any more.
pub fn a_hook_after_the_ladder_has_ended_brings_one_more_look() {
    let (mut world, id) = World::standing_at(10502);
    world.forge.with(PROJECT, |project, now| {
        let pipe = project.pipes.last_mut().unwrap();
        (pipe.born, pipe.plan) = (now - 1000, Plan::ending("success", 0));
    });
    let answer = world.hook(1);
    assert_eq!(answer.body["verdict"], "applied", "{}", answer.body);
    world.until("it goes on", |world| !matches!(world.step(&id), 10502));
    assert_ne!(world.step(&id), 10004, "{}", world.story());
}

pub fn a_hook_about_a_request_that_nobody_looks_at_is_told_so() {
    let (mut world, id) = World::standing_at(10004);
    let answer = world.hook(1);
    assert_eq!(answer.body["verdict"], "ignored_stale", "{}", answer.body);
    world.settle();
    assert_eq!(world.step(&id), 10004);
}
