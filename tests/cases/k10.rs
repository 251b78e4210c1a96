//! K10: credentials expire, rights are missing.

use signalbox_engine::ports::error::ErrorClass;

use crate::{
    given::{HAPPY, TICKET, Writes, refusal},
    support::World,
};

#[test]
fn c077_token_of_bot_b_expires_in_mid_flow() {
    let (mut world, id) = World::new().a2();
    let other = world.submit_memo("other");
    let text = "the token of `gitlab.reviewer_tokens[1]` (env:REVIEWER_2) has expired. Put a new one there";
    world.wire.fault_of("approve", "rev-b", usize::MAX, refusal(ErrorClass::Auth, 401, text));
    world.run_until(&id, 10103);
    let by_b = |world: &World| world.ledger().iter().filter(|e| e.name == "approve" && e.account == "rev-b").count();
    assert_eq!(world.writes(), Writes { ticket: 2, b: 0, merge: 0, ..HAPPY });
    assert!(by_b(&world) <= 2);
    world.tells(
        &id,
        &["GitLab refused the credential", "has expired", "gitlab.reviewer_tokens[1]", "rev-b has not approved"],
    );
    world.rules_hold();
    world.approve(&other);
    world.run_until(&other, 10103);
    world.wire.clear_faults();
    let sent = by_b(&world);
    world.press_now(&id, "retry-approval");
    world.run_until(&id, 10109);
    assert_eq!(by_b(&world), sent + 1, "once");
    let of_first = |account: &str| {
        world
            .ledger()
            .iter()
            .filter(|e| e.name == "approve" && e.about == "!1" && e.account == account && e.applied)
            .count()
    };
    assert_eq!((of_first("rev-a"), of_first("rev-b")), (1, 1), "the first one is not asked again");
    world.until_effective(&id);
}

#[test]
fn c078_commit_refused_by_a_protected_branch_or_push_rule() {
    for (status, text, never) in [
        (403, "You are not allowed to push into this branch: protected", "push rule"),
        (400, "Commit message does not follow the pattern 'CHG-[0-9]+'", "protected"),
    ] {
        let (mut world, id) = World::new().a2();
        world.wire.fault("commit_files", 0, usize::MAX, refusal(ErrorClass::Terminal, status, text));
        world.run_until(&id, 10003);
        assert_eq!((world.writes(), world.outlook(&id).as_str()), (TICKET, "failed"));
        assert!(world.sent("commit_files") <= 2, "no loop");
        world.tells(&id, &[text]);
        assert!(!world.told(&id).contains(never), "{}", world.told(&id));
        world.rules_hold();
        world.wire.clear_faults();
        world.press_now(&id, "resume");
        world.until_effective(&id);
    }
}

#[test]
fn c079_201_for_the_commit_but_the_branch_head_did_not_move() {
    let (mut world, id) = World::new().a2();
    world.rules(|rules| rules.commits_ignored = 99);
    world.run_until(&id, 10003);
    assert_eq!((world.sent("open_merge_request"), world.outlook(&id).as_str()), (0, "failed"));
    world.tells(&id, &["GitLab confirmed the commit", "does not hold it", "No merge request was opened"]);
    assert!(world.sent("commit_files") <= 3);
    world.rules_hold();
    world.rules(|rules| rules.commits_ignored = 0);
    world.press_now(&id, "resume");
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
}

#[test]
fn c080_the_author_bot_may_do_everything_except_merge() {
    for status in [401, 403] {
        let (mut world, id) = World::new().a2();
        world.wire.fault("merge", 0, usize::MAX, refusal(ErrorClass::Terminal, status, "not allowed"));
        world.run_until(&id, 10104);
        assert_eq!(world.writes(), Writes { merge: 0, ..HAPPY });
        assert!(world.sent("merge") <= 2 && world.sent("rebase") == 0);
        world.tells(&id, &["The bot may not merge !1 into main", "Its token is good", "such as Maintainer"]);
        assert!(!world.told(&id).contains("expired"));
        world.rules_hold();
        world.wire.clear_faults();
        world.press_now(&id, "resume");
        world.until_effective(&id);
    }
}

#[test]
fn c080_a_token_that_is_no_longer_valid_is_not_taken_for_a_missing_right() {
    let (mut world, id) = World::new().a2();
    let text = "the token of `gitlab.bot_token` (env:BOT) was revoked. Put a new one there";
    world.wire.fault("merge", 0, 1, refusal(ErrorClass::Auth, 401, text));
    world.run_until(&id, 10104);
    world.tells(&id, &["GitLab refused the credential of bot", "was revoked"]);
    assert!(!world.told(&id).contains("may not merge"));
    world.press_now(&id, "resume");
    world.until_effective(&id);
}
