//! A backup a day, while everything else goes on.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use crate::{
    engine::Core,
    store::{StoreResult, operation::Millis},
};

use super::commit::millis;

/// The timer of the next one.
pub const BACKUP: &str = "backup";
/// Whoever has just started has more urgent things to read from the disk.
const AFTER_START: Duration = Duration::from_secs(60);
/// The longest sleep: a clock that was set, or a machine that slept, is noticed after so long.
const LONGEST_SLEEP: Duration = Duration::from_secs(300);
/// When a backup that failed is tried again.
const AGAIN: Duration = Duration::from_secs(3600);

/// Makes a backup when one is due, until it is told to stop.
pub async fn run(core: Arc<Core>, stop: CancellationToken) {
    let mut pause = AFTER_START;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = core.clock.sleep(pause) => {}
        }
        pause = match turn(&core).await {
            Ok(pause) => pause.min(LONGEST_SLEEP),
            Err(failed) => {
                error!(error = %failed, "the timer of the backups could not be read or set");
                LONGEST_SLEEP
            }
        };
    }
}

/// Backs up where it is due. Says how long nothing will be.
async fn turn(core: &Arc<Core>) -> StoreResult<Duration> {
    let every = core.settings().engine.backup;
    if every.is_off() {
        return Ok(LONGEST_SLEEP);
    }
    let now = core.now();
    // A timer that lies further ahead than one whole round was set by a clock that has been turned back since.
    let held = core.store.timer(BACKUP).await?.filter(|due| *due <= now + millis(every.get()));
    let due = match held {
        Some(due) if due <= now => now + millis(back_up(core, now, every.get()).await),
        Some(due) => due,
        None => now + millis(every.get()),
    };
    if held != Some(due) {
        core.store.set_timer(BACKUP, due).await?;
    }
    Ok(Duration::from_millis(u64::try_from(due - now).unwrap_or(0)))
}

/// Makes one backup. Says when the next is due.
async fn back_up(core: &Arc<Core>, now: Millis, every: Duration) -> Duration {
    match core.store.back_up(now).await {
        Ok(backup) => {
            info!(file = %backup.file.display(), bytes = backup.bytes, "backed up");
            every
        }
        Err(failed) => {
            error!(error = %failed, "the daily backup failed; trying again in an hour");
            AGAIN.min(every)
        }
    }
}
