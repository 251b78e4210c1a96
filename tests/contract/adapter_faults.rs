//! Each write through its adapter and each fault on its way: the error says what is known, and a second try adds nothing.

use std::{sync::Arc, time::Duration};

use futures::future::join_all;
use serde_json::json;
use signalbox_engine::{
    adapters::approval_http::HttpApprovalDesk,
    ports::{
        approval::{ApprovalDesk, NewTicket},
        error::{ErrorClass, RemoteResult},
        forge::{MrState, NewCommit, NewMergeRequest},
    },
    settings::Approval,
};

use crate::{
    desk::new_ticket,
    faulty::{ByName, Write, name},
    place::{Literal, Place, create},
    practice::{CONFIG, Practice},
    proxy::{FAULTS, Fault, Proxy},
};

/// The limit of one call: generous, because a slow machine must not look like a fault.
const TIMEOUT: &str = "2500ms";
/// Longer than that.
const LATE: Duration = Duration::from_millis(3200);

/// The practice remotes twice: as they are, and through the faulty proxies.
struct World {
    practice: Practice,
    plain: Place,
    faulty: Place,
    desk: HttpApprovalDesk,
    rules: Arc<ByName>,
}

/// One request on its way to the write that meets the fault.
#[derive(Default)]
struct Walk {
    name: String,
    source: String,
    target: String,
    start: String,
    head: String,
    iid: u64,
    ticket: String,
}

impl World {
    async fn begin() -> Self {
        let practice = Practice::begin().await;
        let rules = Arc::new(ByName::default());
        let gitlab = Proxy::before(&practice.sandbox.gitlab_url, rules.clone(), LATE).await;
        let desk_url = Proxy::before(&practice.sandbox.desk_url, rules.clone(), LATE).await.url;
        let settings: Approval = serde_json::from_value(json!({
            "url": desk_url, "token": practice.sandbox.desk_token, "timeout": TIMEOUT,
            "callback_secret": practice.sandbox.approval_secret,
        }))
        .unwrap();
        let plain = practice.place(CONFIG, &practice.sandbox.gitlab_url, "20s");
        let faulty = practice.place(CONFIG, &gitlab.url, TIMEOUT);
        // What every call needs to know is read before anything is lost.
        faulty.forge.project(&faulty.scope, CONFIG).await.unwrap();
        Self { plain, faulty, desk: HttpApprovalDesk::new(&settings, Arc::new(Literal)).unwrap(), rules, practice }
    }

    /// Everything up to the write, past the proxies.
    async fn prepare(&self, write: Write, fault: Fault) -> Walk {
        let name = name(write, fault);
        let at = &self.plain;
        let mut walk = Walk { source: at.branch(&format!("{name}/change")), name, ..Walk::default() };
        if write == Write::Cancel {
            // A request that is called otherwise meets no fault.
            let new = NewTicket { title: "prepared".into(), ..new_ticket(&walk.name, "http://127.0.0.1:9") };
            walk.ticket = self.desk.create(&at.scope, &new).await.unwrap().id;
            self.rules.know(&format!("approvals/{}", walk.ticket), &walk.name);
        }
        if matches!(write, Write::Ticket | Write::Cancel) {
            return walk;
        }
        walk.target = at.branch(&format!("{}/target", walk.name));
        let first = vec![create("contract/first.txt", "first\n")];
        walk.start = at.commit(&walk.target, &at.start().await, first).await;
        if write == Write::Commit {
            return walk;
        }
        walk.head = at.forge.commit_files(&at.scope, &at.project, &self.commit(&walk)).await.unwrap().sha;
        if write == Write::Open {
            return walk;
        }
        let opened = at.forge.open_merge_request(&at.scope, &at.project, &self.merge_request(&walk)).await;
        walk.iid = opened.unwrap().iid;
        self.rules.know(&format!("31/merge_requests/{}", walk.iid), &walk.name);
        match write {
            Write::Merge => drop(at.make_mergeable(walk.iid).await),
            Write::Rebase => {
                at.commit_onto(&walk.target, vec![create("contract/later.txt", "later\n")]).await;
            }
            _ => {}
        }
        walk
    }

    fn commit(&self, walk: &Walk) -> NewCommit {
        let files = vec![create(&format!("contract/{}.txt", walk.name), "ours\n")];
        NewCommit {
            branch: walk.source.clone(),
            start_sha: walk.start.clone(),
            message: format!("{}\n\nSignalbox-Operation: {}", walk.name, walk.name),
            files,
        }
    }

    fn merge_request(&self, walk: &Walk) -> NewMergeRequest {
        NewMergeRequest { title: walk.name.clone(), ..self.faulty.new_merge_request(&walk.source, &walk.target) }
    }

