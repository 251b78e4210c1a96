//! Does a store hold together? The database's own checks, and every history replayed to the state that is stored.

use std::path::Path;

use sqlx::{AssertSqlSafe, Row as _, SqliteConnection, sqlite::SqliteRow};

use super::{
    StoreError, StoreResult, damage, legal,
    operation::from_row,
    schema::{self, MIGRATIONS},
};
use crate::{
    flow::{
        Step,
        replay::{OurTable, Past, replay},
    },
    operation_select,
};

/// What was found in a store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Schema of the file.
    pub schema: i64,
    /// Requests that were replayed.
    pub operations: i64,
    /// Rows of history that were replayed.
    pub moves: i64,
    /// What does not hold, one sentence each.
    pub faults: Vec<String>,
    /// Rules of the database that are missing or not this version's, one sentence each. The next start mends them.
    pub rules: Vec<String>,
}

/// Faults of one sort that are told before the rest is only counted.
const TOLD: usize = 20;

/// What must be empty, and the words for a row of it.
const NONE_OF: &[(&str, &str)] = &[
    (
        "SELECT o.operation_id FROM operation o LEFT JOIN binding b USING (subject_id, target_key) WHERE b.operation_id IS NULL",
        "its relation has no owner",
    ),
    (
        "SELECT o.operation_id FROM operation o JOIN binding b USING (operation_id) WHERE b.status <> o.status",
        "its relation shows another status",
    ),
    (
        "SELECT DISTINCT h.operation_id FROM history h LEFT JOIN outbox u ON u.operation_id = h.operation_id \
           AND u.history_seq = h.seq AND u.topic = 'operation' WHERE u.seq IS NULL",
        "not every move of it was told to listeners",
    ),
    (
        "SELECT o.operation_id FROM operation o WHERE o.last_seq <> (SELECT count(*) FROM history h WHERE h.operation_id = o.operation_id)",
        "it counts other rows of history than there are",
    ),
    (
        "SELECT o.operation_id FROM operation o WHERE o.entered_at <> (SELECT h.at FROM history h \
           WHERE h.operation_id = o.operation_id AND (h.from_step IS NULL OR h.from_step <> h.to_step) \
           ORDER BY h.seq DESC LIMIT 1)",
        "it did not come to its step when its history says",
    ),
    (
        "SELECT h.operation_id FROM history h LEFT JOIN diff d ON d.operation_id = h.operation_id AND d.seq = h.seq AND d.kind = 'state' \
         WHERE (h.from_step IS NULL OR h.from_step <> h.to_step) AND d.seq IS NULL",
        "a move of it is missing in the log of changes",
    ),
];

/// Reads a store from one end to the other and changes nothing. Works while others use it.
pub async fn verify(file: &Path) -> StoreResult<Report> {
    if !file.exists() {
        return Err(StoreError::Unusable { file: file.display().to_string(), why: "there is no such file".into() });
    }
    let mut report = Report::default();
    if let Some(what) = damage::find(file, damage::Depth::Deep).await? {
        report.faults.push(format!("The file is damaged: {what}."));
        return Ok(report);
    }
    let mut connection = schema::look_at(file).await?;
    // One picture for all checks, while others may write.
    sqlx::query("BEGIN").execute(&mut connection).await?;
    report.schema = schema::applied_version(&mut connection).await?;
    let known = schema::newest(&MIGRATIONS);
    if report.schema == 0 {
        report.faults.push("The file is no store of Signalbox.".into());
        return Ok(report);
    }
    if report.schema > known {
        report.faults.push(format!(
            "A newer version of Signalbox wrote the file (schema {}, this one knows {known}).",
            report.schema
        ));
        return Ok(report);
    }
    if report.schema == known {
        find_changed_rules(&mut connection, &mut report).await?;
    }
    for row in sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await?.iter().take(TOLD) {
        let (table, parent): (String, String) = (row.get(0), row.get(2));
        report.faults.push(format!("A row of {table} belongs to a row of {parent} that is not there."));
    }
    for (sql, words) in NONE_OF {
        let found: Vec<String> = sqlx::query_scalar(*sql).fetch_all(&mut connection).await?;
        tell(&mut report, found.into_iter().map(|id| format!("Request {id}: {words}.")).collect());
    }
    replay_all(&mut connection, &mut report).await?;
    Ok(report)
}

fn tell(report: &mut Report, mut faults: Vec<String>) {
    let more = faults.len().saturating_sub(TOLD);
    faults.truncate(TOLD);
    report.faults.append(&mut faults);
    if more > 0 {
        report.faults.push(format!("And {more} more like it."));
    }
}

/// The database's own copy of the table: somebody may have taken a rule away.
async fn find_changed_rules(connection: &mut SqliteConnection, report: &mut Report) -> StoreResult<()> {
    for (name, text) in legal::triggers() {
        let held: Option<String> =
            sqlx::query_scalar(AssertSqlSafe(format!("SELECT sql FROM sqlite_schema WHERE name = '{name}'")))
                .fetch_optional(&mut *connection)
                .await?;
        if held.as_deref() != Some(text.as_str()) {
            report.rules.push(format!(
                "The rule {name} of the database is missing or is not this version's; the next start writes it anew."
            ));
        }
    }
    Ok(())
}

async fn replay_all(connection: &mut SqliteConnection, report: &mut Report) -> StoreResult<()> {
    let ids: Vec<String> = sqlx::query_scalar("SELECT operation_id FROM operation ORDER BY operation_id")
        .fetch_all(&mut *connection)
        .await?;
    let mut faults = Vec::new();
    for id in ids {
        report.operations += 1;
        let rows = sqlx::query(
            "SELECT seq, version, event, from_step, from_status, to_step, to_status FROM history WHERE operation_id = ? ORDER BY seq",
        )
        .bind(id.clone())
        .fetch_all(&mut *connection)
        .await?;
        let past: Vec<Past> = rows.iter().map(past).collect();
        report.moves += i64::try_from(past.len()).unwrap_or(i64::MAX);
        let row = sqlx::query(operation_select!("WHERE o.operation_id = ?"))
            .bind(id.clone())
            .fetch_one(&mut *connection)
            .await?;
        if let Err(fault) = agrees(&past, &row) {
            faults.push(format!("Request {id}: {fault}."));
        }
    }
    tell(report, faults);
    Ok(())
}

/// Does the history lead to what is stored?
fn agrees(past: &[Past], row: &SqliteRow) -> Result<(), String> {
    let end = replay(past, &OurTable)?;
    let stored = from_row(row).map_err(|error| error.to_string())?;
    let is = (stored.version, i64::from(stored.step.code()), stored.status.word());
    if (end.version, end.step, end.status.as_str()) != is {
        return Err(format!(
            "its history ends at {} {} version {}, and {} {} version {} is stored",
            end.step,
            end.status,
            end.version,
            stored.step.code(),
            stored.status.word(),
            stored.version
        ));
    }
    let waits_for_nobody = stored.due_at.is_none() && on_a_schedule(stored.step);
    if waits_for_nobody { Err(format!("it stands at {}, and nobody will come for it", stored.step)) } else { Ok(()) }
}

/// Steps that somebody must come for: the running ones and the ladders.
fn on_a_schedule(step: Step) -> bool {
    step.is_active()
}

fn past(row: &SqliteRow) -> Past {
    let from: Option<i64> = row.get("from_step");
    Past {
        seq: row.get("seq"),
        version: row.get("version"),
        event: row.get("event"),
        from: from.map(|step| (step, row.get::<Option<String>, _>("from_status").unwrap_or_default())),
        to: (row.get("to_step"), row.get("to_status")),
    }
}
