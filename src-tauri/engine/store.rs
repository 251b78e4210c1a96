//! All SQL. One writer with group commit, a pool of readers, functions named by intent.

pub mod backup;
pub mod calls;
pub mod compensations;
mod damage;
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
pub mod recovery;
mod refusal;
pub mod schema;
pub mod settings;
pub mod submission;
pub mod timers;
pub mod verify;
pub mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

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
    /// The file is not what was written.
    #[error("the store {file} is damaged ({what}); it was left as it is. {advice}")]
    Damaged {
        /// The file.
        file: String,
        /// What the database found.
        what: String,
        /// Which backup there is, and how it is put in its place.
        advice: String,
    },
    /// A copy was not made.
    #[error("no backup was written to {to}: {why}")]
    NoBackup {
        /// The file that was wanted.
        to: String,
        /// What the system said.
        why: String,
    },
    /// A copy was not put in the place of the store.
    #[error("{file} was not restored: {why}. The store is as it was")]
    NotRestored {
        /// The backup.
        file: String,
        /// What was found.
        why: String,
    },
    /// A bug of this program.
    #[error("a bug in the store stopped this work; nothing of it was kept, and everything else goes on")]
    Panicked,
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

/// Name of the file in the data directory.
const FILE: &str = "signalbox.db";

/// The local store.
#[derive(Clone)]
pub struct Store {
    file: Arc<PathBuf>,
    readers: SqlitePool,
    writer: Writer,
}

impl Store {
    /// Opens the store in a data directory: refuses a damaged file and one of a newer program, and migrates an older one
    /// after a backup.
    pub async fn open(data_dir: &Path) -> StoreResult<Self> {
        let file = data_dir.join(FILE);
        let unusable =
            |error: std::io::Error| StoreError::Unusable { file: file.display().to_string(), why: error.to_string() };
        if backup::finish(&file).map_err(unusable)? {
            tracing::warn!(file = %file.display(), "a restore was cut off before its end; it is finished now");
        }
        let (connection, readers) = schema::open(&file, &schema::MIGRATIONS).await?;
        Ok(Self { file: Arc::new(file), readers, writer: Writer::start(connection) })
    }

    /// Opens a store to read only, beside whoever has it open. Every write is answered with [`StoreError::Closed`].
    pub fn look(data_dir: &Path) -> StoreResult<Self> {
        let file = data_dir.join(FILE);
        if !file.exists() {
            return Err(StoreError::Unusable { file: file.display().to_string(), why: "there is no such file".into() });
        }
        Ok(Self { readers: schema::look_often(&file), file: Arc::new(file), writer: Writer::closed() })
    }

    /// Writes what is queued, folds the write-ahead log into the file and closes it.
    pub async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

#[cfg(test)]
mod tests;
