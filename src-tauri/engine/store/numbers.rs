//! Numbers for the metrics, read from the history so that they survive a restart and count nothing twice.

use sqlx::Row as _;

use super::{Store, StoreResult};

impl Store {
    /// Requests that became effective, each once, for ever.
    pub async fn validated_total(&self) -> StoreResult<i64> {
        Ok(sqlx::query_scalar("SELECT count(*) FROM history WHERE to_step = 10301").fetch_one(&self.readers).await?)
    }

    /// How often each step was entered.
    pub async fn entries_by_step(&self) -> StoreResult<Vec<(i64, i64)>> {
        let rows = sqlx::query(
            "SELECT to_step, count(*) FROM history WHERE from_step IS NULL OR from_step <> to_step GROUP BY to_step",
        )
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Remote calls by remote, effect and outcome.
    pub async fn calls_by_outcome(&self) -> StoreResult<Vec<(String, String, String, i64)>> {
        let rows =
            sqlx::query("SELECT remote, effect, outcome, count(*) FROM remote_call GROUP BY remote, effect, outcome")
                .fetch_all(&self.readers)
                .await?;
        Ok(rows.into_iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3))).collect())
    }

    /// Events by source and verdict, refused deliveries among them.
    pub async fn events_by_verdict(&self) -> StoreResult<Vec<(String, String, i64)>> {
        let rows = sqlx::query(
            "SELECT source, verdict, count(*) FROM inbox GROUP BY source, verdict \
             UNION ALL SELECT source, 'rejected_signature', sum(count) FROM refused_delivery GROUP BY source",
        )
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.into_iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }
}
