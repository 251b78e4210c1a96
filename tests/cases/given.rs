//! Where a case begins, and what is looked at when it ends.

use serde_json::Value;
use signalbox_engine::{
    flow::{Outlook, Step},
    ports::{error::ErrorClass, forge::Commit},
};

use crate::support::{
    Fault, PROJECT, Plan, World,
    forge::model::{Method, Pipe},
};

/// What the remotes applied over a whole case. A branch is made with its commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Writes {
    pub ticket: usize,
    pub commit: usize,
    pub mr: usize,
    pub a: usize,
    pub b: usize,
    pub rebase: usize,
    pub merge: usize,
}

/// Everything once, and no rebase.
pub const HAPPY: Writes = Writes { ticket: 1, commit: 1, mr: 1, a: 1, b: 1, rebase: 0, merge: 1 };
/// A merge request that waits for its checks.
pub const OPENED: Writes = Writes { a: 0, b: 0, merge: 0, ..HAPPY };
/// A ticket, and nothing at GitLab.
pub const TICKET: Writes = Writes { ticket: 1, commit: 0, mr: 0, a: 0, b: 0, rebase: 0, merge: 0 };

/// A refusal with this status, of this class.
pub fn refusal(class: ErrorClass, status: u16, message: &str) -> Fault {
    Fault::Refuse { class, status: Some(status), message: message.into(), retry_after: None }
}

impl World {
    /// A1: the ticket is at the desk.
    pub fn a1() -> (Self, String) {
        let mut world = Self::new();
        let id = world.submit();
        world.run_until(&id, 10402);
        (world, id)
    }

    /// A2: the people have said yes.
    pub fn a2(mut self) -> (Self, String) {
        let id = self.submit();
        self.run_until(&id, 10402);
        self.approve(&id);
        (self, id)
    }

    /// C1: `!1` is open and its pipeline has not ended.
    pub fn c1() -> (Self, String) {
        Self::new().c1_of(&[Plan::endless()])
    }

    /// C1 with these pipelines.
    pub fn c1_of(self, plans: &[Plan]) -> (Self, String) {
        self.rules(|rules| rules.next = [plans.to_vec()].into());
        let (mut world, id) = self.a2();
        world.run_until(&id, 10005);
        (world, id)
    }

    /// C1 in a project that merges fast-forward only; then the target moves. The rebased head gets the pipelines of `next`.
    pub fn behind(next: Vec<Plan>) -> (Self, String) {
        let world = Self::new();
        world.rules(|rules| {
            rules.method = Method::FastForward;
            rules.next = [vec![Plan::green()], next].into();
        });
        let (mut world, id) = world.a2();
        world.run_until(&id, 10005);
        world.target_moves();
        (world, id)
    }

    /// F1: merged, and nothing heard of the deploy.
    pub fn f1() -> (Self, String) {
        let (mut world, id) = Self::new().a2();
        world.run_until(&id, 10109);
        (world, id)
    }

    /// The pipeline of the head says this word from now on.
    pub fn pipeline_says(&self, word: &'static str) {
        self.forge.with(PROJECT, |project, now| {
            let pipe = project.pipes.last_mut().unwrap();
            (pipe.born, pipe.plan) = (now, Plan { appears: std::time::Duration::ZERO, ..Plan::ending(word, 0) });
        });
    }

    /// The pipelines of a request say this word from now on.
    pub fn pipeline_of(&self, id: &str, word: &'static str) {
        let iid = self.iid_of(id);
        self.forge.with(PROJECT, |project, now| {
            for pipe in project.pipes.iter_mut().filter(|pipe| pipe.iid == iid) {
                (pipe.born, pipe.plan) = (now, Plan { appears: std::time::Duration::ZERO, ..Plan::ending(word, 0) });
            }
        });
    }

    /// A pipeline of any commit shows on `!1`, with this word.
    pub fn stray_pipeline(&self, sha: &str, word: &'static str) {
        self.forge.with(PROJECT, |project, now| {
            let plan = Plan { appears: std::time::Duration::ZERO, ..Plan::ending(word, 0) };
            let id = 900 + project.pipes.len() as u64;
            project.pipes.push(Pipe { id, iid: 1, sha: sha.into(), plan, born: now });
        });
    }

    /// The head of `!1`, and its first seven characters.
    pub fn head(&self) -> (String, String) {
        let head = self.forge.mr(PROJECT, 1).head;
        (head.clone(), head[..7].to_owned())
    }

    /// The newest commit of the target branch.
    pub fn target(&self) -> Commit {
        self.forge.with(PROJECT, |project, _| project.repo.commit(project.repo.head("main").unwrap()).unwrap())
    }

