//! What stands still and needs a person, gathered by what stopped it.

use serde_json::json;
use sqlx::Row as _;

use super::{
    Store, StoreResult,
    operation::{Millis, Operation, readable},
};
use crate::{operation_select, settings::FlowOrder};

/// What stopped requests: the step they stand at, and the class and the sentence of the error, without its parameters.
/// A request whose result is unknown has no error of its own: the step says it all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// Code of the step.
    pub step: i64,
    /// Class of the error.
    pub class: Option<String>,
    /// Code of the sentence.
    pub sentence: Option<String>,
}

/// Requests of one cause for which the same buttons are legal.
#[derive(Debug, Clone)]
pub struct Share {
    /// What stopped them.
    pub cause: Cause,
    /// The order they were submitted with.
    pub order: FlowOrder,
    /// Do they know a merge request?
    pub has_mr: bool,
    /// Do they own their relation?
    pub owner: bool,
    /// How many.
    pub count: i64,
    /// Since when the oldest of them stands there.
    pub since: Millis,
}

/// A request of a cause, in short.
#[derive(Debug, Clone)]
pub struct Member {
    /// What stopped it.
    pub cause: Cause,
    /// Which request.
    pub operation_id: String,
    /// What is changed.
    pub subject_id: String,
    /// Where.
    pub target_key: String,
    /// Since when it stands there.
    pub entered_at: Millis,
}

/// The requests that need a person, with their cause. `operation_outlook` finds them, so that the archive is not read.
macro_rules! stuck {
    ($select:literal, $rest:literal) => {
        concat!(
            "WITH stuck AS (SELECT o.operation_id, o.subject_id, o.target_key, o.step, o.flow_order, o.entered_at, \
               o.mr_iid IS NOT NULL AS has_mr, \
               EXISTS (SELECT 1 FROM binding b WHERE b.operation_id = o.operation_id) AS owner, \
               iif(o.outlook = 'failed', o.error_class, NULL) AS class, \
               iif(o.outlook = 'failed' AND json_valid(o.error_message), o.error_message ->> '$.code', NULL) AS sentence \
             FROM operation o WHERE o.outlook IN ('failed', 'unknown')) ",
            $select,
            " FROM stuck ",
            $rest
        )
    };
}

fn cause(row: &sqlx::sqlite::SqliteRow) -> Cause {
    Cause { step: row.get("step"), class: row.get("class"), sentence: row.get("sentence") }
}

impl Store {
    /// Every cause with the number of its requests, split by what decides which buttons are legal. One pass over the
    /// requests that need a person; the number of rows is that of causes times eight at most.
    pub async fn stuck_shares(&self) -> StoreResult<Vec<Share>> {
        let rows = sqlx::query(stuck!(
            "SELECT step, class, sentence, flow_order, has_mr, owner, count(*) AS n, min(entered_at) AS since",
            "GROUP BY step, class, sentence, flow_order, has_mr, owner"
        ))
        .fetch_all(&self.readers)
        .await?;
        let share = |row: &sqlx::sqlite::SqliteRow| Share {
            cause: cause(row),
            order: match row.get::<String, _>("flow_order") {
                order if order == FlowOrder::MrFirst.word() => FlowOrder::MrFirst,
                _ => FlowOrder::ApprovalFirst,
            },
            has_mr: row.get("has_mr"),
            owner: row.get("owner"),
            count: row.get("n"),
            since: row.get("since"),
        };
        Ok(rows.iter().map(share).collect())
    }

    /// The oldest requests of every cause, `most` of each.
    pub async fn stuck_members(&self, most: u32) -> StoreResult<Vec<Member>> {
        let rows = sqlx::query(stuck!(
            "SELECT * FROM (SELECT *, row_number() OVER \
               (PARTITION BY step, class, sentence ORDER BY entered_at, operation_id) AS place",
            ") WHERE place <= ? ORDER BY step, class, sentence, place"
        ))
        .bind(most)
        .fetch_all(&self.readers)
        .await?;
        let member = |row: &sqlx::sqlite::SqliteRow| Member {
            cause: cause(row),
            operation_id: row.get("operation_id"),
            subject_id: row.get("subject_id"),
            target_key: row.get("target_key"),
            entered_at: row.get("entered_at"),
        };
        Ok(rows.iter().map(member).collect())
    }

    /// How many causes there are.
    pub async fn stuck_causes(&self) -> StoreResult<i64> {
        let sql = stuck!("SELECT count(*) FROM (SELECT DISTINCT step, class, sentence", ")");
        Ok(sqlx::query_scalar(sql).fetch_one(&self.readers).await?)
    }

    /// Requests by their ids, in no order; those that are not there are left out.
    pub async fn operations(&self, ids: &[&str]) -> StoreResult<Vec<Operation>> {
        let rows = sqlx::query(operation_select!("WHERE o.operation_id IN (SELECT value FROM json_each(?))"))
            .bind(json!(ids).to_string())
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().filter_map(readable).collect())
    }
}
