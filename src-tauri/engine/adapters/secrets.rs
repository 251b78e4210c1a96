//! Secrets where the settings say they are: `env:NAME`, `file:PATH`, `keyring:NAME`, or the secret itself.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use secrecy::SecretString;

use crate::ports::secrets::{SecretError, Secrets};

/// A file of secrets larger than this many bytes is some other file.
const LARGEST: u64 = 64 * 1024;

/// The secrets of this machine.
pub struct LocalSecrets {
    folder: PathBuf,
    remembered: Mutex<HashMap<String, Remembered>>,
}

struct Remembered {
    place: String,
    secret: SecretString,
}

impl LocalSecrets {
    /// `folder` is where relative paths of `file:` begin: the folder of the settings file.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), remembered: Mutex::default() }
    }

    /// True when the settings hold the secret itself, which deserves a warning at the start.
    #[must_use]
    pub fn is_literal(place: &str) -> bool {
        !["env:", "file:", "keyring:"].iter().any(|kind| place.starts_with(kind))
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<String, Remembered>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn fetch(&self, place: &str) -> Result<String, String> {
        if let Some(name) = place.strip_prefix("env:") {
            return std::env::var(name).map_err(|e| match e {
                std::env::VarError::NotPresent => "the variable is not set".into(),
                std::env::VarError::NotUnicode(_) => "the variable is not UTF-8".into(),
            });
        }
        if let Some(file) = place.strip_prefix("file:") {
            return read_file(&self.folder.join(file)).await;
        }
        if let Some(name) = place.strip_prefix("keyring:") {
            return read_keyring(name).await;
        }
        Ok(place.to_owned())
    }
}

#[async_trait]
impl Secrets for LocalSecrets {
    async fn read(&self, key: &str, place: &str) -> Result<SecretString, SecretError> {
        if let Some(known) = self.remembered().get(key).filter(|known| known.place == place) {
            return Ok(known.secret.clone());
        }
        let shown = if Self::is_literal(place) { "the settings" } else { place };
        let wrong = |why: String| SecretError { key: key.into(), place: shown.into(), why };
        let text = self.fetch(place).await.map_err(wrong)?;
        let value = without_final_newline(&text);
        if value.is_empty() {
            return Err(wrong("it is empty".into()));
        }
        let secret = SecretString::from(value.to_owned());
        let known = Remembered { place: place.into(), secret: secret.clone() };
        self.remembered().insert(key.into(), known);
        Ok(secret)
    }

    fn forget(&self, key: &str) {
        self.remembered().remove(key);
    }
}

fn without_final_newline(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

async fn read_file(file: &Path) -> Result<String, String> {
    let about = tokio::fs::metadata(file).await.map_err(|e| e.to_string())?;
    if !about.is_file() {
        return Err("it is no file".into());
    }
    if about.len() > LARGEST {
        return Err(format!("it is larger than {} KiB", LARGEST / 1024));
    }
    let bytes = tokio::fs::read(file).await.map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".into())
}

#[cfg(feature = "keyring")]
async fn read_keyring(name: &str) -> Result<String, String> {
    /// An unlock prompt may wait for a person; the engine must not wait with it for ever.
    const LIMIT: std::time::Duration = std::time::Duration::from_secs(30);
    let name = name.to_owned();
    let reading = tokio::task::spawn_blocking(move || {
        if let Err(e) = keyring::Entry::store_status() {
            return Err(format!("this machine's keyring is not available ({e})"));
        }
        keyring::Entry::new("signalbox", &name).and_then(|entry| entry.get_password()).map_err(|e| e.to_string())
    });
    match tokio::time::timeout(LIMIT, reading).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err("the keyring could not be asked".into()),
        Err(_) => Err("the keyring gave no answer within 30 s".into()),
    }
}

#[cfg(not(feature = "keyring"))]
async fn read_keyring(_name: &str) -> Result<String, String> {
    Err("this build has no keyring; use `env:` or `file:` instead".into())
}
