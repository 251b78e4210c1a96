//! The one shape in which YAML and JSON files are read: a stream of events with the bytes that each comes from.

use std::borrow::Cow;

use serde_json::Value;

use super::EditError;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// A declared type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tag {
    Str,
    Int,
    Float,
    Bool,
    Null,
    Map,
    Seq,
    Other(String),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum What<'t> {
    DocumentStart,
    DocumentEnd,
    MapStart { flow: bool },
    MapEnd,
    ListStart { flow: bool },
    ListEnd,
    Scalar { text: Cow<'t, str>, style: Style },
    Alias { id: usize, name: String },
}

/// One event. `start..end` are the bytes of the node without its anchor and tag; for a block scalar `start` is its header and
/// `end` lies on its last line. For the start of a collection both are where it begins.
#[derive(Debug, Clone)]
pub(super) struct Event<'t> {
    pub(super) what: What<'t>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Column in characters, counted from 0.
    pub(super) column: usize,
    pub(super) anchor: Option<(usize, String)>,
    pub(super) tag: Option<Tag>,
    /// Where anchor and tag end; 0 when there is neither.
    pub(super) props_end: usize,
}

/// A parsed file, read once from front to back.
pub(super) trait Events<'t> {
    /// The next event; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<Event<'t>>, EditError>;

    /// The value of a scalar, and whether every reader of this format takes it for just that.
    fn resolve(&self, text: &str, style: Style, tag: Option<&Tag>) -> (Value, bool);
}
