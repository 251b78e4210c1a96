//! K07: mergeability is asynchronous, codes are ambiguous, the target moves.

use std::time::Duration;

use serde_json::json;
use signalbox_engine::ports::error::ErrorClass;

use crate::{
    given::{HAPPY, Writes, refusal},
    support::{ORDERS, PROJECT, Plan, World, forge::model::Method},
};

#[test]
fn c049_mergeability_is_still_being_computed() {
    for status in [405, 406, 422] {
        let (mut world, id) = World::new().a2();
        // The pipeline takes 8 s; GitLab goes on checking for three looks more, and once more after the call.
        world.rules(|rules| rules.checking = Duration::from_secs(13));
        world.wire.fault("merge", 0, 1, refusal(ErrorClass::Terminal, status, "Method Not Allowed"));
        world.until_effective(&id);
        assert_eq!(world.writes(), HAPPY, "{status}");
        assert!(world.sent("merge") <= 4 && world.sent("rebase") == 0);
        world.never_failed(&id);
    }
}

#[test]
fn c050_409_head_is_not_what_we_said() {
    // The outcome of this product: it stops at HANDLE_HEAD_MOVED, and nothing is merged.
    let (mut world, id) = World::new().a2();
    let forge = world.forge.clone();
    let branch = world.branch_of(&id);
    let mut rebased = false;
    world.wire.weather(move |_, entry| {
        if entry.name == "merge" && !rebased {
            rebased = true;
            forge.push(PROJECT, "main", "README.md", "moved\n");
            // A person rebases by hand: the same change and the same message on the newest target.
            forge.with(PROJECT, |project, now| {
                let (target, head) =
                    (project.repo.head("main").unwrap().clone(), project.repo.head(&branch).unwrap().clone());
                let edits = project.repo.merge(&target, &head).unwrap();
                let message = project.repo.commits[&head].message.clone();
                let new = project.repo.store(&[target], &message, &edits);
                project.repo.branches.insert(branch.clone(), new);
                project.branch_moved(&branch, now);
            });
        }
        None
    });
    world.run_until(&id, 10005);
    let (old, ours) = world.head();
    world.run_until(&id, 10110);
    let (_, theirs) = world.head();
    assert_ne!(ours, theirs);
    world.tells(&id, &[&format!("The head of !1 is {theirs}"), &format!("ours is {ours}")]);
    assert_eq!((world.writes(), world.outlook(&id).as_str()), (Writes { merge: 0, ..HAPPY }, "failed"));
    world.rules_hold();
    world.press_now(&id, "resume");
    world.settle();
    assert_eq!((world.step(&id), world.applied("merge")), (10110, 0), "not at all");
    assert!(!world.shas("merge").contains(&old));
}

#[test]
fn c051_behind_target_rebase_path_in_full() {
    let seconds = Duration::from_secs;
    let late = Plan { appears: seconds(20), starts: seconds(22), ends: Some(seconds(30)), ..Plan::green() };
    let (mut world, id) = World::behind(vec![late]);
    world.rules(|rules| rules.rebase_takes = seconds(7));
    let (old, _) = world.head();
    world.run_until(&id, 10107);
    world.advance(seconds(3));
    world.tells(&id, &["!1 is being rebased onto main"]);
    world.run_until(&id, 10108);
    let (new, short) = world.head();
    world.advance(seconds(3));
    assert!(world.sentence(&id).contains(&format!("no pipeline for {short} yet")), "{}", world.sentence(&id));
    world.stray_pipeline(&old, "success");
    world.advance(seconds(20));
    assert_eq!(world.step(&id), 10108, "the pipeline of the old head is not accepted");
    assert!(world.sentence(&id).contains(&short), "{}", world.sentence(&id));
    world.until_effective(&id);
    assert_eq!(world.writes(), Writes { a: 2, b: 2, rebase: 1, ..HAPPY });
    assert_eq!(world.shas("merge"), [new]);
}