    async fn write(&self, write: Write, walk: &Walk) -> RemoteResult<()> {
        let Place { forge, scope, project, .. } = &self.faulty;
        match write {
            Write::Ticket => self.desk.create(scope, &new_ticket(&walk.name, "http://127.0.0.1:9")).await.map(drop),
            Write::Cancel => self.desk.cancel(scope, &walk.ticket, "not needed").await.map(drop),
            Write::Commit => forge.commit_files(scope, project, &self.commit(walk)).await.map(drop),
            Write::Open => forge.open_merge_request(scope, project, &self.merge_request(walk)).await.map(drop),
            Write::Approve => forge.approve(scope, project, walk.iid, &walk.head, 0).await,
            Write::Rebase => forge.rebase(scope, project, walk.iid).await,
            Write::Merge => forge.merge(scope, project, walk.iid, &walk.head).await,
            Write::Close => forge.close(scope, project, walk.iid).await,
        }
    }

    /// How many effects of the write the remote shows.
    async fn effects(&self, write: Write, walk: &Walk) -> usize {
        let at = &self.plain;
        let Place { forge, scope, project, .. } = at;
        let made = async |to: &str| {
            let commits = forge.commits_between(scope, project, &walk.start, to).await.unwrap();
            let mark = format!("Signalbox-Operation: {}", walk.name);
            commits.iter().filter(|commit| commit.message.contains(&mark)).count()
        };
        match write {
            Write::Ticket => {
                let tickets = self.practice.tickets().await;
                tickets.iter().filter(|ticket| ticket["request_id"] == walk.name.as_str()).count()
            }
            Write::Cancel => {
                let tickets = self.practice.tickets().await;
                let mine = |ticket: &&serde_json::Value| ticket["request_id"] == walk.name.as_str();
                tickets.iter().filter(mine).filter(|ticket| ticket["state"] == "withdrawn").count()
            }
            Write::Commit => match forge.branch(scope, project, &walk.source).await.unwrap() {
                Some(_) => made(&walk.source).await,
                None => 0,
            },
            Write::Open => forge.merge_requests_of(scope, project, &walk.source).await.unwrap().len(),
            Write::Approve => forge.approvals(scope, project, walk.iid).await.unwrap().len(),
            Write::Rebase => {
                let mr = at.until(walk.iid, "through with its rebase", |mr| !mr.rebase_in_progress).await;
                usize::from(mr.behind == Some(0) && mr.merge_error.is_none()) * made(&walk.source).await
            }
            Write::Merge => made(&walk.target).await,
            Write::Close => usize::from(at.read(walk.iid).await.state == MrState::Closed),
        }
    }
}

/// What the adapter must say about the first try. A write whose answer did not come is never anything but ambiguous.
fn expected(write: Write, fault: Fault) -> Option<ErrorClass> {
    match (fault, write) {
        (Fault::RepeatedLater, _) => None,
        (Fault::Doubled, Write::Ticket | Write::Cancel | Write::Close) => None,
        (Fault::Doubled, Write::Commit | Write::Open) => Some(ErrorClass::AlreadyExists),
        (Fault::Doubled, Write::Rebase) => Some(ErrorClass::Retryable),
        (Fault::Doubled, Write::Approve | Write::Merge) => Some(ErrorClass::Terminal),
        _ => Some(ErrorClass::Ambiguous),
    }
}

async fn one_effect(write: Write) {
    let world = World::begin().await;
    let walk = async |fault: Fault| {
        let walk = world.prepare(write, fault).await;
        let tried = world.write(write, &walk).await;
        assert_eq!(tried.as_ref().err().map(|error| error.class), expected(write, fault), "{}: {tried:?}", walk.name);
        if fault == Fault::ArrivesLate {
            assert_eq!(world.effects(write, &walk).await, 0, "{}", walk.name);
        }
        tokio::time::sleep(LATE).await;
        let arrived = usize::from(fault != Fault::RequestLost);
        assert_eq!(world.effects(write, &walk).await, arrived, "{} after {tried:?}", walk.name);
        // The second try of somebody who did not look; what it is told does not matter here.
        let again = world.write(write, &walk).await;
        assert_eq!(world.effects(write, &walk).await, 1, "{} after {again:?}", walk.name);
    };
    join_all(FAULTS.into_iter().map(walk)).await;
}

macro_rules! one_effect_each {
    ($($name:ident: $write:ident),* $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                one_effect(Write::$write).await;
            }
        )*
    };
}

one_effect_each! {
    a_ticket: Ticket,
    a_cancelled_ticket: Cancel,
    a_commit_on_a_new_branch: Commit,
    an_opened_merge_request: Open,
    an_approval: Approve,
    a_rebase: Rebase,
    a_merge: Merge,
    a_closed_merge_request: Close,
}
