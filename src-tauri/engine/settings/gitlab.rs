//! The forge: credentials, retries, ladders.

use serde::{Deserialize, Serialize};

use super::{Span, ten_seconds};

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
