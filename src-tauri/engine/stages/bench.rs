//! What a stage works with. No SQL, no HTTP, no clock of its own.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    documents::kinds::Kind,
    ports::{approval::ApprovalDesk, forge::Forge, journal::Scope},
    settings::{Ladder, LadderPart, Settings},
    store::{calls::Writes, inbox::EventRow, operation::Millis},
};

/// Answers what was already meant to be sent during this stay in the step, crash or not.
#[async_trait]
pub trait Asked: Send + Sync {
    /// Writes whose path ends in `suffix` that are on record for this stay.
    async fn writes(&self, suffix: &str) -> Writes;
    /// Those of them that were sent with the credential of this account.
    async fn writes_by(&self, suffix: &str, account: &str) -> Writes;
}

/// What a stage works with.
pub struct Bench<'a> {
    /// The forge.
    pub forge: &'a dyn Forge,
    /// The approval system.
    pub desk: &'a dyn ApprovalDesk,
    /// Where calls are recorded.
    pub scope: Scope,
    /// Settings as they are now, switches included.
    pub settings: &'a Settings,
    /// The change kind; None where it is no longer configured.
    pub kind: Option<Arc<Kind>>,
    /// When this run began.
    pub now: Millis,
    /// Full URL for approval callbacks.
    pub approval_callback: String,
    /// Writes already on record.
    pub asked: &'a dyn Asked,
    /// True where nothing may be written: a reconcile look.
    pub read_only: bool,
    /// Events of this request that wait to be applied.
    pub parked: Vec<EventRow>,
}

impl Bench<'_> {
    /// The common ladder.
    #[must_use]
    pub fn ladder(&self) -> Ladder {
        self.settings.gitlab.wait.ladder(&LadderPart::default())
    }
    /// The ladder for a pipeline.
    #[must_use]
    pub fn pipeline_ladder(&self) -> Ladder {
        self.settings.gitlab.wait.ladder(&self.settings.gitlab.wait.pipeline)
    }
    /// The ladder for a rebase.
    #[must_use]
    pub fn rebase_ladder(&self) -> Ladder {
        self.settings.gitlab.wait.ladder(&self.settings.gitlab.wait.rebase)
    }
    /// The ladder for mergeability.
    #[must_use]
    pub fn merge_ladder(&self) -> Ladder {
        self.settings.gitlab.wait.ladder(&self.settings.gitlab.wait.merge)
    }
}
