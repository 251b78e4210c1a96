//! The run loop: takes due requests under a lease, runs their stage, commits what came of it. Recovery runs the very same.

pub mod backups;
pub mod commit;
pub mod scheduler;
pub mod timers;
pub mod worker;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt as _;
use tokio_util::sync::CancellationToken;
use tracing::error;

use crate::engine::Core;

/// The pause before a loop that a bug has ended begins again.
const AGAIN: Duration = Duration::from_secs(1);

/// What the work came to; None where a bug ended it, so that whoever asked can go on with the next.
pub async fn caught<T>(work: impl Future<Output = T>) -> Option<T> {
    AssertUnwindSafe(work).catch_unwind().await.ok()
}

/// Runs a loop until it is told to stop. A bug that ends it is told, and it begins again: a request that nobody works on
/// would be the worse fault.
pub async fn keep_going<F: Future<Output = ()>>(
    what: &'static str,
    core: Arc<Core>,
    stop: CancellationToken,
    begin: impl Fn(Arc<Core>, CancellationToken) -> F,
) {
    while caught(begin(core.clone(), stop.clone())).await.is_none() && !stop.is_cancelled() {
        error!("the {what} panicked; this is a bug, nothing is lost, and they go on in a second");
        core.clock.sleep(AGAIN).await;
    }
}
