//! What comes round by the clock and belongs to no single request: the sweep of merged requests, and compensations.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use crate::{compensation, engine::Core, reconcile};

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

async fn turn(core: &Arc<Core>) -> crate::store::StoreResult<Duration> {
    let mut pause = LONGEST_SLEEP;
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
        pause = pause.min(Duration::from_millis(u64::try_from(due - now).unwrap_or(0)));
    }
    compensation::replay_due(core).await?;
    if let Some(due) = core.store.next_compensation().await? {
        pause = pause.min(Duration::from_millis(u64::try_from(due - core.now()).unwrap_or(0)));
    }
    Ok(pause.max(Duration::from_millis(5)))
}
