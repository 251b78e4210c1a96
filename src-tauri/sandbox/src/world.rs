//! What all listeners and jobs of one sandbox share.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use serde_json::Value;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::accounts::place;
use crate::clock::{Millis, now};
use crate::git::Repo;
use crate::journal::Journal;
use crate::options::Options;
use crate::secrets::Secrets;
use crate::state::{Keeper, State, Work};
use crate::switches::{SwitchError, Switches};

/// Where the three listeners are.
#[derive(Debug, Clone)]
pub(crate) struct Urls {
    pub(crate) gitlab: String,
    pub(crate) desk: String,
    pub(crate) panel: String,
}

pub(crate) struct World {
    pub(crate) options: Options,
    pub(crate) switches: Switches,
    pub(crate) keeper: Keeper,
    pub(crate) repos: BTreeMap<u64, Repo>,
    pub(crate) secrets: Secrets,
    pub(crate) urls: OnceLock<Urls>,
    pub(crate) journal: Journal,
    /// Wakes the agenda when something was scheduled.
    pub(crate) agenda: Notify,
    /// Jobs that are being done right now.
    pub(crate) busy: Mutex<std::collections::BTreeSet<u64>>,
    pub(crate) stop: CancellationToken,
    pub(crate) client: reqwest::Client,
}

impl World {
    pub(crate) fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        self.keeper.read(look)
    }

    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        self.keeper.write(change)
    }

    pub(crate) fn urls(&self) -> Urls {
        let nowhere = || Urls { gitlab: String::new(), desk: String::new(), panel: String::new() };
        self.urls.get().cloned().unwrap_or_else(nowhere)
    }

    /// The repository of a project.
    pub(crate) fn repo(&self, project: u64) -> &Repo {
        &self.repos[&place(project).id]
    }

    pub(crate) fn value(&self, key: &str) -> u64 {
        self.read(|state| self.switches.value(state, key))
    }

    pub(crate) fn on(&self, key: &str) -> bool {
        self.value(key) > 0
    }

    /// Uses up one of the next n of a fault; true when it is to happen now.
    pub(crate) fn take(&self, key: &str) -> bool {
        self.on(key) && self.write(|state| self.switches.take(state, key))
    }

    pub(crate) fn count(&self, what: &str) {
        self.write(|state| state.count(what));
    }

    /// Sets a switch from the control API or the panel.
    pub(crate) fn set(&self, key: &str, value: &Value) -> Result<(), SwitchError> {
        self.write(|state| self.switches.set(state, key, value))
    }

    /// Does something later.
    pub(crate) fn schedule(&self, due: Millis, work: Work) {
        self.write(|state| state.schedule(due, work));
        self.agenda.notify_one();
    }

    /// A moment that lies so far ahead.
    pub(crate) fn after(&self, wait: std::time::Duration) -> Millis {
        now() + wait.as_millis() as Millis
    }
}