#[test]
fn c052_target_moves_before_every_merge() {
    let world = World::new();
    world.rules(|rules| rules.method = Method::FastForward);
    let (forge, mut moves) = (world.forge.clone(), 0);
    // Each time the second robot approves, another merge lands.
    world.wire.weather(move |_, entry| {
        if entry.name == "approve" && entry.account == "rev-b" {
            moves += 1;
            forge.push(PROJECT, "main", "README.md", &format!("{moves}\n"));
        }
        None
    });
    let (mut world, id) = world.a2();
    world.run_until(&id, 10104);
    assert_eq!((world.applied("rebase"), world.applied("merge")), (3, 0));
    world.tells(&id, &["main moved again after 3 rebases of !1"]);
    assert!(world.buttons(&id).contains(&"resume".to_owned()));
    world.rules_hold();
    world.press_now(&id, "resume");
    world.run_until(&id, 10104);
    assert_eq!((world.applied("rebase"), world.applied("merge")), (6, 0));
    let pipelines = world.forge.with(PROJECT, |project, _| project.pipes.len());
    assert_eq!(pipelines, 1 + 6, "one for the first head, one for each rebase");
    world.wire.clear_faults();
    world.press_now(&id, "resume");
    world.until_effective(&id);
}

#[test]
fn c053_rebase_without_ci_leaves_a_skipped_pipeline_at_the_top() {
    // The outcome of this product: it waits in plain words, and then the result is unknown; Resume looks again.
    let (mut world, id) = World::behind(vec![Plan::ending("skipped", 2)]);
    world.run_until(&id, 10108);
    let (_, short) = world.head();
    world.run_until(&id, 10501);
    world.tells(&id, &[&format!("on {short} is skipped: neither passed nor failed")]);
    assert_eq!((world.applied("merge"), world.outlook(&id).as_str()), (0, "unknown"));
    world.rules_hold();
    world.forge.run_again(PROJECT, 1, Plan::green());
    world.press_now(&id, "resume");
    world.until_effective(&id);
    assert_eq!(world.applied("merge"), 1);
}

#[test]
fn c054_same_change_already_landed_and_mr_becomes_empty_after_the_rebase() {
    // The outcome of this product: it stops and says that the target holds the change already.
    let (mut world, id) = World::behind(vec![Plan::green()]);
    let text = world.forge.text(PROJECT, "main", ORDERS).unwrap();
    world.forge.push(PROJECT, "main", ORDERS, &text.replacen("timeout: 30", "timeout: 60", 1));
    world.run_until(&id, 10105);
    assert_eq!((world.applied("rebase"), world.applied("merge")), (1, 0));
    assert!(world.sent("merge") <= 2);
    world.tells(&id, &["After the rebase nothing is left in !1: main holds the change already"]);
    assert_eq!((world.status(&id).as_str(), world.validated_total()), ("HANDLE_FAILED", 0));
    world.rules_hold();
    world.press_now(&id, "close");
    world.run_until(&id, 10202);
}

#[test]
fn c055_commit_is_on_the_target_but_the_mr_still_says_opened() {
    let (mut world, id) = World::new().a2();
    world.rules(|rules| rules.state_lags = Duration::from_secs(600));
    world.run_until(&id, 10109);
    assert_eq!((world.writes(), world.sent("merge")), (HAPPY, 1));
    let (_, head) = world.head();
    world.tells(&id, &[&format!("main holds {head}: the merge is done, and the state of !1 lags behind")]);
    world.never_failed(&id);
    world.advance(Duration::from_secs(700));
    assert_eq!((world.step(&id), world.sent("merge")), (10109, 1));
    let merged = world.target().sha;
    let data = json!({"project": PROJECT, "mr_iid": 1, "status": "effective", "sha": merged});
    let callback = world.callback("deploy", "deploy.finished", data);
    world.deliver(&callback);
    world.until_effective(&id);
}
