//! Writing the state: whole, beside the old file, then in its place. Changes that come together share one write.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::watch;

use super::State;
use crate::error::SandboxError;
use crate::held;

/// An answer waits so long for the disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads the stored state; a missing file is a fresh start.
pub(crate) fn load(path: &Path) -> Result<State, SandboxError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(State::default()),
        Err(error) => return Err(SandboxError::State { path: path.to_owned(), reason: error.to_string() }),
    };
    serde_json::from_slice(&bytes)
        .map_err(|error| SandboxError::State { path: path.to_owned(), reason: error.to_string() })
}

/// The state in memory and how far it is on disk.
pub(crate) struct Keeper {
    path: PathBuf,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
    written: watch::Sender<u64>,
}

impl Keeper {
    pub(crate) fn new(path: PathBuf, state: State) -> Self {
        Self { path, state: Mutex::new(state), changed: watch::Sender::new(0), written: watch::Sender::new(0) }
    }

    /// Looks at the state.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&held(&self.state))
    }

    /// Changes the state; it reaches the disk soon, and before `settled` returns.
    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut held(&self.state));
        self.changed.send_modify(|version| *version += 1);
        result
    }

    /// Waits until everything changed so far is on disk; gives up after a while, since a full disk must not hold every answer.
    pub(crate) async fn settled(&self) {
        let version = *self.changed.borrow();
        // an error means that the writer is gone, which happens only at the end; a failing disk is logged by the writer
        let mut written = self.written.subscribe();
        let _ = tokio::time::timeout(PATIENCE, written.wait_for(|written| *written >= version)).await;
    }

    /// Writes the state now.
    pub(crate) async fn save(&self) -> std::io::Result<()> {
        let version = *self.changed.borrow();
        let bytes = self.read(serde_json::to_vec).map_err(std::io::Error::other)?;
        let fresh = self.path.with_extension("json.new");
        tokio::fs::write(&fresh, bytes).await?;
        tokio::fs::rename(&fresh, &self.path).await?;
        self.written.send_modify(|written| *written = (*written).max(version));
        Ok(())
    }

    /// Writes whenever something changed, until the end.
    pub(crate) async fn run(&self) {
        let mut changed = self.changed.subscribe();
        loop {
            if changed.changed().await.is_err() {
                return;
            }
            if let Err(error) = self.save().await {
                tracing::error!(path = %self.path.display(), %error, "the state of the sandbox cannot be written");
                tokio::time::sleep(Duration::from_secs(1)).await;
                changed.mark_changed();
            }
        }
    }
}
