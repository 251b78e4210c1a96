//! The one engine behind the window: starting it, trying again, practising, stopping, and standing back for a restore.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde::Serialize;
use signalboxd::host::LAST_CALLS;
use tokio::sync::{Mutex, watch};

use crate::log;
use crate::open::{Open, Refusal};
use crate::place::{Door, Place};
use crate::restore::{self, Damaged, Looked, Restored};

/// Where the start stands.
#[derive(Clone)]
pub(crate) enum Stage {
    Starting,
    FirstRun,
    Ready(Arc<Open>),
    /// Why, and what to do about it, as sentences for the person in front of the window.
    Failed(Failure),
    Stopped,
}

/// A start that failed.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    words: String,
    /// The store that cannot be read, with what can be put in its place.
    damaged: Option<Damaged>,
}

impl Failure {
    async fn of(refusal: Refusal) -> Self {
        let damaged = match &refusal.damaged {
            Some(damaged) => Some(restore::offer(damaged).await),
            None => None,
        };
        Self { words: refusal.words, damaged }
    }
}

/// The start as the page is told of it.
#[derive(Debug, Serialize)]
pub(crate) struct StartState {
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    settings_path: String,
    log_path: String,
    data_dir: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    damaged: Option<Damaged>,
}

/// The engine behind the window, in whatever stage it is.
pub(crate) struct Host {
    place: Place,
    stage: watch::Sender<Stage>,
    /// Held while one attempt to start is made; true once the page has heard how the last one ended.
    told: Mutex<bool>,
    /// The door that was entered last.
    entered: std::sync::Mutex<Door>,
    /// The backup that the person chose last.
    chosen: std::sync::Mutex<Option<PathBuf>>,
}

impl Host {
    pub(crate) fn new(place: Place) -> Self {
        let (entered, chosen) = (std::sync::Mutex::new(place.door()), std::sync::Mutex::default());
        Self { place, stage: watch::Sender::new(Stage::Starting), told: Mutex::new(false), entered, chosen }
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
    pub(crate) async fn practise(&self) -> Result<(), String> {
        let _attempt = self.told.lock().await;
        if !matches!(*self.stage.borrow(), Stage::Ready(_)) {
            self.attempt(Door::Practice(self.place.practice())).await;
        }
        match &*self.stage.borrow() {
            Stage::Failed(failure) => Err(failure.words.clone()),
            _ => Ok(()),
        }
    }

    /// Looks into a file that the person chose; from now on it may be restored.
    pub(crate) async fn choose(&self, file: &Path) -> Result<Looked, String> {
        let looked = restore::look_into(file).await?;
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner) = Some(file.to_owned());
        Ok(looked)
    }

    /// Stops the engine, puts a backup in the place of its store, and starts it again: also where nothing was replaced.
    pub(crate) async fn restore(&self, file: &Path) -> Result<Restored, String> {
        let _attempt = self.told.lock().await;
        let door = self.entered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let dir = self.place.store_dir(&door);
        let chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let at = restore::allowed(&dir, file, chosen.as_ref())?;
        restore::refuse_damaged(file).await?;
        match self.replace(Stage::Starting) {
            Stage::Stopped => return Err("Signalbox is being ended. Nothing was changed.".into()),
            Stage::Ready(open) => open.stop(LAST_CALLS).await,
            _ => {}
        }
        let restored = restore::replace(&dir, file, at).await;
        self.attempt(door).await;
        restored
    }

    /// The engine, when it is running.
    pub(crate) fn engine(&self) -> Option<Arc<Open>> {
        match &*self.stage.borrow() {
            Stage::Ready(open) => Some(open.clone()),
            _ => None,
        }
    }

    /// Stops the engine; an attempt to start that is under way is awaited first, for as long as last calls are.
    pub(crate) async fn stop(&self) {
        let _attempt = tokio::time::timeout(LAST_CALLS, self.told.lock()).await;
        let last = self.stage.send_replace(Stage::Stopped);
        if let Stage::Ready(open) = last {
            open.stop(LAST_CALLS).await;
        }
    }

    async fn attempt(&self, door: Door) {
        if matches!(self.replace(Stage::Starting), Stage::Stopped) {
            return;
        }
        tracing::info!(?door, data_dir = %self.place.data_dir.display(), "starting");
        self.entered.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&door);
        let stage = match self.enter(door).await {
            Ok(stage) => stage,
            Err(refusal) => {
                tracing::error!("{}", refusal.words);
                Stage::Failed(Failure::of(refusal).await)
            }
        };
        // An app that was ended while this engine opened has nobody left to stop it.
        if let Stage::Stopped = self.replace(stage.clone())
            && let Stage::Ready(open) = stage
        {
            open.stop(Duration::ZERO).await;
        }
    }

    async fn enter(&self, door: Door) -> Result<Stage, Refusal> {
        self.place.prepare()?;
        let open = match door {
            Door::FirstRun => return Ok(Stage::FirstRun),
            Door::Settings(config) => Open::with_settings(&self.place.data_dir, &config).await?,
            Door::Practice(dir) => Open::practice(&dir).await?,
        };
        Ok(Stage::Ready(Arc::new(open)))
    }

    /// Moves to the next stage and gives the one before; `Stopped` is never left.
    fn replace(&self, next: Stage) -> Stage {
        let mut before = Stage::Stopped;
        self.stage.send_if_modified(|now| {
            before = now.clone();
            let moves = !matches!(now, Stage::Stopped);
            if moves {
                *now = next;
            }
            moves
        });
        before
    }

    fn describe(&self) -> StartState {
        let (mode, failure) = match &*self.stage.borrow() {
            Stage::Starting => ("starting", None),
            Stage::FirstRun => ("first-run", None),
            Stage::Ready(_) => ("ready", None),
            Stage::Failed(failure) => ("failed", Some(failure.clone())),
            Stage::Stopped => ("stopped", None),
        };
        let (message, damaged) = failure.map(|failure| (failure.words, failure.damaged)).unzip();
        StartState {
            mode,
            message,
            settings_path: self.place.settings().display().to_string(),
            log_path: log::path(&self.place.data_dir).display().to_string(),
            data_dir: self.place.data_dir.display().to_string(),
            damaged: damaged.flatten(),
        }
    }
}
