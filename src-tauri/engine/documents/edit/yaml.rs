//! Edits of YAML files.

mod insert;
mod read;
mod replace;
mod scalar;
mod word;
mod write;

use serde_json::Value;

use super::locate::{Located, Place, locate};
use super::splice::{Placed, Splice, line_end, line_number, newline};
use super::value::{nest, same_value};
use super::{Edit, EditError, Segment, name_of};
use read::YamlEvents;
use write::Layout;

pub(super) fn read(text: &str, at: &[Segment]) -> Result<Option<Value>, EditError> {
    let documents = locate(text, YamlEvents::new(text), at)?;
    let mut found = documents.into_iter().filter_map(|located| match located.place {
        Place::Found(target) => Some(target.value),
        _ => None,
    });
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(EditError::new(format!("more than one document of the file has {}.", name_of(at)))),
        (first, None) => Ok(first),
    }
}

pub(super) fn line_of(text: &str, at: &[Segment]) -> Option<usize> {
    let documents = locate(text, YamlEvents::new(text), at).ok()?;
    documents.into_iter().find_map(|located| match located.place {
        Place::Found(target) => Some(line_number(text, target.around.key_end.unwrap_or(target.start))),
        _ => None,
    })
}

pub(super) fn place(text: &str, at: &[Segment], value: &Value) -> Result<Placed, EditError> {
    let documents = locate(text, YamlEvents::new(text), at)?;
    let Some((document, located)) = choose(documents, at)? else {
        return Ok(Placed { document: 0, splices: vec![append(text, &nest([(at, value)])?)] });
    };
    if let Place::Found(target) = &located.place
        && target.exact
        && same_value(&target.value, value)
    {
        return Ok(Placed { document, splices: Vec::new() });
    }
    if let Some(anchor) = located.shared {
        return Err(EditError::new(format!(
            "{} stands under the anchor &{anchor}, which an alias (*{anchor}) repeats elsewhere: the edit would change that place too. Change the file by hand.",
            name_of(at)
        )));
    }
    let layout = Layout::of(text);
    let splices = match located.place {
        Place::Found(target) => replace::replace(text, &target, value, &layout)?,
        Place::Null { target, depth: 0 } => vec![under_marker(text, target.start, &nest([(at, value)])?)],
        Place::Null { target, depth } => replace::replace(text, &target, &nest([(&at[depth..], value)])?, &layout)?,
        Place::Missing(gap) => {
            let inner = nest([(&at[gap.depth + 1..], value)])?;
            insert::insert(text, &gap, &at[gap.depth], &inner, &layout)
        }
        Place::Barred { why, .. } => return Err(EditError::new(why)),
    };
    Ok(Placed { document, splices })
}

pub(super) fn verify(before: &str, after: &str, edits: &[Edit], documents: &[usize]) -> Result<(), EditError> {
    super::verify::verify((before, YamlEvents::new(before)), (after, YamlEvents::new(after)), edits, documents)
}

pub(super) fn new_document(root: &Value) -> Result<String, EditError> {
    let layout = Layout { newline: "\n", step: 2 };
    Ok(format!("{}\n", layout.block(root, 0)))
}

/// The document that an edit means: of several, the one that has the map (or list) which holds the value.
fn choose(documents: Vec<Located>, at: &[Segment]) -> Result<Option<(usize, Located)>, EditError> {
    if documents.len() <= 1 {
        return Ok(documents.into_iter().next().map(|located| (0, located)));
    }
    let total = documents.len();
    let mut fitting = documents.into_iter().enumerate().filter(|(_, located)| located.has_parent(at.len()));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => Ok(Some(one)),
        (None, _) => Err(EditError::new(format!(
            "none of the {total} documents in the file has a map for {}: it cannot be told which one to edit.",
            name_of(at)
        ))),
        (Some((first, _)), Some((second, _))) => Err(EditError::new(format!(
            "more than one document of the file has a place for {} (the documents {} and {}): it cannot be told which one to edit.",
            name_of(at),
            first + 1,
            second + 1
        ))),
    }
}

/// The first content of a file that has none yet, after its comments.
fn append(text: &str, root: &Value) -> Splice {
    let layout = Layout::of(text);
    let body = layout.block(root, 0);
    let ends_open = !text.is_empty() && !text.ends_with(['\n', '\r', '\u{feff}']);
    if ends_open {
        return Splice::insert(text.len(), format!("{}{body}", layout.newline));
    }
    Splice::insert(text.len(), format!("{body}{}", layout.newline))
}

/// The first content of a document that is only its `---` line.
fn under_marker(text: &str, start: usize, root: &Value) -> Splice {
    let at = line_end(text, start);
    let layout = Layout { newline: newline(text, at), ..Layout::of(text) };
    Splice::insert(at, format!("{}{}", layout.newline, layout.block(root, 0)))
}
