//! Switches that were turned while running, and who turned them.

use serde_json::Value;
use sqlx::Row as _;

use super::{Store, StoreResult, operation::Millis};

impl Store {
    /// All switches that were turned: name and value.
    pub async fn switches(&self) -> StoreResult<Vec<(String, Value)>> {
        let rows = sqlx::query("SELECT name, value FROM setting").fetch_all(&self.readers).await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.get(0), serde_json::from_str(&row.get::<String, _>(1)).unwrap_or_default()))
            .collect())
    }

    /// Keeps switches and logs the change with its author.
    pub async fn turn_switches(
        &self,
        values: Vec<(&'static str, Value)>,
        changes: Value,
        person: &str,
        at: Millis,
    ) -> StoreResult<()> {
        let person = person.to_owned();
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    for (name, value) in values {
                        sqlx::query(
                            "INSERT INTO setting (name, value, updated_at) VALUES (?, ?, ?) \
                             ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
                        )
                        .bind(name)
                        .bind(value.to_string())
                        .bind(at)
                        .execute(&mut *connection)
                        .await?;
                    }
                    sqlx::query("INSERT INTO setting_change (at, actor_name, changes) VALUES (?, ?, ?)")
                        .bind(at)
                        .bind(person)
                        .bind(changes.to_string())
                        .execute(connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// The log of changed switches, newest first: (when, who, changes).
    pub async fn switch_changes(&self, limit: u32) -> StoreResult<Vec<(Millis, String, Value)>> {
        let rows = sqlx::query("SELECT at, actor_name, changes FROM setting_change ORDER BY seq DESC LIMIT ?")
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.get(0), row.get(1), serde_json::from_str(&row.get::<String, _>(2)).unwrap_or_default()))
            .collect())
    }
}
