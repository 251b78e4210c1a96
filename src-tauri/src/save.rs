//! Puts the evidence of a request into the person's folder of downloads, as a browser would.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tauri::{AppHandle, Manager};

use crate::host::Host;
use crate::open::Call;

/// Names tried before it is given up.
const MOST_NAMES: u32 = 1000;

/// Saves the sealed record of one request. Answers where it is, or with a sentence why it was not saved.
pub(crate) async fn evidence(app: &AppHandle, operation_id: &str) -> Result<String, String> {
    let engine = app.state::<Host>().engine().ok_or("The engine is not running. Nothing was saved.")?;
    if !operation_id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
        return Err(format!("“{operation_id}” is not the id of a request. Nothing was saved."));
    }
    let path = format!("/api/v1/operations/{operation_id}/evidence");
    let call = Call { method: "GET".into(), path, query: BTreeMap::new(), body: None, lang: "en".into() };
    let answer = engine.call(call).await;
    if answer.status != 200 {
        let problem: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        let why = problem["detail"].as_str().or(problem["title"].as_str()).unwrap_or("the engine did not say why");
        return Err(format!("{why} Nothing was saved."));
    }
    let paths = app.path();
    let folder = paths
        .download_dir()
        .or_else(|_| paths.home_dir())
        .map_err(|error| format!("There is no folder for downloads on this machine ({error}). Nothing was saved."))?;
    write_new(&folder, &format!("signalbox-{operation_id}"), &answer.body)
        .map(|file| file.display().to_string())
        .map_err(|error| format!("{} cannot be written: {error}. Nothing was saved.", folder.display()))
}

/// Writes under a name that is free, and over nothing.
fn write_new(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    for n in 0..MOST_NAMES {
        let file = match n {
            0 => folder.join(format!("{name}.jsonl")),
            n => folder.join(format!("{name} ({n}).jsonl")),
        };
        match File::create_new(&file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(mut created) => {
                created.write_all(text.as_bytes()).and_then(|()| created.sync_all()).inspect_err(|_| {
                    // Half a record is worth nothing.
                    drop(std::fs::remove_file(&file));
                })?;
                return Ok(file);
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_already_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<_> = ["a", "b", "c"].map(|text| write_new(folder.path(), "signalbox-1", text).unwrap()).into();
        let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["signalbox-1.jsonl", "signalbox-1 (1).jsonl", "signalbox-1 (2).jsonl"]);
        assert_eq!(std::fs::read_to_string(&files[0]).unwrap(), "a");
    }
}
