//! Secrets by name. Settings hold where a secret lives, never the secret.

use async_trait::async_trait;
use secrecy::SecretString;
use thiserror::Error;

/// A secret that cannot be read, said without the secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("The secret of `{key}` cannot be read from {place}: {why}.")]
pub struct SecretError {
    /// The setting that names it, such as `gitlab.bot_token`.
    pub key: String,
    /// Where it should be, such as `env:SIGNALBOX_BOT`.
    pub place: String,
    /// What went wrong.
    pub why: String,
}

/// Reads secrets from where the settings say they are.
#[async_trait]
pub trait Secrets: Send + Sync {
    /// The value behind `place` (`env:NAME`, `file:PATH`, `keyring:NAME` or a literal) for the setting `key`. Remembered until `forget`.
    async fn read(&self, key: &str, place: &str) -> Result<SecretString, SecretError>;
    /// Forgets what was read from files and keyrings, so that a replaced secret takes effect.
    fn forget(&self, key: &str);
}
