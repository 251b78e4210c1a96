//! The one engine behind the window: starting it, trying again, practising, stopping.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::{Mutex, watch};

use crate::failure::Failure;
use crate::log;
use crate::open::Open;
use crate::place::{Door, Place};

/// Where the start stands.
#[derive(Clone)]
pub(crate) enum Stage {
    Starting,
    FirstRun,
    Ready(Arc<Open>),
    Failed(Failure),
    Stopped,
}

/// The start as the page is told of it.
#[derive(Debug, Serialize)]
pub(crate) struct StartState {
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
    settings_path: String,
    log_path: String,
    data_dir: String,
}

/// The engine behind the window, in whatever stage it is.
pub(crate) struct Host {
    place: Place,
    stage: watch::Sender<Stage>,
    /// Held while one attempt to start is made; true once the page has heard how the last one ended.
    told: Mutex<bool>,
}

impl Host {
    pub(crate) fn new(place: Place) -> Self {
        Self { place, stage: watch::Sender::new(Stage::Starting), told: Mutex::new(false) }
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// Follows the stages; the present one is seen first.
    pub(crate) fn stages(&self) -> watch::Receiver<Stage> {
        self.stage.subscribe()
    }

    /// Starts by what is on the disk: settings, an earlier practice, or the first run.
    pub(crate) async fn start(&self) {
        let _attempt = self.told.lock().await;
        if matches!(*self.stage.borrow(), Stage::Starting) {
            self.attempt(self.place.door()).await;
        }
    }

    /// How the start ended, waiting for its end. Asked again after a failure or a first run, it looks at the disk again, so
    /// that a corrected settings file needs no new start of the app.
    pub(crate) async fn state(&self) -> StartState {
        let mut told = self.told.lock().await;
        let again = matches!(*self.stage.borrow(), Stage::Failed(_) | Stage::FirstRun) && *told;
        if again || matches!(*self.stage.borrow(), Stage::Starting) {
            self.attempt(self.place.door()).await;
        }
        *told = true;
        self.describe()
    }

    /// Starts the practice remotes and an engine on them, unless an engine is running.
    pub(crate) async fn practise(&self) -> Result<(), Failure> {
        let _attempt = self.told.lock().await;
        if !matches!(*self.stage.borrow(), Stage::Ready(_)) {
            self.attempt(Door::Practice(self.place.practice())).await;
        }
        match &*self.stage.borrow() {
            Stage::Failed(failure) => Err(failure.clone()),
            _ => Ok(()),
        }
    }

    /// The engine, when it is running.
    pub(crate) fn engine(&self) -> Option<Arc<Open>> {
        match &*self.stage.borrow() {
            Stage::Ready(open) => Some(open.clone()),
            _ => None,
        }
    }

    /// Stops the engine; an attempt to start that is under way is awaited first; each has the limit.
    pub(crate) async fn stop(&self, limit: Duration) {
        let _attempt = tokio::time::timeout(limit, self.told.lock()).await;
        let last = self.stage.send_replace(Stage::Stopped);
        if let Stage::Ready(open) = last {
            open.stop(limit).await;
        }
    }

    async fn attempt(&self, door: Door) {
        if matches!(*self.stage.borrow(), Stage::Stopped) {
            return;
        }
        self.stage.send_replace(Stage::Starting);
        tracing::info!(?door, data_dir = %self.place.data_dir.display(), "starting");
        let opened = match door {
            Door::FirstRun => {
                self.stage.send_replace(Stage::FirstRun);
                return;
            }
            Door::Settings(config) => Open::with_settings(&self.place.data_dir, &config).await,
            Door::Practice(dir) => Open::practice(&dir).await,
        };
        let stage = match opened {
            Ok(open) => Stage::Ready(Arc::new(open)),
            Err(failure) => {
                tracing::error!(advice = failure.advice, "{}", failure.what);
                Stage::Failed(failure)
            }
        };
        self.stage.send_replace(stage);
    }

    fn describe(&self) -> StartState {
        let (mode, failure) = match &*self.stage.borrow() {
            Stage::Starting => ("starting", None),
            Stage::FirstRun => ("first-run", None),
            Stage::Ready(_) => ("ready", None),
            Stage::Failed(failure) => ("failed", Some(failure.clone())),
            Stage::Stopped => ("stopped", None),
        };
        let (message, advice) = failure.map(|failure| (failure.what, failure.advice)).unzip();
        StartState {
            mode,
            message,
            advice,
            settings_path: self.place.settings().display().to_string(),
            log_path: log::path(&self.place.data_dir).display().to_string(),
            data_dir: self.place.data_dir.display().to_string(),
        }
    }
}
