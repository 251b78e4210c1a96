//! K01: a write was sent, and nobody knows whether it took effect.

use std::time::Duration;

use crate::{
    given::{HAPPY, OPENED, Writes},
    support::{
        Fault, Moment, PROJECT, World,
        forge::{BOT, model::Method},
    },
};

#[test]
fn c001_commit_accepted_and_killed_before_the_answer_is_stored() {
    let (mut world, id) = World::new().a2();
    world.wire.fault("commit_files", 0, 1, Fault::Die(Moment::AfterEffect));
    world.run_until(&id, 10005);
    assert_eq!((world.deaths, world.writes()), (1, OPENED));
    let ledger = world.ledger();
    let commit = ledger.iter().position(|entry| entry.name == "commit_files").unwrap();
    assert!(!ledger[commit + 1].write, "the first call after the start reads: {:?}", ledger[commit + 1]);
    world.tells(&id, &["Found commit", "of this request on signalbox/"]);
    world.until_effective(&id);
    world.never_failed(&id);
    assert_eq!(world.writes(), HAPPY);
}

#[test]
fn c002_mr_create_ends_in_504_although_the_mr_was_made() {
    let (mut world, id) = World::new().a2();
    world.wire.fault("open_merge_request", 0, 1, Fault::LoseAnswer);
    world.run_until(&id, 10005);
    assert_eq!(world.writes(), OPENED);
    assert!(world.sent("open_merge_request") <= 2);
    world.tells(&id, &["Found !1 of this request"]);
    world.never_failed(&id);
    world.until_effective(&id);
}

/// A merge request from our branch that somebody opened after our own call was lost.
fn somebody_opened(author: &'static str, target: &'static str, marked: bool) -> (World, String) {
    let (mut world, id) = World::new().a2();
    world.wire.fault("open_merge_request", 0, 1, Fault::LoseCall);
    world.until("our call is lost", |world| world.sent("open_merge_request") == 1);
    let source = world.branch_of(&id);
    let text = if marked { format!("Signalbox-Operation: {id}") } else { "Please merge".into() };
    world.forge.with(PROJECT, |project, now| {
        let main = project.repo.head("main").unwrap().clone();
        project.repo.branches.entry("release".into()).or_insert(main);
        let iid = project.open_mr(&source, target, "Mine", &text, author, now);
        let head = project.repo.head(&source).unwrap().clone();
        project.head_changed(iid, &head, now);
    });
    world.settle();
    (world, id)
}

#[test]
fn c002_only_a_merge_request_that_is_ours_in_every_respect_is_adopted() {
    for (author, target, marked, told) in [
        ("sam", "main", true, "!1 on branch signalbox/"),
        ("sam", "main", false, "belongs to sam, not to this request"),
        (BOT, "release", true, "pointed at release instead of main"),
    ] {
        let (mut world, id) = somebody_opened(author, target, marked);
        assert_eq!(world.step(&id), 10007, "{author} {target}\n{}", world.story());
        world.tells(&id, &[told]);
        assert_eq!(world.writes(), Writes { mr: 0, ..OPENED });
        world.rules_hold();
    }
    let (mut world, id) = somebody_opened(BOT, "main", true);
    world.until_effective(&id);
}

#[test]
fn c003_merge_call_loses_its_connection_and_merge_happened() {
    let (mut world, id) = World::new().a2();
    world.wire.fault("merge", 0, 1, Fault::LoseAnswer);
    world.run_until(&id, 10109);
    assert_eq!((world.writes(), world.sent("merge")), (HAPPY, 1));
    let merged = world.target().sha;
    world.tells(&id, &["read back as merged into main", &merged[..7]]);
    world.never_failed(&id);
    world.until_effective(&id);
}

#[test]
fn c003_a_second_merge_call_that_is_refused_fails_nothing() {
    let (mut world, id) = World::new().a2();
    // The answer is lost, and the merge happens only after the next call was sent.
    world.wire.fault("merge", 0, 1, Fault::Late(Duration::from_secs(13)));
    world.run_until(&id, 10109);
    assert_eq!(world.writes().merge, 1);
    world.never_failed(&id);
    world.until_effective(&id);
}

#[test]
fn c004_201_with_a_body_cut_in_the_middle() {
    // On the wire: tests/adapters. Here: the port says that the outcome is in doubt.
    let (mut world, id) = World::new().a2();
    world.wire.fault("open_merge_request", 0, 1, Fault::LoseAnswer);
    world.until("the answer is cut", |world| world.sent("open_merge_request") == 1);
    assert_eq!((world.step(&id), world.operation(&id)["mr"].is_null()), (10001, true), "nothing half is stored");
    let calls = world.items(&format!("/api/v1/operations/{id}/calls"));
    assert!(calls.iter().any(|call| call["error_class"] == "ambiguous"), "{calls:?}");
    world.run_until(&id, 10005);
    let mr = world.operation(&id)["mr"].clone();
    assert_eq!((mr["iid"].as_u64(), mr["head_sha"].as_str()), (Some(1), Some(world.head().0.as_str())));
    assert_eq!(world.writes(), OPENED);
    world.never_failed(&id);
    world.until_effective(&id);
}

/// One cell: the engine dies at this moment of this call, and again at the first call after its start.
fn cell(call: &'static str, account: Option<&'static str>, moment: Moment) {
    let world = World::new();
    world.rules(|rules| rules.method = Method::FastForward);
    let mut deaths = 0;
    world.wire.weather(move |_, entry| {
        let meant = entry.name == call && account.is_none_or(|account| account == entry.account);
        match deaths {
            0 if !meant => None,
            0 => {
                deaths = 1;
                Some(Fault::Die(moment))
            }
            1 => {
                deaths = 2;
                Some(Fault::Die(Moment::BeforeEffect))
            }
            _ => None,
        }
    });
    let mut world = world;
    let id = world.submit();
    world.run_until(&id, 10402);
    world.approve(&id);
    world.run_until(&id, 10005);
    world.target_moves();
    world.until_effective(&id);
    let cell = format!("{call} {account:?} {moment:?}");
    assert_eq!(world.deaths, 2, "{cell}");
    assert_eq!(world.writes(), Writes { a: 2, b: 2, rebase: 1, ..HAPPY }, "{cell}\n{}", world.story());
    assert!(world.clock.millis() - crate::support::clock::START < 180_000, "{cell} took too long\n{}", world.story());
    world.never_failed(&id);
    world.once(&id);
}

#[test]
fn c005_kill_matrix_of_every_write_and_once_more_during_recovery() {
    let calls = [
        ("create", None),
        ("commit_files", None),
        ("open_merge_request", None),
        ("approve", Some("rev-a")),
        ("approve", Some("rev-b")),
        ("rebase", None),
        ("merge", None),
    ];
    for (call, account) in calls {
        for moment in [Moment::BeforeEffect, Moment::AfterEffect, Moment::AfterAnswer] {
            cell(call, account, moment);
        }
    }
}
