//! The crash matrix: the engine is killed at every remote call and after every commit of a whole run, once and again while it
//! recovers. Each cell ends effective, with one of each effect.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

mod support;

use std::{collections::BTreeSet, env, time::Instant};

use serde_json::json;
use support::forge::REVIEWERS;
use support::{Entry, Fault, Method, Moment, PROJECT, World, fields};

/// A whole run, as people and senders take part in it.
#[derive(Debug, Clone, Copy)]
struct Run {
    order: &'static str,
    rebase: bool,
}

const APPROVAL_FIRST: Run = Run { order: "approval-first", rebase: false };
const MR_FIRST: Run = Run { order: "mr-first", rebase: false };
const REBASED: Run = Run { order: "approval-first", rebase: true };

/// Where the engine is killed.
#[derive(Debug, Clone, Copy)]
enum Kill {
    Never,
    /// In this call, at this point, and again in the first call after the restart.
    InCall(usize, Moment, Option<Moment>),
    /// As soon as so many commits of moves are there.
    AfterCommit(i64),
}

impl Run {
    fn world(self, kill: Kill) -> World {
        let mut world = World::with(&format!("flow.order = \"{}\"", self.order));
        if self.rebase {
            world.rules(|rules| rules.method = Method::FastForward);
        }
        match kill {
            Kill::Never => {}
            Kill::InCall(call, moment, again) => {
                let mut again = again;
                world.wire.weather(move |number, _| {
                    let die = if number == call {
                        Some(moment)
                    } else if number > call {
                        again.take()
                    } else {
                        None
                    };
                    die.map(Fault::Die)
                });
            }
            Kill::AfterCommit(seq) => world.kill_at_change = Some(seq),
        }
        world
    }

    /// Plays the run to its end, whatever dies on the way.
    #[track_caller]
    fn play(self, kill: Kill) -> World {
        let mut world = self.world(kill);
        let body = json!({"kind": "limit", "fields": fields(), "idempotency_key": "the-one"});
        let id = loop {
            // A client that got no answer asks again under the same key.
            if let Some(answer) = world.try_call("ada", "POST", "/api/v1/changes", Some(body.clone())) {
                assert_eq!(answer.status, 202, "{kill:?}: {}", answer.body);
                break answer.body["operation_id"].as_str().unwrap().to_owned();
            }
        };
        let (mut approved, mut moved, mut deployed) = (false, !self.rebase, false);
        let name = id.clone();
        let end = world.clock.millis() + 24 * 3600 * 1000;
        while world.step(&id) != 10301 {
            let step = world.step(&id);
            let failed = world.operation(&id)["outlook"] == "failed";
            assert!(!failed, "{self:?} {kill:?}: {}\n{}", world.error(&name), world.story());
            match step {
                10402 if !approved => {
                    world.approve(&id);
                    approved = true;
                }
                10005 if !moved => {
                    world.target_moves();
                    moved = true;
                }
                10109 if !deployed => {
                    world.deploy(&id, "effective");
                    deployed = true;
                }
                _ => assert!(world.step_before(end), "{self:?} {kill:?}: it hangs\n{}", world.story()),
            }
            world.turn();
        }
        self.check(&mut world, &id, kill);
        world
    }

    #[track_caller]
    fn check(self, world: &mut World, id: &str, kill: Kill) {
        world.once(id);
        let mr = world.forge.mr(PROJECT, world.iid_of(id));
        let given: BTreeSet<_> = mr.approvals_given.iter().collect();
        assert_eq!(given.len(), mr.approvals_given.len(), "{self:?} {kill:?}: an approval was given twice");
        let heads = if self.rebase { 2 } else { 1 };
        assert!(given.len() <= 2 * heads, "{self:?} {kill:?}: {given:?}");
        assert_eq!(world.applied("rebase"), usize::from(self.rebase), "{self:?} {kill:?}");
        assert_eq!(world.validated_total(), 1);
        assert!(world.overslept.is_empty(), "{self:?} {kill:?}: somebody was overlooked: {:?}", world.overslept);
    }

