//! Time as a parameter: a whole day of waiting runs in a test in milliseconds.

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

/// Tells the time and sleeps.
#[async_trait]
pub trait Clock: Send + Sync {
    /// Now, as the wall clock says.
    fn now(&self) -> DateTime<Utc>;
    /// Sleeps for about this long.
    async fn sleep(&self, time: Duration);
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
    async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

/// A clock that starts at a given moment and moves with the runtime's own time, which a test can pause.
#[derive(Debug, Clone, Copy)]
pub struct RuntimeClock {
    start: DateTime<Utc>,
    since: tokio::time::Instant,
}

impl RuntimeClock {
    /// Starts at `start`.
    #[must_use]
    pub fn starting_at(start: DateTime<Utc>) -> Self {
        Self { start, since: tokio::time::Instant::now() }
    }
}

#[async_trait]
impl Clock for RuntimeClock {
    fn now(&self) -> DateTime<Utc> {
        self.start + chrono::Duration::from_std(self.since.elapsed()).unwrap_or_default()
    }
    async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}
