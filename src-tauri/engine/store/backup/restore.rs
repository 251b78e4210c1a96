//! Putting a backup in the place of the store. What is replaced is kept beside it.

use std::{
    io,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};

use super::{
    super::{StoreError, StoreResult, damage, operation::Millis, verify},
    copy::put,
    store_of,
};

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The store that was replaced, kept under this name; None where there was none.
    pub aside: Option<PathBuf>,
    /// Requests in the store now.
    pub operations: i64,
}

/// Puts a backup in the place of the store of a data directory, which nobody may have open. A backup that is not whole is
/// refused before anything is touched.
pub async fn restore(data_dir: &Path, backup: &Path, at: Millis) -> StoreResult<Restored> {
    let store = store_of(data_dir);
    let refused = |why: String| StoreError::NotRestored { file: backup.display().to_string(), why };
    if !backup.exists() {
        return Err(refused("there is no such file".into()));
    }
    if let Some(what) = damage::find(backup, damage::Depth::Deep).await? {
        return Err(refused(format!("the backup is damaged itself ({what})")));
    }
    let report = verify::verify(backup).await?;
    if let Some(fault) = report.faults.first() {
        return Err(refused(fault.clone()));
    }
    let moved = swap(backup, &store, at).map_err(|error| refused(error.to_string()))?;
    Ok(Restored { aside: moved, operations: report.operations })
}

fn swap(backup: &Path, store: &Path, at: Millis) -> io::Result<Option<PathBuf>> {
    let part = store.with_extension("part");
    std::fs::copy(backup, &part)?;
    let moment = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default();
    let aside = store.with_extension(moment.format("replaced-%Y%m%dT%H%M%SZ.db").to_string());
    let mut kept = None;
    if store.exists() {
        std::fs::rename(store, &aside)?;
        kept = Some(aside.clone());
    }
    // The log belongs to the file that was replaced: left behind, it would be read into the new one.
    for log in ["-wal", "-shm"] {
        match std::fs::rename(beside(store, log), beside(&aside, log)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    put(&part, store)?;
    Ok(kept)
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
