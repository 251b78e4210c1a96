//! Branch, commit and merge request: found or made, never twice.

use crate::support::{Fault, ORDERS, PROJECT, Plan, World, refused};

pub fn what_hinders_the_merge_request_is_told_and_cured_by_resume() {
    for name in ["branch", "commit_files", "open_merge_request", "merge_requests_of"] {
        let mut world = World::new();
        let id = world.submit();
        world.run_until(&id, 10402);
        world.wire.fault(name, 0, 1, refused());
        world.approve(&id);
        world.settle();
        assert_eq!(world.step(&id), 10003, "{name}");
        assert!(world.error(&id).contains("403"), "{}", world.error(&id));
        world.press_now(&id, "resume");
        world.run_until(&id, 10109);
        world.once(&id);
    }
}

pub fn values_changed_meanwhile_are_a_conflict() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.target_conflicts();
    world.approve(&id);
    world.settle();
    assert_eq!(world.step(&id), 10007);
    assert!(world.error(&id).contains("30") && world.error(&id).contains("31"), "{}", world.error(&id));
    assert_eq!(world.applied("commit_files"), 0);
    // Put back by hand, it goes on.
    let text = world.forge.text(PROJECT, "main", ORDERS).unwrap().replace("    timeout: 31\n", "    timeout: 30\n");
    world.forge.push(PROJECT, "main", ORDERS, &text);
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn an_edit_elsewhere_in_the_file_is_none() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    let text = world.forge.text(PROJECT, "main", ORDERS).unwrap().replace("team-orders", "team-sales");
    world.forge.push(PROJECT, "main", ORDERS, &text);
    world.approve(&id);
    world.run_until(&id, 10109);
    let merged = world.forge.text(PROJECT, "main", ORDERS).unwrap();
    assert!(merged.contains("timeout: 60") && merged.contains("team-sales"), "{merged}");
}

pub fn a_foreign_branch_with_our_name_is_not_written_to() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    let branch = world.branch_of(&id);
    let foreign = world.forge.push(PROJECT, &branch, "stray.txt", "theirs\n");
    world.approve(&id);
    world.settle();
    assert_eq!(world.step(&id), 10007);
    let head = world.forge.with(PROJECT, |project, _| project.repo.head(&branch).cloned());
    assert_eq!(head, Some(foreign));
    world.forge.delete_branch(PROJECT, &branch);
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn a_bug_in_a_stage_fails_this_request_only() {
    let cases = [
        ("by_request", 10403, "resume"),
        ("merge_requests_of", 10003, "resume"),
        ("approvals", 10103, "resume"),
        ("merge", 10104, "resume"),
    ];
    for (name, step, cure) in cases {
        let mut world = World::new();
        let other = world.submit_memo("other");
        world.run_until(&other, 10402);
        world.wire.fault(name, 0, 1, Fault::Panic);
        let id = world.submit();
        if step != 10403 {
            world.run_until(&id, 10402);
            world.approve(&id);
        }
        world.run_until(&id, step);
        world.finish(&other);
        world.press_now(&id, cure);
        if step == 10403 {
            world.run_until(&id, 10402);
            world.approve(&id);
        }
        world.run_until(&id, 10109);
        world.once(&id);
    }
    let (mut world, id) = World::standing_at(10005);
    world.rules(|rules| rules.usual = vec![Plan::green()]);
    world.wire.fault("close", 0, 1, Fault::Panic);
    world.press_now(&id, "close");
    world.run_until(&id, 10203);
    world.press_now(&id, "resume");
    world.run_until(&id, 10202);
    world.invariants();
}
