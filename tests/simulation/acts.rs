//! The storm: acts drawn from the seed, and the invariants after each of them.

use std::time::Duration;

use rand::{RngExt as _, rngs::StdRng};
use serde_json::json;

use super::weather::{chance, weather};
use crate::support::{Callback, Method, ORDERS, PROJECT, Plan, Source, World};

/// Acts of one storm.
const ACTS: u32 = 32;
/// Requests of one run at most.
const MOST_REQUESTS: usize = 5;

/// One run.
pub struct Simulation {
    pub world: World,
    pub ids: Vec<String>,
    rng: StdRng,
    /// Callbacks that were sent, to be sent again.
    sent: Vec<Callback>,
    log: Vec<String>,
}

impl Simulation {
    pub fn new(seed: u64) -> Self {
        let mut rng = chance(seed, "world", 0);
        let order = if rng.random() { "approval-first" } else { "mr-first" };
        let poll = if rng.random_range(0..4) == 0 { "0s" } else { "60s" };
        let workers = rng.random_range(1..5);
        let settings = format!("flow.order = \"{order}\"\napproval.poll = \"{poll}\"\nengine.workers = {workers}");
        let world = World::seeded(&settings, seed);
        world.rules(|rules| {
            rules.method = if rng.random() { Method::Merge } else { Method::FastForward };
            rules.locked_for = Duration::from_secs([0, 0, 0, 7, 300][rng.random_range(0..5)]);
            rules.rebases_lost = [0, 0, 1][rng.random_range(0..3)];
            rules.merges_ignored = [0, 0, 2][rng.random_range(0..3)];
            for _ in 0..4 {
                let plan = match rng.random_range(0..8) {
                    0 => Plan::endless(),
                    1 => Plan::ending("failed", 6),
                    2 => Plan::ending("manual", 6),
                    3 => Plan::green().of(Source::MergedResults),
                    4 => Plan::green().of(Source::Push),
                    _ => Plan::green(),
                };
                rules.next.push_back(vec![plan]);
            }
        });
        world.wire.weather(weather(seed, rng.random_range(0..14)));
        Self { world, ids: Vec::new(), rng, sent: Vec::new(), log: vec![settings] }
    }

    /// Acts, one after the other, each with its invariants.
    pub fn storm(&mut self) {
        self.submit();
        for _ in 0..ACTS {
            self.act();
            self.world.turn();
            self.check();
        }
    }

