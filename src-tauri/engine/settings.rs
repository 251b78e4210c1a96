//! `signalbox.toml` (contract.md, section 2): one struct, every key known, every wrong key told with its place.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

mod approval;
mod duration;
mod flow;
mod gitlab;
mod people;

pub use approval::{Approval, ApprovalAdapter, Deploy};
pub use duration::Span;
pub use flow::{ApproveApi, EngineSettings, Flow, FlowOrder};
pub use gitlab::{GitLab, Ladder, LadderPart, Merge, Retry, Wait};
pub use people::{ApiToken, Http, Notify, NotifyKind, Operator, Person};

/// The limit of one call unless the settings say otherwise.
fn ten_seconds() -> Span {
    Span::seconds(10)
}

/// Everything that can be set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Who acts in this window.
    #[serde(default)]
    pub operator: Operator,
    /// Run loop.
    #[serde(default)]
    pub engine: EngineSettings,
    /// Switches that may be turned while requests are in flight.
    #[serde(default)]
    pub flow: Flow,
    /// The forge.
    pub gitlab: GitLab,
    /// The approval system.
    pub approval: Approval,
    /// The deploy pipeline.
    pub deploy: Deploy,
    /// Our own listener.
    #[serde(default)]
    pub http: Http,
    /// Where news goes.
    #[serde(default)]
    pub notify: Vec<Notify>,
    /// Roster of the resource workflow.
    #[serde(default)]
    pub people: Vec<Person>,
    /// Building platforms of the resource workflow.
    #[serde(default)]
    pub platform: Vec<toml::Table>,
    /// Evaluators of the resource workflow.
    #[serde(default)]
    pub evaluation: Vec<toml::Table>,
}

/// Settings that cannot be used. Each is one sentence with file, line, key and what is allowed.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("The settings file {file} cannot be read: {why}. Nothing was started.", file = .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        why: String,
    },
    /// A key or value is wrong.
    #[error("{file}, line {line}: {why}. Nothing was started; correct the line and start again.", file = .file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Which key, what is wrong and what is allowed.
        why: String,
    },
}

impl Settings {
    /// Reads and checks a settings file.
    pub fn load(file: &Path) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(file)
            .map_err(|e| SettingsError::Unreadable { file: file.into(), why: e.to_string() })?;
        Self::parse(file, &text)
    }

    /// Checks the text of a settings file; `file` is named in errors.
    pub fn parse(file: &Path, text: &str) -> Result<Self, SettingsError> {
        toml::from_str(text).map_err(|e| {
            let at = e.span().map_or(0, |span| span.start);
            let line = text[..at.min(text.len())].matches('\n').count() + 1;
            let shown = text.lines().nth(line - 1).unwrap_or_default().trim();
            let why = format!("{} (the line reads `{}`)", e.message().replace('\n', " "), mask(shown));
            SettingsError::Wrong { file: file.into(), line, why }
        })
    }

    /// How long a call to the approval system may take.
    #[must_use]
    pub fn approval_timeout(&self) -> Duration {
        self.approval.timeout.get()
    }
}

/// A line of settings without what may be a secret.
fn mask(line: &str) -> String {
    match line.split_once('=') {
        Some((key, _)) if key.contains("token") || key.contains("secret") => format!("{key}= ***"),
        _ => line.to_owned(),
    }
}
