//! Which settings name a secret.

use signalbox_engine::settings::{ApprovalAdapter, Settings};

/// A setting that says where a secret is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The setting, such as `gitlab.bot_token`.
    pub key: String,
    /// `env:NAME`, `file:PATH`, `keyring:NAME`, or the secret itself.
    place: String,
}

impl Place {
    fn new(key: impl Into<String>, place: &str) -> Self {
        Self { key: key.into(), place: place.to_owned() }
    }

    /// What the settings say. May be the secret itself: never shown.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// True when the secret itself stands in the settings.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        !["env:", "file:", "keyring:"].iter().any(|start| self.place.starts_with(start))
    }

    /// What to say about a literal, without it.
    #[must_use]
    pub fn warning(&self) -> String {
        format!(
            "`{}` holds a literal secret in the settings file. Move it to env:NAME, file:PATH or keyring:NAME.",
            self.key
        )
    }

    /// True for a secret of signed callbacks, which has a form of its own.
    #[must_use]
    pub fn signs_callbacks(&self) -> bool {
        self.key.ends_with("callback_secret")
    }
}

/// Every secret that the settings name and something uses.
#[must_use]
pub fn places(settings: &Settings) -> Vec<Place> {
    let mut all = vec![Place::new("gitlab.bot_token", &settings.gitlab.bot_token)];
    for (n, token) in settings.gitlab.reviewer_tokens.iter().enumerate() {
        all.push(Place::new(format!("gitlab.reviewer_tokens[{n}]"), token));
    }
    all.extend(settings.gitlab.webhook_secret.iter().map(|secret| Place::new("gitlab.webhook_secret", secret)));
    if settings.approval.adapter != ApprovalAdapter::Desk {
        all.push(Place::new("approval.token", &settings.approval.token));
        all.push(Place::new("approval.callback_secret", &settings.approval.callback_secret));
    }
    all.push(Place::new("deploy.callback_secret", &settings.deploy.callback_secret));
    for (n, token) in settings.http.api_tokens.iter().enumerate() {
        all.push(Place::new(format!("http.api_tokens[{n}].token"), &token.token));
    }
    for (n, platform) in settings.platform.iter().enumerate() {
        let token = platform.get("token").and_then(|token| token.as_str());
        all.extend(token.map(|token| Place::new(format!("platform[{n}].token"), token)));
    }
    all
}
