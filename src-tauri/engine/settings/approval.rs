//! The approval system and the deploy pipeline.

use serde::{Deserialize, Serialize};

use super::{Span, ten_seconds};

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
