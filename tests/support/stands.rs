//! A request at any step one asks for, with its merge request where the step may have one.

use std::time::Duration;

use signalbox_engine::ports::error::ErrorClass;

use super::{
    fault::Fault,
    forge::model::{Method, Plan, Rules},
    kinds::{ORDERS, PROJECT},
    world::World,
};

/// Settings under which one ladder ends soon.
fn short(ladder: &str) -> String {
    format!("gitlab.wait.{ladder}.max_looks = 4")
}

/// Settings under which errors are tried for a long time.
const PATIENT: &str = "approval.max_retries = 60\ngitlab.approve.max_retries = 60\ngitlab.wait.max_looks = 60";

/// The remote says no, for good.
pub fn refused() -> Fault {
    Fault::Refuse { class: ErrorClass::Terminal, status: Some(403), message: "403 Forbidden".into(), retry_after: None }
}

/// The remote is down.
pub fn down() -> Fault {
    Fault::Refuse { class: ErrorClass::Retryable, status: Some(503), message: "down".into(), retry_after: None }
}

impl World {
    /// Changes how the project behaves.
    pub fn rules(&self, change: impl FnOnce(&mut Rules)) {
        self.forge.with(PROJECT, |project, _| change(&mut project.rules));
    }

    /// Somebody adds a file to the target branch, so that it is ahead.
    pub fn target_moves(&self) {
        self.forge.push(PROJECT, "main", "README.md", &format!("moved at {}\n", self.clock.millis()));
    }

    /// Somebody changes the very lines on the target branch that our request edits.
    pub fn target_conflicts(&self) {
        let text = self.forge.text(PROJECT, "main", ORDERS).unwrap();
        let other = text.replace("    timeout: 30\n", "    timeout: 31\n");
        assert_ne!(text, other);
        self.forge.push(PROJECT, "main", ORDERS, &other);
    }

    /// A branch of a request.
    pub fn branch_of(&self, id: &str) -> String {
        format!("signalbox/{id}")
    }

    /// Approved by the people, and on its way.
    fn approved(mut self) -> (Self, String) {
        let id = self.submit();
        self.run_until(&id, 10402);
        self.approve(&id);
        (self, id)
    }

    fn approved_until(self, step: i64) -> (Self, String) {
        let (mut world, id) = self.approved();
        world.run_until(&id, step);
        (world, id)
    }

    /// On its way to a rebase: the target is ahead and the project merges fast-forward only.
    fn needing_rebase(self, next: Option<Plan>) -> Self {
        self.rules(|rules| {
            rules.method = Method::FastForward;
            rules.next = [vec![Plan::ending("success", 4)]].into();
            rules.next.extend(next.map(|plan| vec![plan]));
        });
        self
    }

    fn behind_until(self, step: i64) -> (Self, String) {
        let (mut world, id) = self.approved_until(10005);
        world.target_moves();
        world.run_until(&id, step);
        (world, id)
    }

