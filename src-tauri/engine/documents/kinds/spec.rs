//! The `files` of a kind, with compiled templates.

use crate::documents::render::{Template, ValueType};

#[derive(Debug)]
pub(crate) struct FileSpec {
    pub(crate) path: Template,
    pub(crate) change: ChangeSpec,
}

#[derive(Debug)]
pub(crate) enum ChangeSpec {
    Set { edits: Vec<EditSpec>, create: bool },
    Whole(Template),
    Delete,
}

#[derive(Debug)]
pub(crate) struct EditSpec {
    pub(crate) at: Vec<AtSpec>,
    pub(crate) value: Template,
    pub(crate) value_type: ValueType,
}

#[derive(Debug)]
pub(crate) enum AtSpec {
    Key(Template),
    Index(usize),
}
