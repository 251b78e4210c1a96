//! From a kind and its fields to the files that a change writes.

mod names;
mod template;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use super::edit::{Edit, Segment};
use super::edit::{EditError, apply_edits, new_document, read_value};
use super::field_diff::push_pointer;
pub use super::file_diff::{FileAction, FileChange};
pub(crate) use names::{check_branch, check_path};
pub(crate) use template::{Template, ValueType, context};

/// Who a change is for and what it changes: together they name the relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Whose change it is.
    pub subject_id: String,
    /// What is changed for the subject.
    pub target_key: String,
}

/// A change with everything rendered but the contents of edited files, which depend on the target branch.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Whose change it is.
    pub subject_id: String,
    /// What is changed for the subject.
    pub target_key: String,
    /// Path or number of the project.
    pub project: String,
    /// The branch that the change goes to.
    pub target_branch: String,
    /// The branch that is made for the change; a name that git allows.
    pub branch: String,
    /// The title as rendered: one line, not cut and not neutralised.
    pub title: String,
    /// The files, each path once.
    pub files: Vec<PlannedFile>,
}

/// What is to happen to one file.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFile {
    /// Path in the repository, checked.
    pub path: String,
    /// What happens to it.
    pub change: Change,
}

/// The ways to change a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Values are written by key.
    Set {
        /// The values.
        edits: Vec<Edit>,
        /// A file that is absent is begun anew instead of being an error.
        create: bool,
    },
    /// The whole text of the file.
    Whole(String),
    /// The file goes; one that is gone already stays gone.
    Delete,
}

/// Why a change cannot be rendered: a sentence, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError {
    /// A JSON Pointer into the fields, or the path of a file.
    pub path: Option<String>,
    /// The sentence.
    pub message: String,
}

impl RenderError {
    pub(crate) fn new(path: Option<&str>, message: impl Into<String>) -> Self {
        RenderError { path: path.map(str::to_owned), message: message.into() }
    }

    fn of_file(path: &str, fault: EditError) -> Self {
        RenderError { path: Some(path.to_owned()), message: fault.message }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RenderError {}

impl Plan {
    /// The paths of all files, in the order of the kind.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str())
    }

    /// The files as they become. `before` gives the bytes of a file on the target branch, `None` where it is absent. Files
    /// that end up unchanged are left out: an empty list means that there is nothing to change.
    ///
    /// # Errors
    /// A sentence with the path of the file that cannot be changed.
    pub fn apply(&self, before: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Vec<FileChange>, RenderError> {
        let mut changes = Vec::new();
        for file in &self.files {
            let old = before(&file.path);
            let new = self.content(file, old.as_deref())?;
            changes.extend(FileChange::between(&file.path, old, new));
        }
        Ok(changes)
    }

    fn content(&self, file: &PlannedFile, old: Option<&[u8]>) -> Result<Option<Vec<u8>>, RenderError> {
        match (&file.change, old) {
            (Change::Delete, _) => Ok(None),
            (Change::Whole(text), _) => Ok(Some(text.clone().into_bytes())),
            (Change::Set { edits, .. }, Some(old)) => {
                apply_edits(&file.path, old, edits).map(Some).map_err(|fault| RenderError::of_file(&file.path, fault))
            }
            (Change::Set { edits, create: true }, None) => {
                new_document(&file.path, edits).map(Some).map_err(|fault| RenderError::of_file(&file.path, fault))
            }
            (Change::Set { create: false, .. }, None) => Err(RenderError::new(
                Some(&file.path),
                format!(
                    "{} does not exist on the branch {} of {}, and this kind does not create it.",
                    file.path, self.target_branch, self.project
                ),
            )),
        }
    }

    /// The values that this change edits, as they are now: to be compared with what the requester saw.
    ///
    /// One entry for each edit, named `path#/json/pointer`, with `{"value": …}` or `{"absent": true}`; for whole and deleted
    /// files one entry named by the path, with `{"sha256": "…"}` or `{"absent": true}`.
    ///
    /// # Errors
    /// A sentence with the path of the file that cannot be read.
    pub fn observe(&self, before: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<BTreeMap<String, Value>, RenderError> {
        let absent = || json!({ "absent": true });
        let mut seen = BTreeMap::new();
        for file in &self.files {
            let old = before(&file.path);
            let Change::Set { edits, .. } = &file.change else {
                let state = old.map_or_else(absent, |bytes| json!({ "sha256": hex(&Sha256::digest(&bytes)) }));
                seen.insert(file.path.clone(), state);
                continue;
            };
            for edit in edits {
                let value = match &old {
                    Some(bytes) => read_value(&file.path, bytes, &edit.at)
                        .map_err(|fault| RenderError::of_file(&file.path, fault))?,
                    None => None,
                };
                let state = value.map_or_else(absent, |value| json!({ "value": value }));
                seen.insert(format!("{}#{}", file.path, pointer(&edit.at)), state);
            }
        }
        Ok(seen)
    }
}

fn pointer(at: &[Segment]) -> String {
    let mut pointer = String::new();
    for segment in at {
        push_pointer(&mut pointer, &segment.text());
    }
    pointer
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