    /// Everything that must hold, with what was done so far where it does not.
    pub fn check(&mut self) {
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.world.invariants();
            let overslept = std::mem::take(&mut self.world.overslept);
            assert!(overslept.is_empty(), "somebody was overlooked: {overslept:?}\n{}", self.world.story());
        }));
        if let Err(wrong) = checked {
            eprintln!("{}", self.log.join("\n"));
            std::panic::resume_unwind(wrong);
        }
    }

    pub fn note(&mut self, what: &str) {
        let at = self.world.clock.millis() - crate::support::clock::START;
        self.log.push(format!("{at:>9} {what}"));
    }

    /// What was done, for a run that does not end.
    pub fn log(&self) -> String {
        self.log.join("\n")
    }

    fn act(&mut self) {
        let (roll, pick) = (self.rng.random_range(0..100), self.rng.random_range(0..1000_usize));
        let id = self.ids[pick % self.ids.len()].clone();
        match roll {
            0..36 => self.wait(),
            36..42 => self.submit(),
            42..58 => self.decide(&id),
            58..66 => self.deploy(&id),
            66..76 => self.press(&id),
            76..86 => self.meddle(&id),
            86..90 => self.send_again(),
            90..94 => {
                self.note("kill");
                self.world.restart();
            }
            94..96 => self.set_clock(),
            96..98 => drop(self.world.reconcile()),
            _ => self.turn_switch(),
        }
    }

    fn wait(&mut self) {
        let seconds = [1, 3, 10, 10, 30, 70, 200, 700][self.rng.random_range(0..8)];
        self.note(&format!("{seconds} s pass"));
        self.world.advance(Duration::from_secs(seconds));
    }

    fn submit(&mut self) {
        let n = self.ids.len();
        if n >= MOST_REQUESTS {
            return;
        }
        let body = if self.rng.random_range(0..3) > 0 || self.ids.is_empty() {
            json!({"kind": "memo", "fields": {"name": format!("memo-{n}"), "text": "as agreed"}})
        } else {
            let value = 100 + n;
            json!({"kind": "limit", "fields": {"service": "orders", "zone": "north", "limit": "memory", "value": value}})
        };
        let mut body = body;
        body["idempotency_key"] = json!(format!("key-{n}"));
        for _ in 0..9 {
            let answer = self.world.try_call("ada", "POST", "/api/v1/changes", Some(body.clone()));
            if let Some(id) = answer.as_ref().and_then(|answer| answer.body["operation_id"].as_str())
                && answer.as_ref().is_some_and(|answer| answer.status == 202)
            {
                self.note(&format!("submitted {id}"));
                self.ids.push(id.to_owned());
                return;
            }
        }
    }

    /// Somebody decides; the callback is lost, late, doubled, early or plain.
    fn decide(&mut self, id: &str) {
        let word =
            ["approved", "approved", "approved", "approved", "rejected", "withdrawn"][self.rng.random_range(0..6)];
        let (how, seconds) = (self.rng.random_range(0..6), self.rng.random_range(1..200));
        let pending = self.world.desk.of(id).is_some_and(|ticket| ticket.state.word() == "pending");
        let callback = self.world.approval_callback(id, word);
        self.note(&format!("{word} {id} ({how})"));
        if pending && how != 5 {
            self.world.desk.decide(id, word, "mira", Some("as agreed"));
        }
        match how {
            0 => {}
            1 => self.world.deliver_after(Duration::from_secs(seconds), callback.clone()),
            2 => drop(self.world.deliver_copies(&callback, 3)),
            // Signed and well-formed, and the desk has decided nothing of the kind, or nobody has been asked.
            _ => drop(self.world.deliver(&callback)),
        }
        self.sent.push(callback);
    }

    fn deploy(&mut self, id: &str) {
        let status = if self.rng.random_range(0..4) == 0 { "failed" } else { "effective" };
        let (how, seconds) = (self.rng.random_range(0..4), self.rng.random_range(1..900));
        if self.world.operation(id)["mr"].is_null() {
            return;
        }
        let callback = self.world.deploy_callback(id, status);
        self.note(&format!("deploy {status} {id} ({how})"));
        match how {
            0 => self.world.deliver_after(Duration::from_secs(seconds), callback.clone()),
            1 => drop(self.world.deliver_copies(&callback, 2)),
            _ => drop(self.world.deliver(&callback)),
        }
        self.sent.push(callback);
    }

    fn send_again(&mut self) {
        let pick = self.rng.random_range(0..1000_usize);
        if let Some(callback) = self.sent.get(pick % self.sent.len().max(1)).cloned() {
            self.note(&format!("again {}", callback.id));
            self.world.deliver(&callback);
        }
    }

    /// One operator, or two at a time who saw the same version.
    fn press(&mut self, id: &str) {
        const ACTIONS: [&str; 8] =
            ["resume", "resume", "resume", "retry-approval", "reconcile", "reconcile", "reconcile", "close"];
        let (one, other) = (ACTIONS[self.rng.random_range(0..8)], ACTIONS[self.rng.random_range(0..8)]);
        let both = self.rng.random_range(0..3) == 0;
        self.note(&format!("press {one} {} on {id}", if both { other } else { "" }));
        let presses: &[(&str, &str)] = if both { &[(one, "ada"), (other, "bob")] } else { &[(one, "ada")] };
        let (version, step) = (self.world.version(id), self.world.step(id));
        let answers = self.world.press_together(id, presses);
        // A look on demand moves nothing and takes nobody's view away; of the presses that move, one wins.
        let moves = |action: &str| action != "reconcile" && !(action == "retry-approval" && step == 10402);
        let taken =
            presses.iter().zip(&answers).filter(|((action, _), answer)| moves(action) && answer.status == 202).count();
        assert!(taken <= 1, "both of two presses on version {version} were taken\n{}", self.world.story());
    }

    /// Somebody acts in the forge by hand.
    fn meddle(&mut self, id: &str) {
        let what = self.rng.random_range(0..9);
        let branch = self.world.branch_of(id);
        let iid = self.world.forge.with(PROJECT, |project, _| {
            project.mrs.iter().rev().find(|mr| mr.source == branch).map(|mr| (mr.iid, mr.state.word().to_owned()))
        });
        self.note(&format!("by hand: {what} on {iid:?} of {id}"));
        let forge = self.world.forge.clone();
        match (what, iid) {
            (0..4, _) => self.world.target_moves(),
            (4, _) => {
                let text = forge.text(PROJECT, "main", ORDERS).unwrap();
                let moved = text.replace("memory: 512", "memory: 513");
                forge.push(PROJECT, "main", ORDERS, &moved);
            }
            (5, Some((iid, state))) if state == "opened" => forge.close_by_hand(PROJECT, iid, "hal"),
            (6, Some((iid, state))) if state == "opened" => forge.merge_by_hand(PROJECT, iid, "hal"),
            (7, Some((iid, state))) if state == "opened" => forge.unapprove(PROJECT, iid, "rev-a"),
            (8, Some((iid, state))) if state == "opened" => {
                let _stray = forge.push(PROJECT, &branch, &format!("stray-{iid}.txt"), "not ours\n");
            }
            _ => {}
        }
    }

    fn set_clock(&mut self) {
        let minutes = [-120, -5, 5, 60, 540][self.rng.random_range(0..5)];
        self.note(&format!("the clock is set by {minutes} min"));
        self.world.turn();
        self.world.clock.step_wall(minutes * 60_000);
        self.world.advance(Duration::from_secs(31));
    }

    fn turn_switch(&mut self) {
        let order = if self.rng.random() { "approval-first" } else { "mr-first" };
        self.note(&format!("from now on {order}"));
        self.world.call("PATCH", "/api/v1/settings", Some(json!({"flow": {"order": order}})));
    }
}
