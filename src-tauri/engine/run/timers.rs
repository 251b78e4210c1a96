//! What comes round by the clock and belongs to no single request: the sweep of merged requests, and compensations.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use crate::{
    compensation,
    engine::Core,
    reconcile,
    store::{StoreResult, operation::Millis},
};

use super::commit::millis;

const SWEEP: &str = "sweep";
/// The longest sleep between two looks at the timers.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);

/// Sweeps when the sweep is due, until it is told to stop.
pub async fn run(core: Arc<Core>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let woken = core.timers.notified();
        let pause = match turn(&core).await {
            Ok(pause) => pause,
            Err(failed) => {
                error!(error = %failed, "the timers could not be read; trying again in a second");
                Duration::from_secs(1)
            }
        };
        tokio::select! {
            () = stop.cancelled() => break,
            () = woken => {}
            () = core.clock.sleep(pause) => {}
        }
    }
}

/// One round of both, each also where the other failed: no trouble of merged requests keeps rejected ones from being closed.
async fn turn(core: &Arc<Core>) -> StoreResult<Duration> {
    let (swept, followed) = (sweep(core).await, follow(core).await);
    Ok(swept?.min(followed?).max(Duration::from_millis(5)))
}

/// Sweeps where it is time; how long until the next sweep.
async fn sweep(core: &Arc<Core>) -> StoreResult<Duration> {
    let every = core.settings().deploy.sweep;
    if !every.is_off() {
        let now = core.now();
        // A timer that lies further ahead than one whole round was set by a clock that has been turned back since.
        let due = core.store.timer(SWEEP).await?.filter(|due| *due <= now + millis(every.get()));
        let due = due.unwrap_or(now + millis(every.get()));
        let due = if due <= now {
            let swept = reconcile::sweep(core, false).await?;
            if !swept.advanced.is_empty() {
                info!(advanced = swept.advanced.len(), scanned = swept.scanned, "swept");
            }
            now + millis(every.get())
        } else {
            due
        };
        core.store.set_timer(SWEEP, due).await?;
        return Ok(until(due, now));
    }
    Ok(LONGEST_SLEEP)
}

/// Tries the work that follows from ended requests where it is due; how long until the next.
async fn follow(core: &Arc<Core>) -> StoreResult<Duration> {
    compensation::replay_due(core).await?;
    let next = core.store.next_compensation().await?;
    Ok(next.map_or(LONGEST_SLEEP, |due| until(due, core.now())))
}

fn until(due: Millis, now: Millis) -> Duration {
    Duration::from_millis(u64::try_from(due - now).unwrap_or(0)).min(LONGEST_SLEEP)
}
