//! The journal of remote calls: a write is on record before it is sent, a read when it has ended.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;

use super::error::ErrorClass;

/// Whether a call may change the remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It only looks.
    Read,
    /// It may change something.
    Write,
}

impl Effect {
    /// The word used in the API and in the store.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// What is about to be called. Holds no secret.
#[derive(Debug, Clone)]
pub struct CallIntent {
    /// `gitlab` or `approval`.
    pub remote: &'static str,
    /// The account whose credential is used.
    pub account: String,
    /// HTTP method.
    pub method: &'static str,
    /// Path and query as sent.
    pub path: String,
    /// Whether it may change the remote.
    pub effect: Effect,
    /// Which try of the same call this is, from 1.
    pub attempt: u32,
    /// What the call pins or carries, such as the head sha.
    pub detail: Option<String>,
}

/// How a call ended.
#[derive(Debug, Clone)]
pub struct CallEnd {
    /// HTTP status, where one arrived.
    pub status: Option<u16>,
    /// From sending to the end of the answer.
    pub took: Duration,
    /// None when the answer was what was asked for.
    pub error: Option<(ErrorClass, String)>,
    /// The correlation id of the remote, where it sent one.
    pub request_id: Option<String>,
}

/// Why a write was not allowed to be sent.
#[derive(Debug, Clone)]
pub enum IntentRefused {
    /// The request was moved by somebody else since this worker took it.
    Superseded,
    /// The intent could not be stored; nothing may be sent without one.
    Store(String),
}

/// The number of a recorded call.
pub type CallId = i64;

/// Keeps the record. Implemented by the store for a request, and by a silent double for probes.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Stores the intent of a write durably, before it is sent.
    async fn intend(&self, intent: &CallIntent) -> Result<CallId, IntentRefused>;
    /// Completes the record of a write.
    async fn settle(&self, id: CallId, end: &CallEnd);
    /// Records a read that has ended.
    async fn note(&self, intent: &CallIntent, end: &CallEnd);
}

/// Who calls, and where it is written down. Cheap to clone; every port call takes one.
#[derive(Clone)]
pub struct Scope {
    /// Where calls are recorded.
    pub journal: Arc<dyn Journal>,
    /// Which try of the same call this is, from 1.
    pub attempt: u32,
}

impl Scope {
    /// A scope for the first try.
    #[must_use]
    pub fn new(journal: Arc<dyn Journal>) -> Self {
        Self { journal, attempt: 1 }
    }

    /// A scope for calls that belong to no request, such as a probe.
    #[must_use]
    pub fn unrecorded() -> Self {
        Self::new(Arc::new(Unrecorded))
    }

    /// The same scope for try number `attempt`.
    #[must_use]
    pub fn attempt(&self, attempt: u32) -> Self {
        Self { journal: self.journal.clone(), attempt }
    }
}

/// A journal for probes: reads pass, writes are refused, because nothing may be written without a record.
struct Unrecorded;

#[async_trait]
impl Journal for Unrecorded {
    async fn intend(&self, _: &CallIntent) -> Result<CallId, IntentRefused> {
        Err(IntentRefused::Store("a probe may not write".into()))
    }
    async fn settle(&self, _: CallId, _: &CallEnd) {}
    async fn note(&self, _: &CallIntent, _: &CallEnd) {}
}
