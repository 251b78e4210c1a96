//! Edits of one value in a YAML, JSON or TOML file that leave every other byte as it was.
//!
//! Each edit finds the exact bytes of the value, replaces just these, and the result is parsed again and compared with the
//! file as it was: anything but the edited place that differs is an error, and nothing is written.

mod events;
mod flow;
mod json;
mod locate;
mod splice;
mod toml;
mod value;
mod verify;
mod walk;
mod yaml;

use std::fmt;

use serde_json::Value;

pub use value::same_value;

/// One step of the way to a value: a key of a map or a position in a list (counted from 0).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// A key of a map. On a list, digits are read as a position.
    Key(String),
    /// A position in a list. On a map, the key written with these digits.
    Index(usize),
}

impl Segment {
    /// The segment as it stands in a JSON Pointer, before escaping.
    pub fn text(&self) -> String {
        match self {
            Segment::Key(key) => key.clone(),
            Segment::Index(index) => index.to_string(),
        }
    }

    fn names(&self, key: &str) -> bool {
        match self {
            Segment::Key(own) => own == key,
            Segment::Index(index) => index.to_string() == key,
        }
    }

    fn position(&self) -> Option<usize> {
        match self {
            Segment::Index(index) => Some(*index),
            Segment::Key(key) if key == "0" || (!key.starts_with('0') && key.bytes().all(|b| b.is_ascii_digit())) => {
                key.parse().ok()
            }
            Segment::Key(_) => None,
        }
    }
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Segment::Key(key.to_owned())
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Segment::Index(index)
    }
}

/// The value to be written at one place of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The way from the root of the document; never empty.
    pub at: Vec<Segment>,
    /// What stands there afterwards.
    pub value: Value,
}

/// Why a file could not be edited or read: a sentence that names the file and the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditError {
    /// The sentence.
    pub message: String,
}

impl EditError {
    fn new(message: impl Into<String>) -> Self {
        EditError { message: message.into() }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EditError {}

#[derive(Clone, Copy)]
enum Format {
    Yaml,
    Json,
    Toml,
}

impl Format {
    fn of(path: &str) -> Result<Format, EditError> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("yaml" | "yml") => Ok(Format::Yaml),
            Some("json") => Ok(Format::Json),
            Some("toml") => Ok(Format::Toml),
            _ => Err(EditError::new(format!(
                "{path} cannot be edited by key: its name must end in .yaml, .yml, .json or .toml. Use a template for other files."
            ))),
        }
    }
}

/// Says whether files of this name can be edited by key.
///
/// # Errors
/// A sentence with the endings that can.
pub fn check_format(path: &str) -> Result<(), EditError> {
    Format::of(path).map(|_| ())
}

/// Writes the values of `edits` into `text`; the format follows from the ending of `path`.
///
/// A value that is there already leaves its bytes as they are. A missing key is added at the end of its map, missing parents too.
///
/// # Errors
/// A sentence when the file cannot be parsed, when the place is not to be reached or shared by an alias, or when the value
/// cannot be written in this format.
pub fn apply_edits(path: &str, text: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let format = Format::of(path)?;
    let source = as_text(path, text)?;
    check_overlap(path, edits)?;
    let named = |e: EditError| EditError::new(format!("{path}: {}", e.message));
    let mut result = source.to_owned();
    let mut places = Vec::with_capacity(edits.len());
    for edit in edits {
        let placed = match format {
            Format::Yaml => yaml::place(&result, &edit.at, &edit.value),
            Format::Json => json::place(&result, &edit.at, &edit.value),
            Format::Toml => toml::place(&result, &edit.at, &edit.value),
        }
        .map_err(named)?;
        places.push(placed.document);
        if !placed.splices.is_empty() {
            result = splice::apply(&result, placed.splices);
        }
    }
    if result != source {
        match format {
            Format::Yaml => yaml::verify(source, &result, edits, &places),
            Format::Json => json::verify(source, &result, edits, &places),
            Format::Toml => toml::verify(source, &result, edits),
        }
        .map_err(|fault| named(unsafe_place(&fault)))?;
    }
    Ok(result.into_bytes())
}

/// The text of a new document that holds the values of `edits` and nothing else.
///
/// # Errors
/// A sentence when the edits contradict each other or the format cannot hold a value.
pub fn new_document(path: &str, edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let format = Format::of(path)?;
    check_overlap(path, edits)?;
    let named = |e: EditError| EditError::new(format!("{path}: {}", e.message));
    let root = value::nest(edits.iter().map(|e| (e.at.as_slice(), &e.value))).map_err(named)?;
    let text = match format {
        Format::Yaml => yaml::new_document(&root),
        Format::Json => json::new_document(&root),
        Format::Toml => toml::new_document(&root),
    }
    .map_err(named)?;
    for edit in edits {
        match read_value(path, text.as_bytes(), &edit.at)? {
            Some(found) if same_value(&found, &edit.value) => {}
            _ => return Err(named(EditError::new(format!("{} cannot be written in a new file", name_of(&edit.at))))),
        }
    }
    Ok(text.into_bytes())
}

/// The value that stands at a place; `None` when it is absent.
///
/// # Errors
/// A sentence when the file cannot be parsed, or when more than one document of it has the place.
pub fn read_value(path: &str, text: &[u8], at: &[Segment]) -> Result<Option<Value>, EditError> {
    let format = Format::of(path)?;
    let source = as_text(path, text)?;
    match format {
        Format::Yaml => yaml::read(source, at),
        Format::Json => json::read(source, at),
        Format::Toml => toml::read(source, at),
    }
    .map_err(|e| EditError::new(format!("{path}: {}", e.message)))
}

/// The line of a value in a YAML text, counted from 1: that of its key where it has one.
pub(crate) fn line_of_value(text: &str, at: &[Segment]) -> Option<usize> {
    yaml::line_of(text, at)
}

/// The proof of an edit failed: the file is in order, but the place is one that is not edited safely.
fn unsafe_place(fault: &EditError) -> EditError {
    let why = fault.message.trim_end_matches('.');
    EditError::new(format!("this place cannot be edited safely: {why}. Nothing was written; change the file by hand."))
}

/// A place as people read it: `regions.eu-west.cpu`.
fn name_of(at: &[Segment]) -> String {
    if at.is_empty() {
        return "the root of the document".to_owned();
    }
    let mut name = String::new();
    for segment in at {
        match segment {
            Segment::Key(key) => super::field_diff::push_key(&mut name, key),
            Segment::Index(index) => name.push_str(&format!("[{index}]")),
        }
    }
    format!("`{name}`")
}

fn as_text<'t>(path: &str, text: &'t [u8]) -> Result<&'t str, EditError> {
    std::str::from_utf8(text).map_err(|e| {
        EditError::new(format!("{path} is not UTF-8 text (byte {}): it cannot be edited by key.", e.valid_up_to()))
    })
}

fn check_overlap(path: &str, edits: &[Edit]) -> Result<(), EditError> {
    for (i, edit) in edits.iter().enumerate() {
        if edit.at.is_empty() {
            return Err(EditError::new(format!(
                "{path}: an edit must name a key; to write the whole file use a template."
            )));
        }
        for other in &edits[i + 1..] {
            let short = edit.at.len().min(other.at.len());
            if edit.at[..short].iter().zip(&other.at[..short]).all(|(a, b)| a.text() == b.text()) {
                return Err(EditError::new(format!(
                    "{path}: two edits write to one place, {} and {}.",
                    name_of(&edit.at),
                    name_of(&other.at)
                )));
            }
        }
    }
    Ok(())
}
