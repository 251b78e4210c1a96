//! Opening the file: pragmas, and migrations with a backup before each.

use std::{path::Path, str::FromStr as _, time::Duration};

use sqlx::{
    ConnectOptions as _, SqliteConnection, SqlitePool,
    migrate::Migrator,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{StoreError, StoreResult, legal};

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// Readers beside the one writer.
const READERS: u32 = 4;

/// Opens the writer's connection and the pool of readers.
pub(super) async fn open(file: &Path) -> StoreResult<(SqliteConnection, SqlitePool)> {
    let unusable =
        |error: sqlx::Error| StoreError::Unusable { file: file.display().to_string(), why: error.to_string() };
    let existed = file.exists();
    let options = options(file);
    let mut writer = options.clone().connect().await.map_err(unusable)?;
    migrate(&mut writer, file, existed).await?;
    legal::teach(&mut writer).await?;
    let readers =
        SqlitePoolOptions::new().max_connections(READERS).connect_lazy_with(options.pragma("query_only", "ON"));
    Ok((writer, readers))
}

/// FULL, because a commit that is lost means a remote effect that is repeated.
fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::from_str("sqlite:")
        .unwrap_or_default()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .pragma("cache_size", "-32768")
        .pragma("temp_store", "MEMORY")
        .pragma("journal_size_limit", "67108864")
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .pragma("fullfsync", "ON")
        .pragma("checkpoint_fullfsync", "ON")
}

async fn migrate(writer: &mut SqliteConnection, file: &Path, existed: bool) -> StoreResult<()> {
    let known = MIGRATIONS.iter().map(|m| m.version).max().unwrap_or(0);
    let found = applied_version(writer).await?;
    if found > known {
        return Err(StoreError::Newer { file: file.display().to_string(), found, known });
    }
    if existed && found > 0 && found < known {
        back_up(writer, file, found).await?;
    }
    MIGRATIONS.run_direct(None, writer, false).await.map_err(|error| StoreError::Unusable {
        file: file.display().to_string(),
        why: format!("the migration from schema {found} to {known} failed: {error}; the file is as it was before"),
    })
}

async fn applied_version(writer: &mut SqliteConnection) -> StoreResult<i64> {
    let known: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
        .fetch_one(&mut *writer)
        .await?;
    if known == 0 {
        return Ok(0);
    }
    Ok(sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations WHERE success")
        .fetch_one(writer)
        .await?)
}

/// A whole copy beside the file, so that a migration can be undone by renaming.
async fn back_up(writer: &mut SqliteConnection, file: &Path, version: i64) -> StoreResult<()> {
    let copy = file.with_extension(format!("before-{}.db", version + 1));
    if !copy.exists() {
        sqlx::query("VACUUM INTO ?").bind(copy.to_string_lossy().into_owned()).execute(writer).await?;
    }
    Ok(())
}
