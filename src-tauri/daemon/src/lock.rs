//! The data directory of one Signalbox. One process at a time owns it, by a lock of the operating system that dies with the process.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

/// The file whose lock means ownership. Never removed: a lock on a removed file protects nothing.
const LOCK_FILE: &str = "signalbox.lock";
/// Who owns the directory and where it answers. A file of its own, since a locked file cannot be read everywhere.
const HOLDER_FILE: &str = "signalbox.run";
/// How long a second process waits for the first to tell its URL.
const PATIENCE: Duration = Duration::from_secs(2);
/// Pause between two looks at the holder file; the first comes before the first look, so that a record left by a crash is replaced by then.
const PAUSE: Duration = Duration::from_millis(50);

/// The process that owns a data directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Process id.
    pub pid: u32,
    /// Base URL of its listener; None while it starts.
    pub url: Option<String>,
}

/// Why a data directory cannot be used.
#[derive(Debug)]
pub enum LockError {
    /// Another process owns it.
    Held {
        /// The directory.
        dir: PathBuf,
        /// The owner, where it could be read.
        holder: Option<Holder>,
    },
    /// The system refused.
    Unusable {
        /// The directory.
        dir: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Held { dir, holder } => {
                let dir = dir.display();
                match holder {
                    Some(Holder { pid, url: Some(url) }) => write!(
                        f,
                        "The data directory {dir} is in use by process {pid}, which answers at {url}. Use that one, or stop it and start again."
                    ),
                    Some(Holder { pid, url: None }) => write!(
                        f,
                        "The data directory {dir} is in use by process {pid}, which is still starting. Use that one, or stop it and start again."
                    ),
                    None => write!(
                        f,
                        "The data directory {dir} is in use by another process, which has not told its number yet. Stop it and start again."
                    ),
                }
            }
            Self::Unusable { dir, error } => {
                write!(f, "The data directory {} {}. Nothing was started.", dir.display(), why_unusable(error))
            }
        }
    }
}

impl std::error::Error for LockError {}

/// What keeps a directory from being used, to be put after its name.
pub(crate) fn why_unusable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "is not a directory: a file stands at that path or above it. Name another path".into()
        }
        io::ErrorKind::ReadOnlyFilesystem => "is on a file system that is read-only. Name another path".into(),
        io::ErrorKind::PermissionDenied => {
            "may not be written by this user. Change its owner or rights, or name another path".into()
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "has no space left. Free some space and start again".into()
        }
        _ => format!("cannot be used: {error}"),
    }
}

/// Ownership of a data directory, until dropped.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Makes the directory where it is missing, readable by its owner only, and takes its lock.
    /// Waits up to two seconds for another owner to tell its URL before it gives up.
    pub async fn own(path: &Path) -> Result<Self, LockError> {
        let unusable = |error| LockError::Unusable { dir: path.into(), error };
        make_dir(path).map_err(unusable)?;
        let lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path.join(LOCK_FILE))
            .map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held { dir: path.into(), holder: wait_for_holder(path).await });
            }
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        let own = Self { path: path.into(), _lock: lock };
        own.tell(None).map_err(unusable)?;
        Ok(own)
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tells a second process where this one answers.
    pub fn announce(&self, url: &str) -> Result<(), LockError> {
        self.tell(Some(url.to_owned())).map_err(|error| LockError::Unusable { dir: self.path.clone(), error })
    }

    fn tell(&self, url: Option<String>) -> io::Result<()> {
        let holder = Holder { pid: std::process::id(), url };
        let whole = self.path.join(HOLDER_FILE);
        let part = self.path.join(format!("{HOLDER_FILE}.part"));
        std::fs::write(&part, serde_json::to_vec(&holder)?)?;
        std::fs::rename(part, whole)
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        // A record that stays is replaced by the next owner.
        let _ = std::fs::remove_file(self.path.join(HOLDER_FILE));
    }
}

async fn wait_for_holder(dir: &Path) -> Option<Holder> {
    let mut seen = None;
    let mut waited = Duration::ZERO;
    while waited < PATIENCE {
        tokio::time::sleep(PAUSE).await;
        waited += PAUSE;
        let read = std::fs::read(dir.join(HOLDER_FILE)).ok();
        seen = read.and_then(|text| serde_json::from_slice::<Holder>(&text).ok()).or(seen);
        if seen.as_ref().is_some_and(|holder| holder.url.is_some()) {
            break;
        }
    }
    seen
}

#[cfg(unix)]
fn make_dir(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make_dir(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}
