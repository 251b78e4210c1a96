//! Time that stands still until the driver moves it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use signalbox_engine::ports::clock::Clock;
use tokio::sync::{Notify, watch};

/// Wall clock and steady clock in milliseconds. They move together, except where a test moves the wall alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Time {
    wall: i64,
    steady: i64,
    /// The wall of the remotes, which is never set back.
    remote: i64,
}

/// Somebody who waits for the steady clock.
#[derive(Debug, Clone, Copy)]
pub struct Sleeper {
    /// The task that sleeps.
    pub task: u64,
    /// The wall time at which it wakes, as things stand.
    pub until: i64,
    /// The wall was set since it fell asleep, so that it wakes at another moment than it meant to.
    pub wall_was_set: bool,
}

/// A clock that a test moves by hand. Like a machine's, its sleeps follow the steady time, its `now` the wall.
#[derive(Clone)]
pub struct ManualClock {
    time: Arc<watch::Sender<Time>>,
    sleepers: Arc<Mutex<BTreeMap<u64, Asleep>>>,
    serial: Arc<Mutex<u64>>,
    stirred: Arc<Notify>,
}

/// A sleep as it was begun.
#[derive(Debug, Clone, Copy)]
struct Asleep {
    task: u64,
    /// The steady time at which it ends.
    until: i64,
    /// How far the wall was ahead of the steady time.
    ahead: i64,
}

/// The moment at which every story begins: 2026-03-02 09:00:00 UTC, a Monday.
pub const START: i64 = 1_772_442_000_000;

impl Default for ManualClock {
    fn default() -> Self {
        Self {
            time: Arc::new(watch::channel(Time { wall: START, steady: 0, remote: START }).0),
            sleepers: Arc::default(),
            serial: Arc::default(),
            stirred: Arc::default(),
        }
    }
}

impl ManualClock {
    /// The wall time in milliseconds since 1970.
    pub fn millis(&self) -> i64 {
        self.time.borrow().wall
    }

    /// Time passes.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap();
        self.time.send_modify(|time| {
            time.wall += by;
            time.steady += by;
            time.remote += by;
        });
    }

    /// Time passes until this moment of the wall.
    pub fn advance_to(&self, wall: i64) {
        let by = wall - self.millis();
        self.advance(Duration::from_millis(u64::try_from(by).unwrap_or(0)));
    }

    /// The wall is set forward or back, by a person or because the machine slept; the steady clock knows nothing of it.
    pub fn step_wall(&self, by: i64) {
        self.time.send_modify(|time| {
            time.wall += by;
            time.remote += by.max(0);
        });
    }

    /// How far the time of the remotes is ahead of the wall: when ours is set back, theirs goes on.
    pub fn set_back(&self) -> i64 {
        let time = *self.time.borrow();
        time.remote - time.wall
    }

    /// Waits until the remotes' time comes to this moment.
    pub async fn reaches(&self, remote: i64) {
        self.time.subscribe().wait_for(|time| time.remote >= remote).await.unwrap();
    }

    /// Who sleeps now.
    pub fn sleepers(&self) -> Vec<Sleeper> {
        let time = *self.time.borrow();
        let sleepers = self.sleepers.lock().unwrap();
        let ahead = time.wall - time.steady;
        let shown = |asleep: &Asleep| Sleeper {
            task: asleep.task,
            until: asleep.until + ahead,
            wall_was_set: asleep.ahead != ahead,
        };
        sleepers.values().map(shown).collect()
    }

    /// How many sleeps have begun.
    pub fn slept(&self) -> u64 {
        *self.serial.lock().unwrap()
    }

    /// Comes back once another sleep has begun.
    pub async fn stirs(&self) {
        self.stirred.notified().await;
    }

    /// Forgets those who died with their engine.
    pub fn forget_sleepers(&self) {
        self.sleepers.lock().unwrap().clear();
    }
}

/// Number of the task that runs; 0 outside of any.
pub fn this_task() -> u64 {
    tokio::task::try_id().map_or(0, number)
}

/// A task's number.
pub fn number(task: tokio::task::Id) -> u64 {
    task.to_string().parse().unwrap()
}

/// Takes a sleeper off the list, however its sleep ends.
struct Listed<'a>(&'a ManualClock, u64);

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.0.sleepers.lock().unwrap().remove(&self.1);
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.millis()).unwrap()
    }

    async fn sleep(&self, time: Duration) {
        let mut seen = self.time.subscribe();
        let begun = *seen.borrow();
        let until = begun.steady + i64::try_from(time.as_millis()).unwrap();
        let serial = {
            let mut serial = self.serial.lock().unwrap();
            *serial += 1;
            *serial
        };
        let asleep = Asleep { task: this_task(), until, ahead: begun.wall - begun.steady };
        self.sleepers.lock().unwrap().insert(serial, asleep);
        self.stirred.notify_one();
        let _listed = Listed(self, serial);
        seen.wait_for(|time| time.steady >= until).await.unwrap();
    }
}
