//! What the listener asks of the engine. A trait, so that the listener's own rules are tested without a store and remotes.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use signalbox_engine::words::Lang;
use tokio::sync::broadcast;

/// A call.
#[derive(Debug, Clone)]
pub struct Request {
    /// HTTP method.
    pub method: String,
    /// Path.
    pub path: String,
    /// Query, decoded.
    pub query: BTreeMap<String, String>,
    /// Who acts.
    pub person: String,
    /// Language of the sentences in the answer.
    pub lang: Lang,
    /// Body.
    pub body: Option<serde_json::Value>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers besides the content type.
    pub headers: Vec<(&'static str, String)>,
    /// Content type.
    pub content_type: &'static str,
    /// Body.
    pub body: String,
}

/// A committed change of an operation.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Change {
    /// Number of the change.
    pub seq: i64,
    /// Which operation.
    pub operation_id: String,
    /// Its version after the change.
    pub version: i64,
    /// Its step after the change.
    pub step: serde_json::Value,
    /// Its outward status after the change.
    pub status: String,
}

/// What the listener asks of the engine.
#[async_trait]
pub trait EnginePort: Send + Sync {
    /// Answers a call under `/api/v1`; a problem is an answer too.
    async fn call(&self, request: Request) -> Reply;
    /// Takes in a callback by its raw bytes.
    async fn callback(&self, source: &str, headers: &[(String, String)], raw: &[u8]) -> Reply;
    /// Changes from now on.
    fn changes(&self) -> broadcast::Receiver<Change>;
    /// At most `limit` changes after `seq`, oldest first, or why they cannot be read.
    async fn changes_since(&self, seq: i64, limit: i64) -> Result<Vec<Change>, String>;
    /// Prometheus text.
    async fn metrics(&self) -> Reply;
    /// Whether work is taken.
    async fn ready(&self) -> Reply;
    /// Stops, letting running remote calls finish within `limit`.
    async fn stop(&self, limit: Duration);
}
pub(crate) struct Silent;
#[async_trait]
impl EnginePort for Silent {
    async fn call(&self, _: Request) -> Reply {
        Reply { status: 200, headers: vec![], content_type: "application/json", body: "\"note\"".into() }
    }
    async fn callback(&self, _: &str, _: &[(String, String)], _: &[u8]) -> Reply {
        self.metrics().await
    }
    fn changes(&self) -> broadcast::Receiver<Change> {
        broadcast::channel(1).1
    }
    async fn changes_since(&self, _: i64, _: i64) -> Result<Vec<Change>, String> {
        Ok(vec![])
    }
    async fn metrics(&self) -> Reply {
        Reply { status: 200, headers: vec![], content_type: "text/plain", body: String::new() }
    }
    async fn ready(&self) -> Reply {
        self.metrics().await
    }
    async fn stop(&self, _: Duration) {}
}
