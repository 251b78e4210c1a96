//! One call before it is made: whose it is, where it goes, what counts as an answer.

use serde_json::Value;

use super::classify::Route;
use crate::ports::journal::Effect;

/// How a remote wants to see the token.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TokenHeader {
    /// `PRIVATE-TOKEN: …`
    Private,
    /// `Authorization: Bearer …`
    Bearer,
}

/// Whose token, and where it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Credential {
    /// The account as people know it.
    pub(crate) account: String,
    /// The setting, such as `gitlab.bot_token`.
    pub(crate) key: String,
    /// Where the secret is: `env:`, `file:`, `keyring:` or the secret itself.
    pub(crate) place: String,
}

impl Credential {
    /// True when the secret can change while we run.
    pub(crate) fn can_change(&self) -> bool {
        self.place.starts_with("file:") || self.place.starts_with("keyring:")
    }

    /// The setting and, where that is no secret itself, the place.
    pub(crate) fn words(&self) -> String {
        if self.can_change() || self.place.starts_with("env:") {
            format!("`{}` ({})", self.key, self.place)
        } else {
            format!("`{}`", self.key)
        }
    }

    /// What to do when the secret is no good.
    pub(crate) fn cure(&self) -> &'static str {
        if self.can_change() {
            "Put a new one there; it is read again by itself."
        } else if self.place.starts_with("env:") {
            "Set a new one there and start again."
        } else {
            "Write a new one into the settings and start again."
        }
    }
}

/// One call to make.
pub(crate) struct Ask<'a> {
    pub(crate) credential: &'a Credential,
    pub(crate) effect: Effect,
    pub(crate) method: &'static str,
    pub(crate) route: Route,
    /// Path and query below the remote's base address.
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    pub(crate) header: Option<(&'static str, String)>,
    pub(crate) detail: Option<String>,
    pub(crate) accepts: &'static [u16],
}

impl<'a> Ask<'a> {
    /// A read.
    pub(crate) fn get(credential: &'a Credential, path: String) -> Self {
        Self {
            credential,
            effect: Effect::Read,
            method: "GET",
            route: Route::Plain,
            path,
            body: None,
            header: None,
            detail: None,
            accepts: &[],
        }
    }

    /// A write.
    pub(crate) fn write(credential: &'a Credential, method: &'static str, path: String, body: Value) -> Self {
        Self { effect: Effect::Write, method, body: Some(body), ..Self::get(credential, path) }
    }

    pub(crate) fn on(self, route: Route) -> Self {
        Self { route, ..self }
    }

    pub(crate) fn detail(self, detail: String) -> Self {
        Self { detail: Some(detail), ..self }
    }

    pub(crate) fn accepting(self, accepts: &'static [u16]) -> Self {
        Self { accepts, ..self }
    }
}
