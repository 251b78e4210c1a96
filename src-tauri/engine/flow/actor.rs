//! Who caused a move.

use serde::{Deserialize, Serialize};

/// The sort of actor (contract.md, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum ActorKind {
    /// A person at the console or the API.
    Operator,
    /// The engine itself.
    System,
    /// The approval system, with the name of who decided.
    Approval,
    /// GitLab, or a person there.
    Gitlab,
    /// The deploy pipeline.
    Deploy,
    /// The sweep of merged requests.
    Sweep,
}

impl ActorKind {
    /// The word of store and API.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::System => "system",
            Self::Approval => "approval",
            Self::Gitlab => "gitlab",
            Self::Deploy => "deploy",
            Self::Sweep => "sweep",
        }
    }
}

/// Who caused a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct Actor {
    /// The sort.
    pub kind: ActorKind,
    /// The name, where there is one.
    pub name: String,
}

impl Actor {
    /// The engine itself.
    #[must_use]
    pub fn system() -> Self {
        Self { kind: ActorKind::System, name: "signalbox".into() }
    }
    /// A person at the console or the API.
    #[must_use]
    pub fn operator(name: &str) -> Self {
        Self { kind: ActorKind::Operator, name: name.into() }
    }
    /// Somebody else.
    #[must_use]
    pub fn new(kind: ActorKind, name: impl Into<String>) -> Self {
        Self { kind, name: name.into() }
    }
}
