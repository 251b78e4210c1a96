//! Opening the file: pragmas, and migrations with a backup before each.

use std::{path::Path, time::Duration};

use sqlx::{
    ConnectOptions as _, SqliteConnection, SqlitePool,
    migrate::Migrator,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{StoreError, StoreResult, backup, damage, legal};

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// Readers beside the one writer.
const READERS: u32 = 4;
/// How long a statement waits for another program's lock.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the writer's connection and the pool of readers.
pub(super) async fn open(file: &Path, migrations: &Migrator) -> StoreResult<(SqliteConnection, SqlitePool)> {
    damage::refuse_damaged(file).await?;
    let unusable =
        |error: sqlx::Error| StoreError::Unusable { file: file.display().to_string(), why: error.to_string() };
    let options = options(file);
    let mut writer = options.clone().connect().await.map_err(unusable)?;
    migrate(&mut writer, file, migrations).await?;
    // What was there at a start lies in the store itself: whoever takes the log away cannot make it look like a new one.
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut writer).await.map_err(unusable)?;
    legal::teach(&mut writer).await?;
    let readers =
        SqlitePoolOptions::new().max_connections(READERS).connect_lazy_with(options.pragma("query_only", "ON"));
    Ok((writer, readers))
}

/// A connection that cannot write, for copies and checks.
pub(super) async fn look_at(file: &Path) -> StoreResult<SqliteConnection> {
    Ok(only_looking(file).connect().await?)
}

/// Readers that cannot write and need no writer beside them.
pub(super) fn look_often(file: &Path) -> SqlitePool {
    SqlitePoolOptions::new().max_connections(READERS).connect_lazy_with(only_looking(file))
}

fn only_looking(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(file).read_only(true).busy_timeout(PATIENCE)
}

/// FULL, because a commit that is lost means a remote effect that is repeated.
fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .pragma("cache_size", "-32768")
        .pragma("temp_store", "MEMORY")
        // The log is folded into the file every 2 MB, and cut back to that where a long read had kept it from being folded.
        .pragma("wal_autocheckpoint", "500")
        .pragma("journal_size_limit", "2097152")
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .pragma("fullfsync", "ON")
        .pragma("checkpoint_fullfsync", "ON")
}

/// The newest schema that this program knows.
pub(super) fn newest(migrations: &Migrator) -> i64 {
    migrations.iter().map(|migration| migration.version).max().unwrap_or(0)
}

async fn migrate(writer: &mut SqliteConnection, file: &Path, migrations: &Migrator) -> StoreResult<()> {
    let known = newest(migrations);
    let found = applied_version(writer).await?;
    if found > known {
        return Err(StoreError::Newer { file: file.display().to_string(), found, known });
    }
    let mut kept = String::new();
    if found > 0 && found < known {
        let copy = back_up(file, found + 1).await?;
        kept = format!("; a copy of it from before is {copy}");
    }
    if let Err(error) = migrations.run_direct(None, &mut *writer, false).await {
        let stands = applied_version(writer).await.unwrap_or(found);
        return Err(StoreError::Unusable {
            file: file.display().to_string(),
            why: format!(
                "the migration from schema {found} to {known} failed: {error}. It stands at schema {stands}, whole{kept}"
            ),
        });
    }
    Ok(())
}

/// A whole copy beside the file, so that a migration can be undone by renaming. It replaces one of an earlier try, since the
/// older program may have gone on after that; the earlier one stays until the new one is whole.
async fn back_up(file: &Path, version: i64) -> StoreResult<String> {
    let copy = file.with_extension(format!("before-{version}.db"));
    let fresh = file.with_extension(format!("before-{version}.new"));
    drop(std::fs::remove_file(&fresh));
    backup::copy(file, &fresh).await?;
    std::fs::rename(&fresh, &copy)
        .map_err(|error| StoreError::NoBackup { to: copy.display().to_string(), why: error.to_string() })?;
    Ok(copy.display().to_string())
}

/// The schema of a file; 0 for an empty one.
pub(super) async fn applied_version(connection: &mut SqliteConnection) -> StoreResult<i64> {
    let known: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
        .fetch_one(&mut *connection)
        .await?;
    if known == 0 {
        return Ok(0);
    }
    Ok(sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations WHERE success")
        .fetch_one(connection)
        .await?)
}
