//! Merged requests and what the deploy pipeline said: the sweep reads here.

use sqlx::Row as _;

use super::{
    Store, StoreResult,
    operation::{Millis, Operation, from_row, readable},
};
use crate::operation_select;

/// A merge request that was called back as effective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeployMark {
    /// Its number.
    pub mr_iid: u64,
    /// The commit that was deployed, where the callback named it.
    pub sha: Option<String>,
}

impl Store {
    /// Merged requests that are not effective and whose last move lies within the window, oldest first. A move that lies
    /// after `now` was made before the clock was set back, so that its age is not known: it is looked at.
    pub async fn merged_between(&self, oldest: Millis, newest: Millis, now: Millis) -> StoreResult<Vec<Operation>> {
        let rows = sqlx::query(operation_select!(
            "WHERE o.step IN (10109, 10302) AND o.entered_at > ? AND (o.entered_at <= ? OR o.entered_at > ?) ORDER BY o.entered_at"
        ))
        .bind(oldest)
        .bind(newest)
        .bind(now)
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().filter_map(readable).collect())
    }

    /// Deploys of this merge request or of later ones of its project, the newest first.
    pub async fn deploys_from(&self, project: &str, mr_iid: u64) -> StoreResult<Vec<DeployMark>> {
        let rows = sqlx::query(
            "SELECT mr_iid, sha FROM deploy_mark WHERE project = ? AND mr_iid >= ? ORDER BY at DESC, mr_iid DESC",
        )
        .bind(project.to_owned())
        .bind(mr_iid.cast_signed())
        .fetch_all(&self.readers)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| DeployMark { mr_iid: row.get::<i64, _>(0).cast_unsigned(), sha: row.get(1) })
            .collect())
    }

    /// The highest merge request number that was called back as effective, for each project.
    pub async fn watermarks(&self) -> StoreResult<Vec<(String, u64)>> {
        let rows = sqlx::query("SELECT project, max(mr_iid) FROM deploy_mark GROUP BY project")
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.into_iter().map(|row| (row.get(0), row.get::<i64, _>(1).cast_unsigned())).collect())
    }

    /// The request of a merge request, newest first. The project may be named by path or by number.
    pub async fn operation_of_mr(&self, project: &str, mr_iid: u64) -> StoreResult<Option<Operation>> {
        let row = sqlx::query(operation_select!(
            "WHERE (o.project = ?1 OR o.project_id = ?2) AND o.mr_iid = ?3 ORDER BY o.created_at DESC LIMIT 1"
        ))
        .bind(project.to_owned())
        .bind(project.parse::<i64>().ok())
        .bind(mr_iid.cast_signed())
        .fetch_optional(&self.readers)
        .await?;
        row.as_ref().map(from_row).transpose()
    }

    /// The number of a project, by its path; None where no request of it has learned the number.
    pub async fn project_number(&self, path: &str) -> StoreResult<Option<u64>> {
        let number: Option<i64> = sqlx::query_scalar(
            "SELECT project_id FROM operation WHERE project = ? AND project_id IS NOT NULL ORDER BY created_at DESC LIMIT 1",
        )
        .bind(path.to_owned())
        .fetch_optional(&self.readers)
        .await?;
        Ok(number.map(i64::cast_unsigned))
    }

    /// The path under which we know a project that a callback names by path or number.
    pub async fn project_path(&self, project: &str) -> StoreResult<Option<String>> {
        Ok(sqlx::query_scalar(
            "SELECT project FROM operation WHERE project = ?1 OR project_id = ?2 ORDER BY created_at DESC LIMIT 1",
        )
        .bind(project.to_owned())
        .bind(project.parse::<i64>().ok())
        .fetch_optional(&self.readers)
        .await?)
    }
}
