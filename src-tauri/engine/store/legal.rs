//! The database's own copy of the transition table, so that it refuses what is not in it, even typed by hand.

use sqlx::{AssertSqlSafe, Connection as _, Row as _, SqliteConnection};

use super::StoreResult;
use crate::flow::{Status, Step, table};

/// Writes the triggers anew where they are not what the table says.
pub(super) async fn teach(writer: &mut SqliteConnection) -> StoreResult<()> {
    let mut tx = writer.begin_with("BEGIN IMMEDIATE").await?;
    for (name, sql) in triggers() {
        let held = sqlx::query("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
            .bind(name.clone())
            .fetch_optional(&mut *tx)
            .await?
            .map(|row| row.get::<String, _>(0));
        if held.as_deref() != Some(sql.as_str()) {
            sqlx::query(AssertSqlSafe(format!("DROP TRIGGER IF EXISTS {name}"))).execute(&mut *tx).await?;
            sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Name and text of every trigger.
pub(super) fn triggers() -> Vec<(String, String)> {
    let pairs = list(table::moves().filter_map(|row| {
        let from = row.from.filter(|from| *from != row.to)?;
        Some(format!("({},{})", from.code(), row.to.code()))
    }));
    let starts = list(table::moves().filter(|row| row.from.is_none()).map(|row| row.to.code().to_string()));
    let words = list(Step::ALL.iter().flat_map(belongs));
    let statuses = list(Status::ALL.iter().map(|status| format!("'{}'", status.word())));
    let mut triggers = vec![
        trigger(
            "operation_legal_move",
            "UPDATE OF step ON operation",
            &format!(
                "NEW.step <> OLD.step AND NOT EXISTS \
                 (SELECT 1 FROM (VALUES {pairs}) WHERE column1 = OLD.step AND column2 = NEW.step)"
            ),
            "the transition table does not list this move",
        ),
        trigger(
            "operation_legal_start",
            "INSERT ON operation",
            &format!("NEW.step NOT IN ({starts})"),
            "the transition table does not start at this step",
        ),
    ];
    for (when, what) in [("start", "INSERT"), ("move", "UPDATE OF step, status, outlook")] {
        triggers.push(trigger(
            &format!("operation_words_at_{when}"),
            &format!("{what} ON operation"),
            &format!("NOT EXISTS (SELECT 1 FROM (VALUES {words}) WHERE column1 = NEW.step AND column2 = NEW.status AND column3 = NEW.outlook)"),
            "step, status and outlook do not belong together",
        ));
    }
    for (when, what) in [("start", "INSERT"), ("move", "UPDATE OF status")] {
        triggers.push(trigger(
            &format!("binding_word_at_{when}"),
            &format!("{what} ON binding"),
            &format!("NEW.status NOT IN ({statuses})"),
            "there is no such outward status",
        ));
    }
    triggers
}

fn trigger(name: &str, on: &str, when: &str, refusal: &str) -> (String, String) {
    (
        name.to_owned(),
        format!("CREATE TRIGGER {name} BEFORE {on} WHEN {when} BEGIN SELECT RAISE(ABORT, '{refusal}'); END"),
    )
}

/// Which status and outlook a step may have: its own; a step that keeps the status it had may have any.
fn belongs(step: &Step) -> Vec<String> {
    let statuses = step.status().map_or_else(|| Status::ALL.to_vec(), |status| vec![status]);
    let row = |status: Status| format!("({},'{}','{}')", step.code(), status.word(), step.outlook().word());
    statuses.into_iter().map(row).collect()
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}
