//! What is wrong in a kind file, and where.

use std::fmt;

use crate::documents::edit::{Segment, line_of_value};

/// One fault in a kind file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindError {
    /// Name of the file.
    pub file: String,
    /// Line, counted from 1, where it is known.
    pub line: Option<usize>,
    /// The key: `files[0].set[1].type`; empty when the fault is in no key.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What is allowed instead; may be empty.
    pub allowed: String,
}

impl KindError {
    pub(crate) fn new(
        file: &str,
        line: Option<usize>,
        key: &str,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) -> KindError {
        KindError { file: file.to_owned(), line, key: key.to_owned(), message: message.into(), allowed: allowed.into() }
    }
}

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if !self.key.is_empty() {
            write!(f, ", {}", self.key)?;
        }
        write!(f, ": {}", self.message)?;
        if self.allowed.is_empty() { f.write_str(".") } else { write!(f, "; allowed: {}.", self.allowed) }
    }
}

impl std::error::Error for KindError {}

/// The line of a key in a YAML text; that of its nearest parent where it is missing.
pub(super) fn line_of<S: Into<Segment> + Clone>(text: &str, way: &[S]) -> Option<usize> {
    let way: Vec<Segment> = way.iter().cloned().map(Into::into).collect();
    (1..=way.len()).rev().find_map(|length| line_of_value(text, &way[..length]))
}
