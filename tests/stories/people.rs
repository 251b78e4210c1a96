//! People act in GitLab at every step, and every step notices before it does anything.

use crate::support::{PROJECT, Plan, World};

/// Steps that may have an open merge request.
const WITH_MR: [i64; 22] = [
    10001, 10002, 10003, 10004, 10005, 10007, 10101, 10102, 10103, 10104, 10105, 10106, 10107, 10108, 10110, 10401,
    10402, 10403, 10501, 10502, 10503, 10504,
];

fn reconcile(world: &mut World, id: &str, step: i64) {
    world.wire.clear_faults();
    world.press_now(id, "reconcile");
    world.wire.release();
    world.run_until(id, step);
    world.invariants();
}

pub fn a_merge_by_hand_is_noticed_at_every_step() {
    for step in WITH_MR.into_iter().chain([10111, 10201, 10203]) {
        let (mut world, id) = World::standing_at(step);
        let merges = world.sent("merge");
        world.forge.merge_by_hand(PROJECT, world.iid_of(&id), "hal");
        reconcile(&mut world, &id, 10109);
        assert_eq!(world.sent("merge"), merges, "nothing is merged again from {step}");
        world.deploy(&id, "effective");
        world.run_until(&id, 10301);
    }
}

pub fn a_close_by_hand_is_noticed_at_every_step() {
    for step in WITH_MR {
        let (mut world, id) = World::standing_at(step);
        world.forge.close_by_hand(PROJECT, world.iid_of(&id), "hal");
        reconcile(&mut world, &id, 10111);
        assert!(world.error(&id).contains("hal"), "{}", world.error(&id));
    }
}

pub fn a_commit_by_hand_is_noticed_before_anything_is_merged() {
    for step in [10002, 10005, 10101, 10102, 10107, 10108, 10402] {
        let (mut world, id) = World::standing_at(step);
        let branch = world.branch_of(&id);
        world.forge.push(PROJECT, &branch, "stray.txt", "not ours\n");
        if step == 10107 {
            world.forge.with(PROJECT, |project, _| project.mrs[0].rebase_done_at = None);
        }
        reconcile(&mut world, &id, 10110);
        assert_eq!(world.applied("merge"), 0);
        // Taken away by hand, it goes on.
        world.forge.with(PROJECT, |project, now| {
            let mr = project.mrs[0].clone();
            let before = project.repo.commits[&mr.head].parents[0].clone();
            project.rules = crate::support::forge::model::Rules::default();
            project.repo.branches.insert(mr.source.clone(), before);
            project.branch_moved(&mr.source, now);
        });
        world.press_now(&id, "resume");
        world.run_until(&id, 10109);
        world.once(&id);
    }
}

pub fn a_retargeted_merge_request_is_noticed() {
    for step in [10005, 10102, 10107, 10402] {
        let (mut world, id) = World::standing_at(step);
        world.forge.push(PROJECT, "release", "README.md", "another target\n");
        world.forge.retarget(PROJECT, world.iid_of(&id), "release");
        reconcile(&mut world, &id, 10110);
    }
}

pub fn a_closed_merge_request_is_replaced_after_a_person_says_so() {
    let (mut world, id) = World::standing_at(10111);
    world.rules(|rules| rules.usual = vec![Plan::green()]);
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    assert_eq!(world.iid(&id), 2);
    assert_eq!(world.applied("commit_files"), 1, "the commit is found again");
    assert_eq!(world.applied("merge"), 1);
    world.invariants();
}

/// A call that was thought lost opens a second merge request after people have ended the first.
pub fn what_people_ended_comes_before_a_merge_request_that_came_late() {
    for (is_merged, step) in [(true, 10109), (false, 10111)] {
        let (mut world, id) = World::standing_at(10001);
        let iid = world.iid(&id);
        if is_merged {
            world.forge.merge_by_hand(PROJECT, iid, "hal");
        } else {
            world.forge.close_by_hand(PROJECT, iid, "hal");
        }
        let late = world.forge.with(PROJECT, |project, now| {
            let first = project.mr(iid).unwrap().clone();
            project.open_mr(&first.source, &first.target, &first.title, &first.description, &first.author, now)
        });
        world.wire.clear_faults();
        world.run_until(&id, step);
        assert_eq!(world.iid(&id), iid, "not !{late}");
        assert_eq!((world.applied("approve"), world.applied("merge")), (0, 0), "{}", world.story());
        world.invariants();
    }
}

pub fn a_merge_request_that_was_opened_again_is_given_up_no_longer() {
    let (mut world, id) = World::standing_at(10111);
    let iid = world.iid(&id);
    world.rules(|rules| rules.usual = vec![Plan::ending("failed", 5)]);
    world.forge.reopen(PROJECT, iid);
    world.forge.with(PROJECT, |project, now| {
        for pipe in project.pipes.iter_mut().filter(|pipe| pipe.iid == iid) {
            (pipe.born, pipe.plan) = (now, Plan::ending("failed", 5));
        }
    });
    world.press_now(&id, "resume");
    world.run_until(&id, 10004);
    assert_eq!(world.iid(&id), iid);
    // Closing it again is an act of its own: no other one is opened behind that person's back.
    world.forge.close_by_hand(PROJECT, iid, "hal");
    world.press_now(&id, "resume");
    world.run_until(&id, 10111);
    assert_eq!(world.applied("open_merge_request"), 1, "{}", world.story());
    world.invariants();
}
