//! The data directory, without taking its lock: a running Signalbox is not disturbed.

use std::{io, path::Path};

use super::finding::Findings;
use crate::lock::why_unusable;

/// A file that is made and removed again.
const TRIAL: &str = "signalbox.check";

/// Looks whether the directory is there and can be written.
pub(super) fn look(dir: &Path, findings: &mut Findings) {
    let shown = dir.display();
    match std::fs::metadata(dir) {
        Ok(meta) if !meta.is_dir() => {
            let error = io::Error::from(io::ErrorKind::NotADirectory);
            return findings.fault("data-dir", format!("{shown} {}.", why_unusable(&error)));
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return findings.warning("data-dir", format!("{shown} is not there yet. `signalboxd serve` makes it."));
        }
        Err(error) => return findings.fault("data-dir", format!("{shown} {}.", why_unusable(&error))),
    }
    let trial = dir.join(format!("{TRIAL}.{}", std::process::id()));
    let written = std::fs::write(&trial, b"trial\n");
    // Removed even when the write broke off in the middle.
    let _ = std::fs::remove_file(&trial);
    match written {
        Ok(()) => findings.ok("data-dir", format!("{shown} can be written.")),
        Err(error) => findings.fault("data-dir", format!("{shown} {}.", why_unusable(&error))),
    }
}
