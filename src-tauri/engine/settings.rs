//! `signalbox.toml` (contract.md, section 2): one struct, every key known, every wrong key told with its place.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

mod duration;
pub use duration::Span;

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

/// Who acts in this window.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    /// The name that stands in the history.
    pub name: String,
}

impl Default for Operator {
    fn default() -> Self {
        Self { name: "operator".into() }
    }
}

/// Run loop.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineSettings {
    /// Admission limit: requests that run or stand on a ladder.
    pub max_active: u32,
    /// Stages that run at the same time.
    pub workers: u32,
    /// How long a worker may be silent before its request is taken up again.
    pub lease: Span,
    /// How often the store is backed up into the data directory; "0s" turns it off.
    pub backup: Span,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self { max_active: 256, workers: 8, lease: Span::seconds(30), backup: Span::seconds(24 * 3600) }
    }
}

/// The order of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "kebab-case")]
pub enum FlowOrder {
    /// The approval system decides before anything is written to the forge.
    #[default]
    ApprovalFirst,
    /// The merge request is made first, and its number goes into the ticket.
    MrFirst,
}

impl FlowOrder {
    /// The word of settings, store and API.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ApprovalFirst => "approval-first",
            Self::MrFirst => "mr-first",
        }
    }
}

/// How the approve call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "kebab-case")]
pub enum ApproveApi {
    /// The plain call.
    #[default]
    Classic,
    /// The call that carries a list of check items.
    Checklist,
}

/// Switches that may be turned while requests are in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ts_rs::TS)]
#[serde(deny_unknown_fields, default)]
pub struct Flow {
    /// Read at each submission.
    pub order: FlowOrder,
    /// Read at each approve call.
    pub approve_api: ApproveApi,
}

/// The forge.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GitLab {
    /// Base URL, without `/api`.
    pub url: String,
    /// The bot's token.
    pub bot_token: String,
    /// One token for each reviewer.
    pub reviewer_tokens: Vec<String>,
    /// Limit of one call.
    #[serde(default = "ten_seconds")]
    pub timeout: Span,
    /// Where the check items are; `{project}` is the number.
    #[serde(default = "default_checklist")]
    pub checklist_path: String,
    /// Shared secret of GitLab's own hooks.
    #[serde(default)]
    pub webhook_secret: Option<String>,
    /// Robot approvals.
    #[serde(default)]
    pub approve: Retry,
    /// Merging.
    #[serde(default)]
    pub merge: Merge,
    /// Waiting.
    #[serde(default)]
    pub wait: Wait,
}

fn ten_seconds() -> Span {
    Span::seconds(10)
}

fn default_checklist() -> String {
    "/api/v4/projects/{project}/approval_checklist".into()
}

/// Retries after a first try.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retry {
    /// Tries after the first; negative counts as 0.
    pub max_retries: i64,
    /// The first pause; it doubles.
    pub backoff: Span,
}

impl Default for Retry {
    fn default() -> Self {
        Self { max_retries: 3, backoff: Span::millis(500) }
    }
}

/// Merging.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Merge {
    /// Rebases since the last press of a button.
    pub max_rebases: u32,
}

impl Default for Merge {
    fn default() -> Self {
        Self { max_rebases: 3 }
    }
}

/// A ladder of looks: `short_count` times every `short`, then every `long`, at most `max_looks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ladder {
    /// The short pause.
    pub short: Span,
    /// How many short pauses.
    pub short_count: u32,
    /// The long pause.
    pub long: Span,
    /// The last look.
    pub max_looks: u32,
}

impl Default for Ladder {
    fn default() -> Self {
        Self { short: Span::seconds(5), short_count: 12, long: Span::seconds(30), max_looks: 120 }
    }
}

/// One ladder for all waits at the forge, and what overrides it for one of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wait {
    /// The short pause.
    pub short: Option<Span>,
    /// How many short pauses.
    pub short_count: Option<u32>,
    /// The long pause.
    pub long: Option<Span>,
    /// The last look.
    pub max_looks: Option<u32>,
    /// Waiting for a pipeline.
    pub pipeline: LadderPart,
    /// Waiting for a rebase.
    pub rebase: LadderPart,
    /// Waiting for mergeability.
    pub merge: LadderPart,
}

