//! What both fake remotes share: every call goes through the journal as the real adapters do it, stands in a ledger, and may be
//! hit by a fault.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use signalbox_engine::ports::{
    error::{ErrorClass, RemoteError, RemoteResult},
    journal::{CallEnd, CallIntent, Effect, IntentRefused, Scope},
};
use tokio::sync::{Notify, watch};

use super::{
    clock::{ManualClock, this_task},
    fault::{Fault, Moment},
};

/// How long a remote may take before the engine's side gives up: `gitlab.timeout`.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// A call as the ledger keeps it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Wall time in milliseconds.
    pub at: i64,
    /// `gitlab` or `approval`.
    pub remote: &'static str,
    /// The function of the port: `merge`, `approve`, `create`.
    pub name: &'static str,
    pub account: String,
    pub method: &'static str,
    pub path: String,
    pub write: bool,
    /// The sha that the call pins or makes.
    pub sha: Option<String>,
    /// What the effect is about: a branch, `!7`, a request id.
    pub about: String,
    /// Did it change something?
    pub applied: bool,
    /// The status answered; None where no answer arrived.
    pub status: Option<u16>,
    /// Number of the intent in the engine's journal, for writes.
    pub intent: Option<i64>,
}

/// A call to be made.
pub struct Ask {
    pub remote: &'static str,
    pub name: &'static str,
    pub account: String,
    pub method: &'static str,
    pub path: String,
    pub write: bool,
    pub sha: Option<String>,
    pub about: String,
}

/// An answer of a fake: what it gives, and whether something was changed by it.
pub struct Said<T> {
    pub result: RemoteResult<T>,
    pub applied: bool,
}

/// Decides about every call: its number in the ledger and its entry.
type Weather = Box<dyn FnMut(usize, &Entry) -> Option<Fault> + Send>;

/// An effect that comes long after its call.
type Late = Box<dyn FnOnce() + Send>;

/// A fault for the calls of one name, after some have passed.
pub(super) struct Script {
    pub(super) name: &'static str,
    pub(super) account: Option<String>,
    pub(super) skip: usize,
    pub(super) times: usize,
    pub(super) fault: Fault,
}

/// A call that waits inside a fake remote.
#[derive(Debug, Clone)]
pub struct Blocked {
    pub task: u64,
    /// When it goes on by itself, in the time of the remotes.
    pub until: Option<i64>,
}

/// What both fakes write on.
#[derive(Clone)]
pub struct Wire {
    pub clock: ManualClock,
    pub(super) ledger: Arc<Mutex<Vec<Entry>>>,
    pub(super) scripts: Arc<Mutex<Vec<Script>>>,
    pub(super) weather: Arc<Mutex<Option<Weather>>>,
    pub(super) blocked: Arc<Mutex<BTreeMap<usize, Blocked>>>,
    pub(super) late: Arc<Mutex<Vec<(i64, Late)>>>,
    pub(super) releases: Arc<watch::Sender<u64>>,
    pub(super) death: Arc<watch::Sender<bool>>,
    pub(super) stirred: Arc<Notify>,
}

impl Wire {
    fn fault_for(&self, number: usize, entry: &Entry) -> Option<Fault> {
        let mut scripts = self.scripts.lock().unwrap();
        let of_it = |script: &&mut Script| {
            script.name == entry.name && script.account.as_ref().is_none_or(|account| *account == entry.account)
        };
        if let Some(script) = scripts.iter_mut().find(|script| of_it(script) && script.times > 0) {
            if script.skip > 0 {
                script.skip -= 1;
            } else {
                script.times -= 1;
                return Some(script.fault.clone());
            }
        }
        drop(scripts);
        self.weather.lock().unwrap().as_mut().and_then(|weather| weather(number, entry))
    }

    async fn die(&self) -> ! {
        self.death.send_replace(true);
        self.stirred.notify_one();
        std::future::pending().await
    }

