//! All SQL. One writer with group commit, a pool of readers, functions named by intent.

pub mod calls;
pub mod compensations;
pub mod deploys;
pub mod history;
pub mod inbox;
pub mod leases;
mod legal;
pub mod list;
pub mod moves;
pub mod numbers;
pub mod operation;
pub mod outbox;
mod refusal;
pub mod schema;
pub mod settings;
pub mod submission;
pub mod timers;
pub mod writer;

use std::{path::Path, sync::Arc};

use sqlx::SqlitePool;
use thiserror::Error;

use self::writer::Writer;

/// What the store could not do. Nothing of the work it names was kept.
#[derive(Debug, Clone, Error)]
pub enum StoreError {
    /// The database said no.
    #[error("the local store refused the work: {}", refusal::words(.0))]
    Database(Arc<sqlx::Error>),
    /// A row holds what this program does not understand.
    #[error("the local store holds {what}, which this version does not know")]
    Unreadable {
        /// What was found.
        what: String,
    },
    /// The file was written by a newer program.
    #[error(
        "the store {file} was written by a newer version of Signalbox (schema {found}, this one knows {known}); start the newer version, or restore the backup made before its first start"
    )]
    Newer {
        /// The file.
        file: String,
        /// Schema found.
        found: i64,
        /// Newest schema known.
        known: i64,
    },
    /// The file or its folder cannot be used.
    #[error("the store {file} cannot be opened: {why}")]
    Unusable {
        /// The file.
        file: String,
        /// What the system said.
        why: String,
    },
    /// The engine is stopping.
    #[error("the store is closed; nothing was written")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(Arc::new(error))
    }
}

/// The result of store work.
pub type StoreResult<T> = Result<T, StoreError>;

/// The local store.
#[derive(Clone)]
pub struct Store {
    readers: SqlitePool,
    writer: Writer,
}

impl Store {
    /// Opens the store in a data directory, migrates it (with a backup before each migration) and checks that its schema is ours.
    pub async fn open(data_dir: &Path) -> StoreResult<Self> {
        let (connection, readers) = schema::open(&data_dir.join("signalbox.db")).await?;
        Ok(Self { readers, writer: Writer::start(connection) })
    }

    /// Writes what is queued, folds the write-ahead log into the file and closes it.
    pub async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}
