//! From the engine to the window: each commit as an event, and the counts that tray and title show.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use signalbox_engine::store::outbox::Change;
use tauri::{AppHandle, Emitter};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::host::Stage;
use crate::open::{Call, Open};
use crate::tray;

/// The event that carries one commit.
const EVENT: &str = "change";
/// A burst of commits reaches the page at most this often, and once for each request.
const BREATH: Duration = Duration::from_millis(40);
/// The counts are read after a change, at most this often, and not at all while nothing happens.
const COUNT_EVERY: Duration = Duration::from_secs(1);
/// Commits fetched at once after the page fell behind.
const CATCH_UP: i64 = 1000;

/// One commit in the shape of the public stream.
#[derive(Debug, Clone, Serialize)]
struct Told {
    operation_id: String,
    version: i64,
    step: i64,
    status: String,
}

impl From<Change> for Told {
    fn from(change: Change) -> Self {
        let Change { operation_id, version, step, status, .. } = change;
        Self { operation_id, version, step, status }
    }
}

/// Follows whichever engine is running, until the app ends.
pub(crate) async fn run(app: AppHandle, mut stages: watch::Receiver<Stage>) {
    loop {
        let engine = match &*stages.borrow_and_update() {
            Stage::Ready(engine) => Some(engine.clone()),
            Stage::Stopped => return,
            _ => None,
        };
        let changed = match engine {
            Some(engine) => tokio::select! {
                changed = stages.changed() => changed,
                () = follow(&app, engine) => stages.changed().await,
            },
            None => stages.changed().await,
        };
        if changed.is_err() {
            return;
        }
    }
}

async fn follow(app: &AppHandle, engine: Arc<Open>) {
    let mut changes = engine.changes();
    let (mut last, mut counted) = (0, Instant::now());
    let mut count_at = Some(counted);
    loop {
        let first = tokio::select! {
            change = changes.recv() => match change {
                Ok(change) => vec![change],
                Err(RecvError::Lagged(_)) => engine.changes_since(last, CATCH_UP).await,
                Err(RecvError::Closed) => return,
            },
            () = tokio::time::sleep_until(count_at.unwrap_or(counted)), if count_at.is_some() => {
                tray::set_attention(app, counts(&engine).await.attention);
                counted = Instant::now();
                count_at = None;
                continue;
            }
        };
        tokio::time::sleep(BREATH).await;
        for change in newest_of_each(first, &mut changes) {
            last = last.max(change.seq);
            if let Err(error) = app.emit(EVENT, Told::from(change)) {
                tracing::warn!(%error, "a change did not reach the window");
            }
        }
        count_at.get_or_insert(counted + COUNT_EVERY);
    }
}

/// What has gathered, in order, only the last of each request.
fn newest_of_each(first: Vec<Change>, changes: &mut broadcast::Receiver<Change>) -> Vec<Change> {
    let mut newest: BTreeMap<String, Change> =
        first.into_iter().map(|change| (change.operation_id.clone(), change)).collect();
    loop {
        match changes.try_recv() {
            Ok(change) => drop(newest.insert(change.operation_id.clone(), change)),
            Err(TryRecvError::Lagged(_)) => {}
            Err(TryRecvError::Empty | TryRecvError::Closed) => break,
        }
    }
    let mut in_order: Vec<Change> = newest.into_values().collect();
    in_order.sort_by_key(|change| change.seq);
    in_order
}

/// The two counts of `GET /api/v1/status` that the shell needs.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Counts {
    #[serde(default)]
    pub(crate) attention: u64,
    #[serde(default)]
    pub(crate) in_flight: u64,
}

/// Reads the counts; zero where the engine cannot tell.
pub(crate) async fn counts(engine: &Open) -> Counts {
    let call = Call {
        method: "GET".into(),
        path: "/api/v1/status".into(),
        query: BTreeMap::new(),
        body: None,
        lang: "en".into(),
    };
    serde_json::from_str(&engine.call(call).await.body).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(seq: i64, operation: &str) -> Change {
        Change { seq, operation_id: operation.into(), version: seq, step: 10402, status: "APPROVAL_SENT".into() }
    }

    #[test]
    fn a_burst_reaches_the_page_once_for_each_request_in_order() {
        let (sender, mut receiver) = broadcast::channel(8);
        for next in [change(2, "b"), change(3, "a"), change(4, "b")] {
            sender.send(next).unwrap();
        }
        let seen: Vec<i64> =
            newest_of_each(vec![change(1, "a")], &mut receiver).iter().map(|change| change.seq).collect();
        assert_eq!(seen, [3, 4]);
    }
}