    /// Makes a call: intent, effect, answer, record, with whatever fault is meant for it. `effect` is run at most once.
    pub async fn call<T: Send + 'static>(
        &self,
        scope: &Scope,
        ask: Ask,
        effect: impl FnOnce() -> Said<T> + Send + 'static,
    ) -> RemoteResult<T> {
        let remote = ask.remote;
        let account = ask.account.clone();
        let error = |class, status, message: String, retry_after| RemoteError {
            class,
            remote,
            account: account.clone(),
            status,
            message,
            retry_after,
            body: None,
        };
        let number = self.enter(&ask);
        let fault = self.fault_for(number, &self.entry(number));
        let died_at = |moment| matches!(fault, Some(Fault::Die(at)) if at == moment);
        if died_at(Moment::BeforeIntent) {
            self.die().await;
        }
        let intent = CallIntent {
            remote,
            account: ask.account.clone(),
            method: ask.method,
            path: ask.path.clone(),
            effect: if ask.write { Effect::Write } else { Effect::Read },
            attempt: scope.attempt,
            detail: ask.sha.as_ref().map(|sha| format!("sha {sha}")),
        };
        let record = if ask.write {
            match scope.journal.intend(&intent).await {
                Ok(id) => {
                    self.amend(number, |entry| entry.intent = Some(id));
                    Some(id)
                }
                Err(IntentRefused::Superseded) => {
                    return Err(error(ErrorClass::Superseded, None, "moved by somebody else".into(), None));
                }
                Err(IntentRefused::Store(why)) => return Err(error(ErrorClass::NotSent, None, why, None)),
            }
        } else {
            None
        };
        if died_at(Moment::BeforeEffect) {
            self.die().await;
        }
        let began = self.clock.millis();
        let unknown = if ask.write { ErrorClass::Ambiguous } else { ErrorClass::Retryable };
        let run = |wire: &Self, effect: Box<dyn FnOnce() -> Said<T> + Send>| {
            wire.catch_up();
            let said = effect();
            let status = said.result.as_ref().map_or_else(|error| error.status, |_| Some(200));
            wire.amend(number, |entry| (entry.applied, entry.status) = (said.applied, status));
            said.result
        };
        let result = match fault.clone() {
            Some(Fault::Refuse { class, status, message, retry_after }) => {
                // A read that stumbles may be repeated; only a write is in doubt.
                let class = if class == ErrorClass::Ambiguous && !ask.write { unknown } else { class };
                self.amend(number, |entry| entry.status = status);
                Err(error(class, status, message, retry_after))
            }
            Some(Fault::LoseCall) => Err(error(unknown, None, "the connection was lost".into(), None)),
            Some(Fault::LoseAnswer) => {
                let _unread = run(self, Box::new(effect));
                self.amend(number, |entry| entry.status = None);
                Err(error(unknown, None, "the connection was lost".into(), None))
            }
            Some(Fault::Late(after)) => {
                let wire = self.clone();
                let due = began + i64::try_from(after.as_millis()).unwrap();
                let late = Box::new(move || {
                    let said = effect();
                    wire.amend(number, |entry| entry.applied = said.applied);
                });
                self.late.lock().unwrap().push((due + self.clock.set_back(), late));
                self.wait(Some(began + i64::try_from(TIMEOUT.as_millis()).unwrap())).await;
                Err(error(unknown, None, "no answer within 10 s".into(), None))
            }
            Some(Fault::Panic) => panic!("a bug in the stage, as scripted"),
            Some(Fault::HoldAnswer) => {
                let result = run(self, Box::new(effect));
                self.wait(None).await;
                result
            }
            Some(Fault::Hold) => {
                self.wait(None).await;
                run(self, Box::new(effect))
            }
            Some(Fault::Die(_)) | None => run(self, Box::new(effect)),
        };
        if died_at(Moment::AfterEffect) {
            self.die().await;
        }
        let end = CallEnd {
            status: result.as_ref().map_or_else(|error| error.status, |_| Some(200)),
            took: Duration::from_millis(u64::try_from(self.clock.millis() - began).unwrap_or(0)),
            error: result.as_ref().err().map(|error| (error.class, error.message.clone())),
            request_id: None,
        };
        match record {
            Some(id) => scope.journal.settle(id, &end).await,
            None => scope.journal.note(&intent, &end).await,
        }
        if died_at(Moment::AfterAnswer) {
            self.die().await;
        }
        result
    }

    fn enter(&self, ask: &Ask) -> usize {
        let mut ledger = self.ledger.lock().unwrap();
        ledger.push(Entry {
            at: self.clock.millis(),
            remote: ask.remote,
            name: ask.name,
            account: ask.account.clone(),
            method: ask.method,
            path: ask.path.clone(),
            write: ask.write,
            sha: ask.sha.clone(),
            about: ask.about.clone(),
            applied: false,
            status: None,
            intent: None,
        });
        ledger.len() - 1
    }

    fn entry(&self, number: usize) -> Entry {
        self.ledger.lock().unwrap()[number].clone()
    }

    fn amend(&self, number: usize, change: impl FnOnce(&mut Entry)) {
        change(&mut self.ledger.lock().unwrap()[number]);
    }

    /// Waits inside a fake: until a moment of the wall as it is now, or until somebody releases it.
    async fn wait(&self, until: Option<i64>) {
        let until = until.map(|until| until + self.clock.set_back());
        let number = self.ledger.lock().unwrap().len();
        let key = number * 1000 + self.blocked.lock().unwrap().len();
        self.blocked.lock().unwrap().insert(key, Blocked { task: this_task(), until });
        let mut releases = self.releases.subscribe();
        self.stirred.notify_one();
        match until {
            Some(until) => self.clock.reaches(until).await,
            None => drop(releases.changed().await),
        }
        self.blocked.lock().unwrap().remove(&key);
    }
}
