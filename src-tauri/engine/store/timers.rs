//! Timers that belong to no request, such as the sweep.

use super::{Store, StoreResult, operation::Millis};

impl Store {
    /// When a timer falls due.
    pub async fn timer(&self, name: &'static str) -> StoreResult<Option<Millis>> {
        Ok(sqlx::query_scalar("SELECT due_at FROM timer WHERE name = ?")
            .bind(name)
            .fetch_optional(&self.readers)
            .await?)
    }

    /// Sets a timer.
    pub async fn set_timer(&self, name: &'static str, due_at: Millis) -> StoreResult<()> {
        self.writer
            .run(move |connection| {
                Box::pin(async move {
                    sqlx::query(
                        "INSERT INTO timer (name, due_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at",
                    )
                    .bind(name)
                    .bind(due_at)
                    .execute(connection)
                    .await?;
                    Ok(())
                })
            })
            .await
    }
}
