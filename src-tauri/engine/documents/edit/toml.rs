//! Edits of TOML files.

mod insert;
mod read;
mod write;

use serde_json::{Map, Value};
use toml_edit::Document;

use super::splice::{Placed, Splice, line_number};
use super::value::{nest, same_value, sort_of};
use super::{Edit, EditError, Segment, name_of};
use read::{Node, as_seen, value_of};

type Parsed<'t> = Document<&'t str>;

fn parse(text: &str) -> Result<Parsed<'_>, EditError> {
    Document::parse(text).map_err(|fault| {
        let line = fault.span().map_or(1, |span| line_number(text, span.start));
        EditError::new(format!("line {line} is not valid TOML: {}.", fault.message().replace('\n', ", ")))
    })
}

pub(super) fn read(text: &str, at: &[Segment]) -> Result<Option<Value>, EditError> {
    let document = parse(text)?;
    let mut node = Node::Table(document.as_table());
    for segment in at {
        match node.get(segment) {
            Some(inner) => node = inner,
            None => return Ok(None),
        }
    }
    Ok(Some(as_seen(value_of(node))))
}

pub(super) fn place(text: &str, at: &[Segment], value: &Value) -> Result<Placed, EditError> {
    let document = parse(text)?;
    let mut way = vec![Node::Table(document.as_table())];
    for segment in at {
        match way[way.len() - 1].get(segment) {
            Some(inner) => way.push(inner),
            None => break,
        }
    }
    let splices = if way.len() > at.len() {
        let found = way[at.len()];
        if same_value(&value_of(found), value) { Vec::new() } else { vec![replace(text, found, at, value)?] }
    } else {
        check_map(&way, at)?;
        insert::insert(text, &way, at, value)?
    };
    Ok(Placed { document: 0, splices })
}

fn replace(text: &str, found: Node<'_>, at: &[Segment], value: &Value) -> Result<Splice, EditError> {
    match found {
        Node::Inline(table) if table.is_dotted() => {}
        Node::Table(_) | Node::Tables(_) => {}
        _ => {
            if let Some(span) = found.span() {
                let new = write::value(value, &text[span.clone()])?;
                return Ok(Splice::replace(span, new));
            }
        }
    }
    Err(EditError::new(format!(
        "{} is a table: set its keys one by one, a table is not replaced as a whole.",
        name_of(at)
    )))
}

/// The last node of the way must be able to take a key.
fn check_map(way: &[Node<'_>], at: &[Segment]) -> Result<(), EditError> {
    let depth = way.len() - 1;
    let (here, last) = (name_of(&at[..depth]), way[depth]);
    let length = match last {
        Node::Table(_) | Node::Inline(_) => return Ok(()),
        Node::Scalar(_) => {
            let sort = sort_of(&as_seen(value_of(last)));
            return Err(EditError::new(format!(
                "{here} is {sort}, not a map: there is no place for {} in it.",
                name_of(at)
            )));
        }
        Node::Array(array) => array.len(),
        Node::Tables(tables) => tables.len(),
    };
    Err(EditError::new(format!(
        "{here} is a list of {length}: it has no entry `{}` (they are counted from 0).",
        at[depth].text()
    )))
}

pub(super) fn verify(before: &str, after: &str, edits: &[Edit]) -> Result<(), EditError> {
    let whole = |text: &str| parse(text).map(|document| value_of(Node::Table(document.as_table())));
    let (before, after) = (whole(before)?, whole(after)?);
    let all: Vec<(&[Segment], &Edit)> = edits.iter().map(|edit| (edit.at.as_slice(), edit)).collect();
    compare(Some(&before), &after, &all)
}

fn compare(before: Option<&Value>, after: &Value, edits: &[(&[Segment], &Edit)]) -> Result<(), EditError> {
    let disturbed = |what: &str| Err(EditError::new(what));
    if edits.is_empty() {
        return match before {
            Some(before) if before == after => Ok(()),
            Some(_) => disturbed("another part of the file would change its meaning"),
            None => disturbed("a key would be added that no edit names"),
        };
    }
    if before.is_none() || edits.iter().any(|(rest, _)| rest.is_empty()) {
        let wanted = nest(edits.iter().map(|(rest, edit)| (*rest, &edit.value)))?;
        return if same_value(&wanted, after) {
            Ok(())
        } else {
            disturbed(&format!("{} would not read back as the value wanted", name_of(&edits[0].1.at)))
        };
    }
    let below = |leads: &dyn Fn(&Segment) -> bool| -> Vec<(&[Segment], &Edit)> {
        edits.iter().filter(|(rest, _)| leads(&rest[0])).map(|(rest, edit)| (&rest[1..], *edit)).collect()
    };
    match (before, after) {
        (Some(Value::Object(old)), Value::Object(new)) => {
            if old.keys().any(|key| !new.contains_key(key)) {
                return disturbed("a key would be lost");
            }
            lost_edit(edits, new).map_or(Ok(()), |name| disturbed(&format!("{name} would not be written")))?;
            new.iter().try_for_each(|(key, new)| compare(old.get(key), new, &below(&|segment| segment.names(key))))
        }
        (Some(Value::Array(old)), Value::Array(new)) if old.len() == new.len() => (old.iter().zip(new).enumerate())
            .try_for_each(|(i, (old, new))| compare(Some(old), new, &below(&|segment| segment.position() == Some(i)))),
        _ => disturbed("another part of the file would change its meaning"),
    }
}

fn lost_edit(edits: &[(&[Segment], &Edit)], new: &Map<String, Value>) -> Option<String> {
    edits.iter().find(|(rest, _)| !new.contains_key(&rest[0].text())).map(|(_, edit)| name_of(&edit.at))
}

pub(super) fn new_document(root: &Value) -> Result<String, EditError> {
    let mut out = String::new();
    if let Value::Object(map) = root {
        write::table(&mut out, &mut Vec::new(), map)?;
    }
    Ok(out)
}