    /// What the remotes applied.
    pub fn writes(&self) -> Writes {
        let by = |account: &str| {
            self.ledger().iter().filter(|e| e.name == "approve" && e.applied && e.account == account).count()
        };
        Writes {
            ticket: self.applied("create"),
            commit: self.applied("commit_files"),
            mr: self.applied("open_merge_request"),
            a: by("rev-a"),
            b: by("rev-b"),
            rebase: self.applied("rebase"),
            merge: self.applied("merge"),
        }
    }

    /// How many calls to a remote changed something.
    pub fn writes_to(&self, remote: &str) -> usize {
        self.ledger().iter().filter(|entry| entry.remote == remote && entry.applied).count()
    }

    /// The shas that the applied calls of this name carried.
    pub fn shas(&self, name: &str) -> Vec<String> {
        self.ledger().into_iter().filter(|e| e.name == name && e.applied).filter_map(|e| e.sha).collect()
    }

    /// What an operator reads on the page of a request: sentence, hint, error, and every reason in the history.
    pub fn told(&mut self, id: &str) -> String {
        let page = self.operation(id);
        let mut texts = vec![page["sentence"].clone(), page["hint"].clone(), page["last_error"]["message"].clone()];
        texts.extend(self.history(id).into_iter().map(|row| row["reason"].clone()));
        texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
    }

    /// The operator reads all of these words.
    #[track_caller]
    pub fn tells(&mut self, id: &str, words: &[&str]) {
        let told = self.told(id);
        for word in words {
            assert!(told.contains(word), "{word:?} is not told:\n{told}");
        }
    }

    /// Buttons that may be pressed.
    pub fn buttons(&mut self, id: &str) -> Vec<String> {
        let page = self.get(&format!("/api/v1/operations/{id}/actions"));
        let actions = page["actions"].as_array().unwrap();
        let allowed = actions.iter().filter(|action| action["allowed"] == true);
        allowed.map(|action| action["action"].as_str().unwrap().to_owned()).collect()
    }

    /// The one sentence of the page.
    pub fn sentence(&mut self, id: &str) -> String {
        self.operation(id)["sentence"].as_str().unwrap().to_owned()
    }

    pub fn outlook(&mut self, id: &str) -> String {
        self.operation(id)["outlook"].as_str().unwrap().to_owned()
    }

    /// It never stood at a failed step.
    #[track_caller]
    pub fn never_failed(&mut self, id: &str) {
        let failed = |code: &i64| Step::from_code(*code).is_some_and(|step| step.outlook() == Outlook::Failed);
        let path = self.path(id);
        assert!(!path.iter().any(failed), "{path:?}\n{}", self.story());
    }

    /// Goes on until the deploy is confirmed.
    #[track_caller]
    pub fn until_effective(&mut self, id: &str) {
        self.run_until_merged(id);
        if self.step(id) == 10109 {
            self.deploy(id, "effective");
        }
        self.run_until(id, 10301);
        assert_eq!(self.status(id), "VALIDATED");
        self.rules_hold();
    }

    /// The rules that hold after every case.
    #[track_caller]
    pub fn rules_hold(&mut self) {
        self.invariants();
        self.nothing_unchecked_was_approved();
        for id in self.ids() {
            if self.outlook(&id) == "failed" {
                let (error, buttons) = (self.error(&id), self.buttons(&id));
                assert!(error.len() > 20 && !buttons.is_empty(), "{error:?} {buttons:?}\n{}", self.story());
            }
            let calls = self.get(&format!("/api/v1/operations/{id}/calls")).to_string();
            let texts = format!("{} {calls}", self.told(&id));
            for secret in ["whsec_", "hook-token", "YXBwcm92YWxz"] {
                assert!(!texts.contains(secret), "a secret is told: {texts}");
            }
        }
        let list = self.get("/api/v1/operations");
        assert_eq!(list["items"].as_array().unwrap().len(), self.ids().len(), "the list loads");
    }

    /// Every approval and merge carries a sha whose pipeline had passed by then.
    #[track_caller]
    fn nothing_unchecked_was_approved(&mut self) {
        let calls = self.ledger().into_iter().filter(|entry| matches!(entry.name, "approve" | "merge"));
        for call in calls {
            let sha = call.sha.expect("the sha is pinned");
            let passed = self.forge.with(PROJECT, |project, _| {
                let ended = |pipe: &Pipe| {
                    pipe.plan.ends.is_some_and(|ends| pipe.born + i64::try_from(ends.as_millis()).unwrap() <= call.at)
                };
                project.pipes.iter().any(|pipe| pipe.sha == sha && pipe.plan.word == "success" && ended(pipe))
            });
            assert!(passed, "{} of {sha} came before its checks had passed\n{}", call.name, self.story());
        }
    }
}
