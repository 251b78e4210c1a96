//! K06: approvals of the two robots are reset, refused, lost, and given again.

use signalbox_engine::ports::error::ErrorClass;

use crate::{
    given::{HAPPY, Writes, refusal},
    support::{Fault, PROJECT, Plan, World},
};

#[test]
fn c042_rebase_clears_approvals() {
    let (mut world, id) = World::behind(vec![Plan::green()]);
    let (old, _) = world.head();
    world.until_effective(&id);
    let (new, _) = world.head();
    assert_eq!(world.writes(), Writes { a: 2, b: 2, rebase: 1, ..HAPPY });
    assert_eq!(world.shas("approve"), [old.clone(), old, new.clone(), new.clone()]);
    assert_eq!(world.shas("merge"), [new]);
    assert_eq!(world.words(&id).iter().filter(|word| *word == "approved").count(), 2, "both rounds");
    world.never_failed(&id);
}

#[test]
fn c043_check_fails_between_rebase_and_renewed_approval() {
    let (mut world, id) = World::behind(vec![Plan::ending("failed", 5)]);
    world.run_until(&id, 10106);
    let (new, short) = world.head();
    world.tells(&id, &[&format!("on {short} ended as failed")]);
    assert!(world.forge.mr(PROJECT, 1).approved_by.is_empty());
    world.forge.run_again(PROJECT, 1, Plan { appears: std::time::Duration::ZERO, ..Plan::green() });
    world.press_now(&id, "resume");
    world.until_effective(&id);
    let given = world.forge.mr(PROJECT, 1).approvals_given;
    let renewed: Vec<_> = given.iter().filter(|(_, head)| *head == new).map(|(who, _)| who.as_str()).collect();
    assert_eq!(renewed, ["rev-a", "rev-b"], "what was approved before does not count for the new head");
    assert_eq!(world.applied("merge"), 1);
}

#[test]
fn c044_a_reviewer_bot_is_the_mrs_author() {
    let (mut world, id) = World::c1();
    world.forge.with(PROJECT, |project, _| project.mr(1).unwrap().author = "rev-a".into());
    world.pipeline_says("success");
    world.run_until(&id, 10103);
    assert_eq!((world.writes().a, world.writes().merge, world.outlook(&id).as_str()), (0, 0, "failed"));
    assert!(world.ledger().iter().filter(|e| e.name == "approve" && e.account == "rev-a").count() <= 2);
    world.tells(&id, &["rev-a made !1 itself and may not approve it. The token is good"]);
    assert!(!world.told(&id).contains("expired"));
    assert!(world.buttons(&id).contains(&"retry-approval".to_owned()));
    world.rules_hold();
    world.forge.replace_reviewer(0, "rev-c");
    world.press_now(&id, "retry-approval");
    world.until_effective(&id);
    let by: Vec<_> = world.forge.mr(PROJECT, 1).approvals_given.into_iter().map(|(who, _)| who).collect();
    assert_eq!(by, ["rev-c", "rev-b"]);
}

#[test]
fn c045_answer_to_approve_is_lost() {
    let refused = refusal(ErrorClass::Terminal, 401, "401 Unauthorized");
    for (faults, sent) in [(vec![Fault::LoseAnswer], 1), (vec![Fault::LoseAnswer, refused], 2)] {
        let (mut world, id) = World::new().a2();
        let twice = faults.len() > 1;
        for fault in faults {
            world.wire.fault_of("approve", "rev-a", 1, fault);
        }
        if twice {
            // The list does not show it yet either, so that the call is sent again and refused.
            world.wire.fault("approvals", 1, 1, refusal(ErrorClass::Retryable, 502, "Bad Gateway"));
        }
        world.run_until(&id, 10109);
        assert_eq!(world.writes(), HAPPY);
        let calls = world.ledger().iter().filter(|e| e.name == "approve" && e.account == "rev-a").count();
        assert!(calls <= sent, "{}", world.story());
        assert_eq!(world.forge.mr(PROJECT, 1).approved_by, ["rev-a", "rev-b"]);
        assert!(!world.told(&id).contains("The approval of rev-a"), "{}", world.told(&id));
        world.never_failed(&id);
        world.until_effective(&id);
    }
}