    /// Kills at every point of every call.
    fn matrix(self, again: &[Option<Moment>]) {
        let began = Instant::now();
        let clean = self.play(Kill::Never).ledger();
        let mut cells = 0;
        for (number, call) in clean.iter().enumerate() {
            let once = [None];
            // By default a recovery dies again only where a write is at stake.
            let again = if call.write || soaking() { again } else { &once };
            for moment in moments(call) {
                for again in again {
                    let world = self.play(Kill::InCall(number, moment, *again));
                    assert!(world.deaths > 0, "{self:?}: nobody died in call {number} {moment:?}");
                    cells += 1;
                }
            }
        }
        println!("{self:?}: {} calls, {cells} cells, {:?}", clean.len(), began.elapsed());
    }
}

/// A read has no intent and no effect, so that two of the points are the same as others.
fn moments(call: &Entry) -> Vec<Moment> {
    let points = if call.write { Moment::ALL.to_vec() } else { vec![Moment::BeforeEffect, Moment::AfterAnswer] };
    if soaking() || call.write { points } else { points[..1].to_vec() }
}

fn soaking() -> bool {
    env::var_os("SIGNALBOX_SOAK").is_some()
}

/// How the first call of the recovery dies.
fn deaths_in_recovery() -> Vec<Option<Moment>> {
    if soaking() {
        [None].into_iter().chain(Moment::ALL.map(Some)).collect()
    } else {
        vec![None, Some(Moment::AfterEffect)]
    }
}

#[test]
fn an_approval_first_run_survives_every_kill() {
    APPROVAL_FIRST.matrix(&deaths_in_recovery());
}

#[test]
fn an_mr_first_run_survives_every_kill() {
    MR_FIRST.matrix(&deaths_in_recovery());
}

#[test]
fn a_run_with_a_rebase_survives_every_kill() {
    REBASED.matrix(&deaths_in_recovery());
}

#[test]
fn every_run_survives_a_kill_after_every_commit() {
    for run in [APPROVAL_FIRST, MR_FIRST, REBASED] {
        let mut clean = run.play(Kill::Never);
        let commits = clean.count("SELECT max(seq) FROM outbox");
        for commit in 1..commits {
            let world = run.play(Kill::AfterCommit(commit));
            assert_eq!(world.deaths, 1, "{run:?}: nobody died after commit {commit}");
        }
    }
}

#[test]
fn a_run_survives_a_kill_in_every_call() {
    for run in [APPROVAL_FIRST, MR_FIRST, REBASED] {
        let mut world = run.world(Kill::Never);
        // The same call dies only once: it is told apart by what it does and how often it was tried.
        let mut died = BTreeSet::new();
        world.wire.weather(move |_, call| {
            let point = (call.name, call.about.clone(), call.sha.clone(), call.account.clone());
            (call.write && died.insert(point)).then_some(Fault::Die(Moment::AfterEffect))
        });
        let id = world.submit();
        world.run_until(&id, 10402);
        world.approve(&id);
        if run.rebase {
            world.run_until(&id, 10005);
            world.target_moves();
        }
        world.run_until_merged(&id);
        world.deploy(&id, "effective");
        world.run_until(&id, 10301);
        run.check(&mut world, &id, Kill::Never);
        assert!(world.deaths >= 6, "{} deaths", world.deaths);
    }
}

#[test]
fn tries_that_died_with_the_process_are_counted() {
    for moment in [Moment::AfterEffect, Moment::AfterAnswer] {
        let mut world = World::with("[gitlab.approve]\nmax_retries = 3");
        world.rules(|rules| rules.may_not_approve = vec![REVIEWERS[0].to_owned()]);
        world.wire.weather(move |_, call| {
            (call.name == "approve" && call.account == REVIEWERS[0]).then_some(Fault::Die(moment))
        });
        let id = world.submit();
        world.run_until(&id, 10402);
        world.approve(&id);
        world.run_until(&id, 10103);
        let tries = world.ledger().iter().filter(|call| call.name == "approve" && call.account == REVIEWERS[0]).count();
        assert_eq!(tries, 4, "one try and three retries, whoever died between them\n{}", world.story());
        assert!(world.error(&id).contains("sent 4 times"), "{}", world.error(&id));
        world.rules(|rules| rules.may_not_approve.clear());
        world.wire.clear_faults();
        world.press_now(&id, "retry-approval");
        world.run_until(&id, 10109);
        world.once(&id);
    }
}
