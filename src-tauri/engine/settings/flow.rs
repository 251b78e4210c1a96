//! The run loop, and the switches that may be turned while requests are in flight.

use serde::{Deserialize, Serialize};

use super::Span;

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
