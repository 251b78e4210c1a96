//! What goes out after a commit, in the order of the commits.

use sqlx::Row as _;

use super::{Store, StoreResult};

/// A change that listeners are told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Place in the order of commits.
    pub seq: i64,
    /// Which request.
    pub operation_id: String,
    /// Its version then.
    pub version: i64,
    /// Code of its step then.
    pub step: i64,
    /// Its outward status then.
    pub status: String,
}

impl Store {
    /// Changes after a place in the order, oldest first.
    pub async fn changes_since(&self, seq: i64, limit: i64) -> StoreResult<Vec<Change>> {
        let rows = sqlx::query(
            "SELECT seq, operation_id, version, step, status FROM outbox WHERE topic = 'operation' AND seq > ? ORDER BY seq LIMIT ?",
        )
        .bind(seq)
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| Change {
                seq: row.get(0),
                operation_id: row.get(1),
                version: row.get(2),
                step: row.get(3),
                status: row.get(4),
            })
            .collect())
    }

    /// The newest place in the order.
    pub async fn last_change_seq(&self) -> StoreResult<i64> {
        Ok(sqlx::query_scalar("SELECT coalesce(max(seq), 0) FROM outbox").fetch_one(&self.readers).await?)
    }
}
