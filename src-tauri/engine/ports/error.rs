//! One error type for every remote: its class decides what may be done next (workflow.md, section 6).

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

/// What an error means for the next try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The call never left: retry freely.
    NotSent,
    /// The remote asked us to slow down: obey its Retry-After.
    Throttled,
    /// The remote stumbled: retry a call that is idempotent.
    Retryable,
    /// The call may have had its effect: look it up by our key before anything else.
    Ambiguous,
    /// The effect is there already: adopt it.
    AlreadyExists,
    /// A credential is missing, expired, revoked or too narrow.
    Auth,
    /// The remote refused for good.
    Terminal,
    /// The request moved on while we worked, so the call was not made.
    Superseded,
}

impl ErrorClass {
    /// The word used in the API, in metrics and in the store.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::NotSent => "not_sent",
            Self::Throttled => "throttled",
            Self::Retryable => "retryable",
            Self::Ambiguous => "ambiguous",
            Self::AlreadyExists => "already_exists",
            Self::Auth => "auth",
            Self::Terminal => "terminal",
            Self::Superseded => "superseded",
        }
    }

    /// True for errors that time may cure: the step waits and looks again.
    #[must_use]
    pub fn passes(self) -> bool {
        matches!(self, Self::NotSent | Self::Throttled | Self::Retryable | Self::Ambiguous)
    }
}

/// A call to a remote that did not give the answer we need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteError {
    /// What it means for the next try.
    pub class: ErrorClass,
    /// `gitlab`, `approval`.
    pub remote: &'static str,
    /// The account whose credential was used, such as `bot` or a reviewer's user name; empty where it is our own finding
    /// and no call was refused.
    pub account: String,
    /// The real HTTP status, where one arrived.
    pub status: Option<u16>,
    /// What the remote said, shortened, free of secrets.
    pub message: String,
    /// How long the remote asked us to wait.
    pub retry_after: Option<Duration>,
    /// The body as JSON, where it was JSON: some refusals carry what to do next.
    pub body: Option<serde_json::Value>,
}

impl RemoteError {
    /// True when the remote answered with this HTTP status.
    #[must_use]
    pub fn is(&self, status: u16) -> bool {
        self.status == Some(status)
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{} answered {status} to {}: {}", self.remote, self.account, self.message),
            None if self.account.is_empty() => f.write_str(&self.message),
            None => write!(f, "{} gave no answer to {}: {}", self.remote, self.account, self.message),
        }
    }
}

impl std::error::Error for RemoteError {}

/// The answer of a remote, or why there is none.
pub type RemoteResult<T> = Result<T, RemoteError>;
