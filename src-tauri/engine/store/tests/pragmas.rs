//! The pragmas are read back: a driver may forget one, and nobody would notice until the power fails.

use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::super::{Store, schema};

async fn pragma(connection: &mut SqliteConnection, name: &str) -> String {
    let row = sqlx::query(AssertSqlSafe(format!("PRAGMA {name}"))).fetch_one(connection).await.unwrap();
    row.try_get_unchecked(0).unwrap()
}

/// What holds on every connection.
const BOTH: &[(&str, &str)] = &[
    ("journal_mode", "wal"),
    ("synchronous", "2"),
    ("foreign_keys", "1"),
    ("busy_timeout", "5000"),
    ("cache_size", "-32768"),
    ("temp_store", "2"),
    ("trusted_schema", "0"),
    ("cell_size_check", "1"),
    ("fullfsync", "1"),
    ("checkpoint_fullfsync", "1"),
    ("journal_size_limit", "2097152"),
    ("wal_autocheckpoint", "500"),
];

#[tokio::test]
async fn the_writer_commits_to_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let (mut writer, _readers) = schema::open(&dir.path().join("signalbox.db"), &schema::MIGRATIONS).await.unwrap();
    for (name, value) in BOTH {
        assert_eq!(pragma(&mut writer, name).await, *value, "{name}");
    }
    assert_eq!(pragma(&mut writer, "query_only").await, "0");
}

#[tokio::test]
async fn no_reader_can_write() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).await.unwrap();
    let mut readers = Vec::new();
    for _ in 0..4 {
        readers.push(store.readers.acquire().await.unwrap());
    }
    for reader in &mut readers {
        for (name, value) in BOTH {
            assert_eq!(pragma(reader, name).await, *value, "{name}");
        }
        assert_eq!(pragma(reader, "query_only").await, "1");
        let refused = sqlx::query("DELETE FROM timer").execute(&mut **reader).await.unwrap_err();
        assert!(refused.to_string().contains("readonly"), "{refused}");
    }
}
