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
    finish(&store).map_err(|error| refused(error.to_string()))?;
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
    // Under this name it is whole: from here on a start finishes what was cut off.
    let next = next_of(store);
    put(&part, &next)?;
    let aside = free_name(store, at);
    let kept = store.exists();
    let mut moved = Vec::new();
    let exchanged = move_aside(store, &aside, &mut moved).and_then(|()| put(&next, store));
    if let Err(error) = exchanged {
        take_back(store, &aside, &moved)?;
        // It would be taken for a restore that was cut off.
        std::fs::remove_file(&next)?;
        return Err(error);
    }
    Ok(kept.then_some(aside))
}

/// Mends a restore that was cut off. Where the store had been moved aside, its backup is put in place (true); where it had
/// not, it gets its log back, and nothing was restored.
pub(in crate::store) fn finish(store: &Path) -> io::Result<bool> {
    let next = next_of(store);
    if !next.exists() {
        return Ok(false);
    }
    if !store.exists() {
        put(&next, store)?;
        return Ok(true);
    }
    for (log, ending) in orphans(store)? {
        std::fs::rename(log, beside(store, ending))?;
    }
    std::fs::remove_file(&next)?;
    Ok(false)
}

/// Logs that were moved aside without their store.
fn orphans(store: &Path) -> io::Result<Vec<(PathBuf, &'static str)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(store.parent().unwrap_or(Path::new(".")))? {
        let path = entry?.path();
        let name = path.to_string_lossy().into_owned();
        let owner = |ending: &'static str| name.strip_suffix(ending).map(|owner| (PathBuf::from(owner), ending));
        if let Some((owner, ending)) = LOGS.into_iter().find_map(owner)
            && name.contains(".replaced-")
            && !owner.exists()
        {
            found.push((path, ending));
        }
    }
    Ok(found)
}

/// The log belongs to the file that is replaced: left behind, it would be read into the new one.
const LOGS: [&str; 2] = ["-wal", "-shm"];

fn move_aside(store: &Path, aside: &Path, moved: &mut Vec<&'static str>) -> io::Result<()> {
    // The store last: a store without its log is an older one, and would be opened as if nothing had happened.
    for ending in [LOGS[0], LOGS[1], ""] {
        match std::fs::rename(beside(store, ending), beside(aside, ending)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(()) => moved.push(ending),
        }
    }
    Ok(())
}

fn take_back(store: &Path, aside: &Path, moved: &[&str]) -> io::Result<()> {
    moved.iter().rev().try_for_each(|ending| std::fs::rename(beside(aside, ending), beside(store, ending)))
}

fn next_of(store: &Path) -> PathBuf {
    store.with_extension("next")
}

/// A name that keeps what is replaced, and takes the place of nothing that was kept before.
fn free_name(store: &Path, at: Millis) -> PathBuf {
    let moment = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default().format("replaced-%Y%m%dT%H%M%SZ");
    let is_free = |name: &Path| [LOGS[0], LOGS[1], ""].iter().all(|ending| !beside(name, ending).exists());
    let mut name = store.with_extension(format!("{moment}.db"));
    let mut n = 1;
    while !is_free(&name) {
        n += 1;
        name = store.with_extension(format!("{moment}-{n}.db"));
    }
    name
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