    /// A world and a request that stands at this step.
    pub fn standing_at(step: i64) -> (Self, String) {
        let failing = |world: Self| {
            world.rules(|rules| rules.usual = vec![Plan::ending("failed", 5)]);
            world.approved_until(10004)
        };
        let endless = |world: Self| {
            world.rules(|rules| rules.usual = vec![Plan::endless()]);
            world
        };
        let unmergeable = |world: Self| {
            world.rules(|rules| rules.approvals_required = 3);
            world
        };
        match step {
            10001 => {
                let (mut world, id) = failing(Self::with(PATIENT));
                world.wire.fault("merge_requests_of", 0, usize::MAX, down());
                world.press_now(&id, "resume");
                world.run_until(&id, 10001);
                (world, id)
            }
            10002 => Self::standing_at_checked(),
            10003 | 10007 => {
                let (mut world, id) = failing(Self::new());
                if step == 10003 {
                    world.wire.fault("merge_requests_of", 0, 1, refused());
                } else {
                    let branch = world.branch_of(&id);
                    world.forge.push(PROJECT, &branch, "stray.txt", "not ours\n");
                }
                world.press_now(&id, "resume");
                world.run_until(&id, step);
                (world, id)
            }
            10004 => failing(Self::new()),
            10005 => endless(Self::with(PATIENT)).approved_until(10005),
            10006 => {
                let mut world = Self::with("engine.max_active = 0");
                let id = world.submit();
                (world, id)
            }
            10101 => {
                let world = Self::with(PATIENT);
                world.wire.fault("approve", 0, usize::MAX, Fault::LoseCall);
                world.approved_until(10101)
            }
            10102 => unmergeable(Self::with(PATIENT)).approved_until(10102),
            10103 => {
                let world = Self::new();
                world.rules(|rules| rules.may_not_approve = vec!["rev-a".into()]);
                world.approved_until(10103)
            }
            10104 => {
                let world = Self::new();
                world.rules(|rules| rules.bot_may_merge = false);
                world.approved_until(10104)
            }
            10105 => {
                let (mut world, id) = Self::new().approved_until(10005);
                world.target_conflicts();
                world.run_until(&id, 10105);
                (world, id)
            }
            10106 => Self::new().needing_rebase(Some(Plan::ending("failed", 5))).behind_until(10106),
            10107 | 10503 => {
                let world =
                    Self::with(&if step == 10107 { PATIENT.to_owned() } else { short("rebase") }).needing_rebase(None);
                world.rules(|rules| rules.rebase_takes = Duration::from_secs(3600));
                world.behind_until(step)
            }
            10108 => Self::with(PATIENT).needing_rebase(Some(Plan::endless())).behind_until(10108),
            10501 => Self::with(&short("pipeline")).needing_rebase(Some(Plan::endless())).behind_until(10501),
            10109 => Self::new().approved_until(10109),
            10110 => {
                let (mut world, id) = endless(Self::new()).approved_until(10005);
                let branch = world.branch_of(&id);
                world.forge.push(PROJECT, &branch, "stray.txt", "not ours\n");
                world.run_until(&id, 10110);
                (world, id)
            }
            10111 => {
                let (mut world, id) = endless(Self::new()).approved_until(10005);
                world.forge.close_by_hand(PROJECT, world.iid_of(&id), "hal");
                world.run_until(&id, 10111);
                (world, id)
            }
            10201..=10203 => {
                let (mut world, id) = endless(Self::with(PATIENT)).approved_until(10005);
                match step {
                    10201 => world.wire.fault("close", 0, usize::MAX, down()),
                    10203 => world.wire.fault("close", 0, 1, refused()),
                    _ => {}
                }
                world.press_now(&id, "close");
                world.run_until(&id, step);
                (world, id)
            }
            10301 | 10302 => {
                let (mut world, id) = Self::new().approved_until(10109);
                world.deploy(&id, if step == 10301 { "effective" } else { "failed" });
                world.run_until(&id, step);
                (world, id)
            }
            10401 | 10403 => {
                let mut world = Self::with(&format!("flow.order = \"mr-first\"\n{PATIENT}"));
                match step {
                    10401 => world.wire.fault("create", 0, usize::MAX, Fault::LoseCall),
                    _ => world.wire.fault("create", 0, 1, refused()),
                }
                let id = world.submit();
                world.run_until(&id, step);
                (world, id)
            }
            10402 => {
                let mut world = Self::with("flow.order = \"mr-first\"");
                let id = world.submit();
                world.run_until(&id, 10402);
                (world, id)
            }
            10404 | 10405 => {
                let mut world = Self::new();
                let id = world.submit();
                world.run_until(&id, 10402);
                world.decide(&id, if step == 10404 { "rejected" } else { "withdrawn" });
                world.run_until(&id, step);
                (world, id)
            }
            10502 => endless(Self::with(&short("pipeline"))).approved_until(10502),
            10504 => unmergeable(Self::with(&short("merge"))).approved_until(10504),
            other => panic!("nobody knows how to stand at {other}"),
        }
    }

    /// 10002 is left at once; it lasts only while the one worker is held by another request.
    fn standing_at_checked() -> (Self, String) {
        let (mut world, id) = Self::with("engine.workers = 1").approved_until(10005);
        world.wire.fault("pipelines", 0, 1, Fault::Hold);
        world.until("the checks are being read", |world| !world.wire.blocked().is_empty());
        world.clock.advance(Duration::from_secs(8));
        let _other = world.submit_memo("other");
        world.wire.fault("by_request", 0, 1, Fault::Hold);
        world.clock.advance(Duration::from_millis(1));
        world.wire.release();
        world.run_until(&id, 10002);
        (world, id)
    }

    /// The number of the merge request, as the forge knows it.
    pub fn iid_of(&self, id: &str) -> u64 {
        let branch = self.branch_of(id);
        self.forge.with(PROJECT, |project, _| {
            project.mrs.iter().rev().find(|mr| mr.source == branch).map(|mr| mr.iid).expect("a merge request")
        })
    }
}
