//! The approval system: one ticket for each request id.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{error::RemoteResult, journal::Scope};

/// The state of a ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketState {
    /// Nobody has decided.
    Pending,
    /// Approved.
    Approved,
    /// Rejected.
    Rejected,
    /// Taken back.
    Withdrawn,
    /// A word we do not know: keep waiting, never approve.
    Other(String),
}

impl TicketState {
    /// The word of the contract, or the raw one.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
            Self::Other(word) => word,
        }
    }

    /// Reads a word.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        match word {
            "pending" => Self::Pending,
            "approved" => Self::Approved,
            "rejected" => Self::Rejected,
            "withdrawn" => Self::Withdrawn,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// A ticket as one read showed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Its id at the approval system. A string: some systems use numbers beyond 2^53.
    pub id: String,
    /// The request id it was made under.
    pub request_id: Option<String>,
    /// State.
    pub state: TicketState,
    /// Page for people.
    pub url: Option<String>,
    /// Who decided.
    pub decided_by: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// What we sent along.
    pub ext: Value,
}

/// A ticket to make (contract.md, section 6).
#[derive(Debug, Clone, Serialize)]
pub struct NewTicket {
    /// The key: the same id gives the same ticket.
    pub request_id: String,
    /// The operation it decides about.
    pub operation_id: String,
    /// Change kind.
    pub kind: String,
    /// Title for people.
    pub title: String,
    /// What will change, for people.
    pub summary: String,
    /// The fields as submitted.
    pub fields: Value,
    /// Who asked.
    pub requested_by: String,
    /// Full URL for callbacks.
    pub callback_url: String,
    /// `{mrId}` where there is an MR already.
    pub ext: Value,
}

/// What cancelling did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// The ticket is cancelled.
    Done,
    /// It was decided before.
    DecidedAlready,
}

/// What the engine needs of an approval system.
#[async_trait]
pub trait ApprovalDesk: Send + Sync {
    /// Makes the ticket, or gives back the one with the same request id.
    async fn create(&self, scope: &Scope, new: &NewTicket) -> RemoteResult<Ticket>;
    /// Reads a ticket.
    async fn ticket(&self, scope: &Scope, id: &str) -> RemoteResult<Option<Ticket>>;
    /// Finds the ticket that was made under a request id.
    async fn by_request(&self, scope: &Scope, request_id: &str) -> RemoteResult<Option<Ticket>>;
    /// Takes a ticket back.
    async fn cancel(&self, scope: &Scope, id: &str, reason: &str) -> RemoteResult<Cancelled>;
    /// Answers quickly when the system can be reached and the credential is good.
    async fn probe(&self, scope: &Scope) -> RemoteResult<()>;
}
