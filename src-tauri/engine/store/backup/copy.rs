//! One copy: under another name until it is whole, checked and on the disk.

use std::{io, path::Path};

use super::super::{StoreError, StoreResult, damage, schema};

/// Copies a store while others use it. The file appears under its name only when it is whole, checked and on the disk.
/// Returns its size in bytes; an existing file is never overwritten.
pub async fn copy(from: &Path, to: &Path) -> StoreResult<u64> {
    let refused = |why: String| StoreError::NoBackup { to: to.display().to_string(), why };
    if !from.exists() {
        return Err(refused(format!("there is no store {}", from.display())));
    }
    if to.exists() {
        return Err(refused("a file of that name is there already, and is left as it is".into()));
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|error| refused(error.to_string()))?;
    }
    let part = to.with_extension("part");
    match whole_copy(from, &part).await {
        Ok(bytes) => {
            put(&part, to).map_err(|error| refused(error.to_string()))?;
            Ok(bytes)
        }
        Err(error) => {
            // Half a copy is worth nothing; one that cannot be removed is replaced by the next.
            drop(std::fs::remove_file(&part));
            Err(refused(error.to_string()))
        }
    }
}

async fn whole_copy(from: &Path, part: &Path) -> StoreResult<u64> {
    match std::fs::remove_file(part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(part, &error)),
        _ => {}
    }
    let mut source = schema::look_at(from).await?;
    sqlx::query("VACUUM INTO ?").bind(part.to_string_lossy().into_owned()).execute(&mut source).await?;
    if let Some(what) = damage::find(part, damage::Depth::Deep).await? {
        return Err(StoreError::Unusable {
            file: part.display().to_string(),
            why: format!("the copy is damaged ({what})"),
        });
    }
    std::fs::metadata(part).map(|copy| copy.len()).map_err(|error| unusable(part, &error))
}

fn unusable(file: &Path, error: &io::Error) -> StoreError {
    StoreError::Unusable { file: file.display().to_string(), why: error.to_string() }
}

/// Gives a finished file its name, in a way that a power cut cannot undo or halve.
pub(super) fn put(part: &Path, to: &Path) -> io::Result<()> {
    std::fs::File::open(part)?.sync_all()?;
    std::fs::rename(part, to)?;
    match to.parent() {
        // Windows has no handle of a folder; its rename is written through.
        Some(folder) if cfg!(unix) => std::fs::File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}
