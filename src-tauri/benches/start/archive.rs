//! A store with a long past: copies of one request that truly went the whole way, each with its history.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection, sqlite::SqliteConnectOptions};

/// Fills the store of a data directory with `count` copies of its only request, one for each minute before it.
pub(crate) fn fill(data_dir: &Path, count: u32) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(write(data_dir, count)).expect("the store can be filled");
}

async fn write(data_dir: &Path, count: u32) -> sqlx::Result<()> {
    let file = SqliteConnectOptions::new().filename(data_dir.join("signalbox.db"));
    let mut store = SqliteConnection::connect_with(&file).await?;
    // The guards of the store let nobody write a past by hand: they step aside for the while, and are there again afterwards.
    let guards =
        sqlx::query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetch_all(&mut store).await?;
    for guard in &guards {
        sqlx::query(AssertSqlSafe(format!("DROP TRIGGER {}", guard.get::<String, _>("name"))))
            .execute(&mut store)
            .await?;
    }
    let id = ("operation_id", "printf('%08x', i) || substr(operation_id, 9)");
    let at = |name| (name, format!("{name} - i * 60000"));
    let (created, updated, entered, then) = (at("created_at"), at("updated_at"), at("entered_at"), at("at"));
    let target = ("target_key", "target_key || '/' || i");
    let time = |(name, sql): &(&'static str, String)| (*name, sql.clone());
    let word = |(name, sql): (&'static str, &str)| (name, sql.to_owned());
    for (table, columns) in [
        ("operation", vec![word(id), word(target), time(&created), time(&updated), time(&entered)]),
        ("binding", vec![word(id), word(target), time(&updated)]),
        ("rendered_file", vec![word(id)]),
        ("history", vec![word(id), time(&then)]),
        ("diff", vec![word(id), time(&then)]),
    ] {
        copy(&mut store, table, &columns, count).await?;
    }
    let text = "INSERT INTO operation_text (rowid, operation_id, text) \
        SELECT rowid, operation_id, operation_id || ' ' || subject_id || ' ' || target_key || ' ' || fields FROM operation \
        WHERE rowid NOT IN (SELECT rowid FROM operation_text)";
    sqlx::query(text).execute(&mut store).await?;
    for guard in guards {
        sqlx::query(AssertSqlSafe(guard.get::<String, _>("sql"))).execute(&mut store).await?;
    }
    store.close().await
}

/// Repeats the rows of a table, with some of its columns replaced.
async fn copy(store: &mut SqliteConnection, table: &str, replaced: &[(&str, String)], count: u32) -> sqlx::Result<()> {
    let names = sqlx::query("SELECT name FROM pragma_table_info(?)").bind(table).fetch_all(&mut *store).await?;
    let names: Vec<String> = names.iter().map(|row| row.get(0)).collect();
    let mut values = names.clone();
    for (column, sql) in replaced {
        if let Some(at) = names.iter().position(|name| name == column) {
            values[at].clone_from(sql);
        }
    }
    let sql = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}), one AS (SELECT * FROM {table}) \
         INSERT INTO {table} ({}) SELECT {} FROM one, n",
        names.join(", "),
        values.join(", ")
    );
    sqlx::query(AssertSqlSafe(sql)).execute(store).await.map(drop)
}
