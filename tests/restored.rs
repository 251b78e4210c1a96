//! Yesterday's backup is put in place: the remotes have gone on, and what they show wins. Nothing is done twice.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

mod support;

use std::{collections::BTreeSet, time::Duration};

use signalbox_engine::{
    ports::approval::TicketState,
    store::{backup, verify},
};
use support::{PROJECT, World};

/// Goes on to the end, as people and senders take part in it. Who has decided does not decide again.
#[track_caller]
fn to_the_end(world: &mut World, id: &str, about: &str) {
    let end = world.clock.millis() + 24 * 3600 * 1000;
    let mut deployed = false;
    while world.step(id) != 10301 {
        let failed = world.operation(id)["outlook"] == "failed";
        assert!(!failed, "{about}: {}\n{}", world.error(id), world.story());
        let undecided = world.desk.of(id).is_some_and(|ticket| ticket.state == TicketState::Pending);
        match world.step(id) {
            10402 if undecided => world.approve(id),
            10109 if !deployed => {
                world.deploy(id, "effective");
                deployed = true;
            }
            _ => assert!(world.step_before(end), "{about}: it hangs\n{}", world.story()),
        }
        world.turn();
    }
}

/// One of each effect outside, whatever is on record here.
#[track_caller]
fn once_outside(world: &mut World, id: &str, about: &str) {
    for effect in ["create", "commit_files", "open_merge_request", "merge"] {
        assert_eq!(world.applied(effect), 1, "{about}: {effect}\n{}", world.story());
    }
    let mr = world.forge.mr(PROJECT, world.iid_of(id));
    let given: BTreeSet<_> = mr.approvals_given.iter().collect();
    assert_eq!((given.len(), mr.approvals_given.len()), (2, 2), "{about}: {given:?}");
    assert_eq!(world.validated_total(), 1, "{about}");
}

/// A backup of every call of a run is put in place after the run has ended.
#[track_caller]
fn every_backup_leads_to_the_same_end(order: &str) {
    let settings = format!("flow.order = \"{order}\"\ndeploy.sweep = \"1h\"");
    let mut clean = World::with(&settings);
    let id = clean.submit();
    let before = clean.wire.calls();
    to_the_end(&mut clean, &id, "the clean run");
    for call in before..clean.ledger().len() {
        let about = format!("{order}, a backup in call {call} ({})", clean.ledger()[call].name);
        let mut world = World::with(&settings);
        let backup = world.back_up_in_call(call);
        let id = world.submit();
        to_the_end(&mut world, &id, &about);
        once_outside(&mut world, &id, &about);
        world.advance(Duration::from_secs(24 * 3600));
        world.restore(&backup);
        let stands = world.step(&id);
        assert!(!(10301..=10400).contains(&stands), "{about}: the backup is older than the end, not {stands}");
        to_the_end(&mut world, &id, &format!("restored: {about}"));
        once_outside(&mut world, &id, &format!("restored: {about}"));
    }
}

#[test]
fn an_approval_first_request_is_found_where_the_remotes_have_it() {
    every_backup_leads_to_the_same_end("approval-first");
}

#[test]
fn an_mr_first_request_is_found_where_the_remotes_have_it() {
    every_backup_leads_to_the_same_end("mr-first");
}

/// A request that was made after the backup is unknown: what comes in about it is kept as foreign, and its relation is free.
#[test]
fn a_request_made_after_the_backup_can_be_asked_for_again() {
    let mut clean = World::new();
    clean.submit();
    let call = clean.wire.calls();
    let mut world = World::new();
    let backup = world.back_up_in_call(call);
    let first = world.submit();
    world.run_until(&first, 10402);
    let lost = world.submit_memo("later");
    world.run_until(&lost, 10402);
    world.restore(&backup);
    assert_eq!(world.ids(), std::slice::from_ref(&first));
    let callback = world.approval_callback(&lost, "approved");
    let answer = world.deliver(&callback);
    assert_eq!((answer.status, answer.body["verdict"].as_str()), (200, Some("ignored_foreign")), "{}", answer.body);
    let again = world.submit_memo("later");
    assert_ne!(again, lost);
    world.finish(&again);
    world.finish(&first);
}

#[test]
fn a_backup_is_made_every_so_often_and_seven_are_kept() {
    let mut world = World::with("engine.backup = \"1h\"");
    let id = world.submit();
    world.run_until(&id, 10402);
    world.advance(Duration::from_secs(3600 + 300));
    assert_eq!(backup::list(world.data_dir()).len(), 1, "none at the first start, the first after an hour");
    world.restart();
    world.advance(Duration::from_secs(1800));
    assert_eq!(backup::list(world.data_dir()).len(), 1, "a restart makes none out of turn");
    world.sleep_machine(Duration::from_secs(9 * 3600));
    world.advance(Duration::from_secs(600));
    assert_eq!(backup::list(world.data_dir()).len(), 2, "after a night asleep one, not nine");
    world.advance(Duration::from_secs(9 * 3600));
    let kept = backup::list(world.data_dir());
    assert_eq!(kept.len(), 7);
    assert!(kept.windows(2).all(|pair| (3_600_000..3_900_000).contains(&(pair[0].at - pair[1].at))), "{kept:?}");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for copy in &kept {
        assert_eq!(runtime.block_on(verify::verify(&copy.file)).unwrap().faults, [""; 0]);
    }
}
