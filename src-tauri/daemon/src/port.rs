//! What the listener asks of the engine. A trait, so that the listener's own rules are tested without a store and remotes.

use async_trait::async_trait;
use signalbox_engine::{
    api::{Reply, Request},
    engine::Engine,
    store::{StoreResult, outbox::Change},
};
use tokio::sync::broadcast;

/// What the listener asks of the engine.
#[async_trait]
pub trait EnginePort: Send + Sync {
    /// Answers a call under `/api/v1`; a problem is an answer too.
    async fn call(&self, request: Request) -> Reply;
    /// Takes in a callback by its raw bytes.
    async fn callback(&self, source: &str, headers: &[(String, String)], raw: &[u8]) -> Reply;
    /// Changes from now on.
    fn changes(&self) -> broadcast::Receiver<Change>;
    /// At most `limit` changes after `seq`, oldest first.
    async fn changes_since(&self, seq: i64, limit: i64) -> StoreResult<Vec<Change>>;
    /// Prometheus text.
    async fn metrics(&self) -> Reply;
    /// Whether work is taken.
    async fn ready(&self) -> Reply;
}

#[async_trait]
impl EnginePort for Engine {
    async fn call(&self, request: Request) -> Reply {
        Self::call(self, request).await
    }
    async fn callback(&self, source: &str, headers: &[(String, String)], raw: &[u8]) -> Reply {
        Self::callback(self, source, headers, raw).await
    }
    fn changes(&self) -> broadcast::Receiver<Change> {
        Self::changes(self)
    }
    async fn changes_since(&self, seq: i64, limit: i64) -> StoreResult<Vec<Change>> {
        Self::changes_since(self, seq, limit).await
    }
    async fn metrics(&self) -> Reply {
        Self::metrics(self).await
    }
    async fn ready(&self) -> Reply {
        Self::ready(self).await
    }
}
