//! Edits of JSON files; comments and trailing commas are read and kept.

mod read;
mod write;

use serde_json::Value;

use super::flow::{self, Manner};
use super::locate::{Place, Shape, Target, locate};
use super::splice::{Placed, Splice, indentation, line_start, newline};
use super::value::{nest, same_value};
use super::{Edit, EditError, Segment};
use read::JsonEvents;
use write::Layout;

pub(super) fn read(text: &str, at: &[Segment]) -> Result<Option<Value>, EditError> {
    match locate(text, JsonEvents::new(text), at)?.into_iter().next().map(|located| located.place) {
        Some(Place::Found(target)) => Ok(Some(target.value)),
        _ => Ok(None),
    }
}

pub(super) fn place(text: &str, at: &[Segment], value: &Value) -> Result<Placed, EditError> {
    let Some(located) = locate(text, JsonEvents::new(text), at)?.into_iter().next() else {
        return Err(EditError::new("the file is empty: there is no JSON value to edit."));
    };
    let splices = match located.place {
        Place::Found(target) if target.exact && same_value(&target.value, value) => Vec::new(),
        Place::Found(target) => vec![replace(text, &target, value)],
        Place::Null { target, depth } => vec![replace(text, &target, &nest([(&at[depth..], value)])?)],
        Place::Barred { why, .. } => return Err(EditError::new(why)),
        Place::Missing(gap) => {
            let inner = nest([(&at[gap.depth + 1..], value)])?;
            let key = Value::String(at[gap.depth].text()).to_string();
            let unit = write::unit(text);
            let line = newline(text, gap.start);
            let entry = |indent: Option<&str>, tight: bool| {
                let layout = Layout { unit: &unit, newline: line, tight };
                format!("{key}:{}{}", if tight { "" } else { " " }, layout.write(&inner, indent))
            };
            let spread = gap.entries == 0 && stands_on_lines(text);
            let manner = Manner { skip_blank: read::skip_blank, entry: &entry, unit: spread.then_some(unit.as_str()) };
            flow::insert(text, &gap, &manner)
        }
    };
    Ok(Placed { document: 0, splices })
}

pub(super) fn verify(before: &str, after: &str, edits: &[Edit], documents: &[usize]) -> Result<(), EditError> {
    super::verify::verify((before, JsonEvents::new(before)), (after, JsonEvents::new(after)), edits, documents)
}

pub(super) fn new_document(root: &Value) -> Result<String, EditError> {
    let layout = Layout { unit: "  ", newline: "\n", tight: false };
    Ok(format!("{}\n", layout.write(root, Some(""))))
}

fn replace(text: &str, target: &Target, value: &Value) -> Splice {
    let old = &text[target.start..target.end];
    let spread = match target.shape {
        Shape::Collection { .. } if target.value.as_object().is_none_or(|m| !m.is_empty()) => old.contains('\n'),
        _ => stands_on_lines(text),
    };
    let unit = write::unit(text);
    let tight = target.around.key_end.is_some_and(|end| &text[end..target.start] == ":");
    let layout = Layout { unit: &unit, newline: newline(text, target.start), tight };
    let indent = spread.then(|| indentation(text, target.start));
    Splice::replace(target.start..target.end, layout.write(value, indent))
}

/// The entries of the outermost value stand on lines of their own.
fn stands_on_lines(text: &str) -> bool {
    text.find(['{', '[']).is_some_and(|open| line_start(text, text.trim_end().len()) > open)
}
