//! Who acts, our own listener, where news goes.

use serde::{Deserialize, Serialize};

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