/// Parts of a ladder that override the common one.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LadderPart {
    /// The short pause.
    pub short: Option<Span>,
    /// How many short pauses.
    pub short_count: Option<u32>,
    /// The long pause.
    pub long: Option<Span>,
    /// The last look.
    pub max_looks: Option<u32>,
}

impl Wait {
    /// The ladder for one wait: its own parts, else the common ones, else the defaults.
    #[must_use]
    pub fn ladder(&self, own: &LadderPart) -> Ladder {
        let basic = Ladder::default();
        Ladder {
            short: own.short.or(self.short).unwrap_or(basic.short),
            short_count: own.short_count.or(self.short_count).unwrap_or(basic.short_count),
            long: own.long.or(self.long).unwrap_or(basic.long),
            max_looks: own.max_looks.or(self.max_looks).unwrap_or(basic.max_looks),
        }
    }
}

/// Which approval system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalAdapter {
    /// The HTTP contract of section 6.
    #[default]
    Http,
    /// Built in.
    Desk,
    /// Lark approvals.
    Lark,
}

/// The approval system.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Which one.
    #[serde(default)]
    pub adapter: ApprovalAdapter,
    /// Base URL.
    pub url: String,
    /// Bearer token.
    pub token: String,
    /// Secret of its callbacks, `whsec_` and base64.
    pub callback_secret: String,
    /// How often an open ticket is read; zero turns it off.
    #[serde(default = "sixty_seconds")]
    pub poll: Span,
    /// Limit of one call.
    #[serde(default = "ten_seconds")]
    pub timeout: Span,
    /// Tries after the first; negative counts as 0.
    #[serde(default = "three")]
    pub max_retries: i64,
    /// The first pause; it doubles.
    #[serde(default = "half_second")]
    pub backoff: Span,
}

fn sixty_seconds() -> Span {
    Span::seconds(60)
}
fn three() -> i64 {
    3
}
fn half_second() -> Span {
    Span::millis(500)
}

/// The deploy pipeline.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// Secret of its callbacks, `whsec_` and base64.
    pub callback_secret: String,
    /// How often merged requests are swept; zero turns it off.
    #[serde(default = "five_minutes")]
    pub sweep: Span,
    /// Younger rows are left alone.
    #[serde(default = "ten_minutes")]
    pub min_age: Span,
    /// Older rows are left alone.
    #[serde(default = "seven_days")]
    pub max_age: Span,
}

fn five_minutes() -> Span {
    Span::seconds(300)
}
fn ten_minutes() -> Span {
    Span::seconds(600)
}
fn seven_days() -> Span {
    Span::seconds(7 * 24 * 3600)
}

/// Our own listener.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Http {
    /// Tokens besides the one made at the start; each names a person.
    pub api_tokens: Vec<ApiToken>,
    /// How remotes reach us; `{port}` is the port we listen on.
    pub callback_url: String,
}

impl Default for Http {
    fn default() -> Self {
        Self { api_tokens: Vec::new(), callback_url: "http://127.0.0.1:{port}".into() }
    }
}

/// A token that names a person.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiToken {
    /// Who acts with it.
    pub person: String,
    /// Where the token is.
    pub token: String,
}

/// Where news goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notify {
    /// Which channel.
    pub kind: NotifyKind,
    /// Address, where the channel has one.
    #[serde(default)]
    pub url: Option<String>,
    /// Which news.
    pub events: Vec<String>,
}

/// A channel for news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each name is the product it stands for")]
pub enum NotifyKind {
    Webhook,
    Lark,
    Slack,
    Dingtalk,
    Wecom,
    Smtp,
    Desktop,
}

/// A person of the roster.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// Name.
    pub name: String,
    /// Roles.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Teams.
    #[serde(default)]
    pub teams: Vec<String>,
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
        Some((key, _)) if key.contains("token") || key.contains("secret") => format!("{}= ***", key),
        _ => line.to_owned(),
    }
}
