//! The test's hands on the wire: what it reads there, what it scripts, and what it lets go.

use std::{collections::BTreeMap, sync::Arc};

use tokio::sync::{Notify, watch};

use super::{
    clock::ManualClock,
    fault::Fault,
    wire::{Blocked, Entry, Script, Wire},
};

impl Wire {
    pub fn new(clock: ManualClock) -> Self {
        Self {
            clock,
            ledger: Arc::default(),
            scripts: Arc::default(),
            weather: Arc::default(),
            blocked: Arc::default(),
            late: Arc::default(),
            releases: Arc::new(watch::channel(0).0),
            death: Arc::new(watch::channel(false).0),
            stirred: Arc::default(),
        }
    }

    /// All calls so far.
    pub fn ledger(&self) -> Vec<Entry> {
        self.ledger.lock().unwrap().clone()
    }

    /// The next `times` calls of this name meet a fault, after `skip` of them have passed.
    pub fn fault(&self, name: &'static str, skip: usize, times: usize, fault: Fault) {
        self.scripts.lock().unwrap().push(Script { name, account: None, skip, times, fault });
    }

    /// The same for the calls of one account.
    pub fn fault_of(&self, name: &'static str, account: &str, times: usize, fault: Fault) {
        let account = Some(account.to_owned());
        self.scripts.lock().unwrap().push(Script { name, account, skip: 0, times, fault });
    }

    /// Takes back every scripted fault.
    pub fn clear_faults(&self) {
        self.scripts.lock().unwrap().clear();
        *self.weather.lock().unwrap() = None;
    }

    /// Lets a function decide about every call.
    pub fn weather(&self, weather: impl FnMut(usize, &Entry) -> Option<Fault> + Send + 'static) {
        *self.weather.lock().unwrap() = Some(Box::new(weather));
    }

    /// Lets the calls that are held go on.
    pub fn release(&self) {
        self.releases.send_modify(|n| *n += 1);
    }

    /// Calls that wait inside a fake.
    pub fn blocked(&self) -> Vec<Blocked> {
        self.blocked.lock().unwrap().values().cloned().collect()
    }

    /// Effects that are late and whose time has come.
    pub fn catch_up(&self) {
        let now = self.clock.millis() + self.clock.set_back();
        let due: Vec<_> = self.late.lock().unwrap().extract_if(.., |(at, _)| *at <= now).collect();
        for (_, effect) in due {
            effect();
        }
    }

    /// When the next late effect or waiting call comes.
    pub fn next_due(&self) -> Option<i64> {
        let late = self.late.lock().unwrap().iter().map(|(at, _)| *at).min();
        let blocked = self.blocked.lock().unwrap().values().filter_map(|blocked| blocked.until).min();
        late.into_iter().chain(blocked).min().map(|due| due - self.clock.set_back())
    }

    /// Time passes for a person whose call waits for a slow remote.
    pub fn let_callers_wait(&self) {
        let outside = self.blocked().into_iter().filter(|blocked| blocked.task == 0);
        if let Some(until) = outside.filter_map(|blocked| blocked.until).max() {
            self.clock.advance_to(until - self.clock.set_back());
        }
    }

    /// True once a call has met its death; the driver has to end the engine.
    pub fn is_dying(&self) -> bool {
        *self.death.borrow()
    }

    /// Comes back once a call waits inside a fake, or meets its death.
    pub async fn stirs(&self) {
        self.stirred.notified().await;
    }

    /// Comes back once a call meets its death.
    pub async fn dies(&self) {
        drop(self.death.subscribe().wait_for(|dying| *dying).await);
    }

    /// How many calls were begun.
    pub fn calls(&self) -> usize {
        self.ledger.lock().unwrap().len()
    }

    /// A new engine begins: nothing of the old one waits any more.
    pub fn bury(&self) {
        self.death.send_replace(false);
        self.blocked.lock().unwrap().clear();
    }
}
