//! Who is next: a sleep until the earliest due row, woken by every commit. No polling.

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{error, warn};

use crate::{
    engine::Core,
    store::{StoreResult, operation::Millis},
};

use super::{commit::millis, worker};

/// The longest sleep: a clock that was set, or a machine that slept, is noticed after so long.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);

/// A clock that shows so much less than before was set back; less is drift.
const DRIFT: Millis = 1000;

/// Notices a clock that was set back since `latest`, and winds the schedule back with it. Answers the time now.
pub async fn follow_clock(core: &Core, latest: Millis) -> StoreResult<Millis> {
    let now = core.now();
    if latest - now > DRIFT {
        warn!(seconds = (latest - now) / 1000, "the clock was set back; the next looks are set back with it");
        core.store.wind_back(latest - now, now, millis(core.settings().engine.lease.get())).await?;
        core.wake();
    }
    Ok(now)
}

/// Takes due requests until it is told to stop. Stages in flight belong to `tasks`.
pub async fn run(core: Arc<Core>, tasks: TaskTracker, stop: CancellationToken) {
    let workers = usize::try_from(core.settings().engine.workers.max(1)).unwrap_or(1);
    let free = Arc::new(Semaphore::new(workers));
    let mut serial = 0_u64;
    let mut latest = core.now();
    while !stop.is_cancelled() {
        let woken = core.scheduler.notified();
        let turn = async {
            latest = follow_clock(&core, latest).await?;
            next(&core, &tasks, &free, &mut serial).await
        };
        let pause = match turn.await {
            Ok(pause) => pause,
            Err(failed) => {
                error!(error = %failed, "due requests could not be read; trying again in a second");
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

/// Hands out what is due, and says how long nothing else will be.
async fn next(core: &Arc<Core>, tasks: &TaskTracker, free: &Arc<Semaphore>, serial: &mut u64) -> StoreResult<Duration> {
    let now = core.now();
    let places = u32::try_from(free.available_permits()).unwrap_or(0);
    let Some(due) = core.store.next_due().await? else { return Ok(LONGEST_SLEEP) };
    if due > now {
        return Ok(Duration::from_millis(u64::try_from(due - now).unwrap_or(0)).min(LONGEST_SLEEP));
    }
    if places == 0 {
        return Ok(LONGEST_SLEEP);
    }
    *serial += 1;
    let owner = format!("{}-{serial}", core.run_id);
    let until = now + millis(core.settings().engine.lease.get());
    for operation in core.store.take_due(now, &owner, until, places).await? {
        let Ok(permit) = free.clone().acquire_owned().await else { break };
        let (core, owner) = (core.clone(), owner.clone());
        tasks.spawn(async move {
            worker::work(core.clone(), operation, owner).await;
            drop(permit);
            core.scheduler.notify_one();
        });
    }
    Ok(Duration::ZERO)
}
