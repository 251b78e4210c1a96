//! The list of requests: filters, pages by key, counts.

use serde_json::json;
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{
    Store, StoreResult,
    operation::{Millis, Operation, readable},
};
use crate::operation_select;

/// What to list. Empty parts do not filter.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Outward statuses.
    pub statuses: Vec<String>,
    /// Code prefixes of stages, or whole codes of steps.
    pub stages: Vec<i64>,
    /// Change kinds.
    pub kinds: Vec<String>,
    /// Outlooks.
    pub outlooks: Vec<String>,
    /// Requester.
    pub requested_by: Option<String>,
    /// Text anywhere in ids, subject, target, fields, MR or messages.
    pub text: Option<String>,
    /// Only requests after this one in the order of the list.
    pub after: Option<(Millis, String)>,
    /// How many at most.
    pub limit: u32,
}

/// How many requests there are by status, step and outlook.
pub type Counts = Vec<(String, i64, String, i64)>;

impl Store {
    /// Requests, newest first. A row that cannot be read is passed over, and shortens no page.
    pub async fn list(&self, filter: &Filter) -> StoreResult<Vec<Operation>> {
        let mut found = Vec::new();
        let mut next = filter.clone();
        loop {
            let rows = self.rows(&next).await?;
            found.extend(rows.iter().filter_map(readable));
            let full = rows.len() == next.limit as usize;
            let Some(last) = rows.last().filter(|_| full && found.len() < filter.limit as usize) else { break };
            next.after = Some((last.get("created_at"), last.get("operation_id")));
            next.limit = filter.limit - u32::try_from(found.len()).unwrap_or(filter.limit);
        }
        Ok(found)
    }

    async fn rows(&self, filter: &Filter) -> StoreResult<Vec<SqliteRow>> {
        let (after_at, after_id) = filter.after.clone().map_or((None, None), |(at, id)| (Some(at), Some(id)));
        Ok(sqlx::query(operation_select!(
            "WHERE (?1 = '[]' OR o.status IN (SELECT value FROM json_each(?1))) \
               AND (?2 = '[]' OR o.step / 100 IN (SELECT value FROM json_each(?2)) OR o.step IN (SELECT value FROM json_each(?2))) \
               AND (?3 = '[]' OR o.kind IN (SELECT value FROM json_each(?3))) \
               AND (?4 = '[]' OR o.outlook IN (SELECT value FROM json_each(?4))) \
               AND (?5 IS NULL OR o.requested_by = ?5) \
               AND (?6 IS NULL OR o.rowid IN (SELECT rowid FROM operation_text WHERE text LIKE '%' || ?6 || '%' ESCAPE '\\')) \
               AND (?7 IS NULL OR (o.created_at, o.operation_id) < (?7, ?8)) \
             ORDER BY o.created_at DESC, o.operation_id DESC LIMIT ?9"
        ))
        .bind(json!(filter.statuses).to_string())
        .bind(json!(filter.stages).to_string())
        .bind(json!(filter.kinds).to_string())
        .bind(json!(filter.outlooks).to_string())
        .bind(filter.requested_by.clone())
        .bind(filter.text.as_deref().map(escape_like))
        .bind(after_at)
        .bind(after_id)
        .bind(filter.limit)
        .fetch_all(&self.readers)
        .await?)
    }

    /// Counts over all requests: (status, step, outlook, how many).
    pub async fn counts(&self) -> StoreResult<Counts> {
        let rows = sqlx::query(COUNTS).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3))).collect())
    }

    /// How many requests a person has submitted.
    pub async fn count_of(&self, person: &str) -> StoreResult<i64> {
        Ok(sqlx::query_scalar(COUNT_OF).bind(person.to_owned()).fetch_one(&self.readers).await?)
    }
}

/// Asked for with every look at the list, so that an index alone has to answer them.
pub(super) const COUNTS: &str = "SELECT status, step, outlook, count(*) FROM operation GROUP BY status, step, outlook";
pub(super) const COUNT_OF: &str = "SELECT count(*) FROM operation WHERE requested_by = ?";

fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
