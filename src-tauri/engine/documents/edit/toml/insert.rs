//! Adding a key that is not there yet.

use serde_json::Value;

use super::super::splice::{Splice, indentation, line_end, line_start, newline};
use super::super::value::nest;
use super::super::{EditError, Segment};
use super::read::Node;
use super::write;

/// The splices that write the value below the last node of the way, which is a map without the key.
pub(super) fn insert(text: &str, way: &[Node<'_>], at: &[Segment], value: &Value) -> Result<Vec<Splice>, EditError> {
    let depth = way.len() - 1;
    let holder_depth = (0..=depth).rev().find(|n| !way[*n].is_dotted()).unwrap_or(0);
    match way[holder_depth] {
        Node::Inline(_) => into_inline(way[holder_depth], &at[holder_depth..], value),
        _ if holder_depth < depth => {
            let line = format!("{} = {}", names(&at[holder_depth..]), write::value(value, "")?);
            Ok(vec![after_last_value(text, way[depth], &line)])
        }
        Node::Table(table) if at.len() > depth + 1 || table.is_implicit() && depth > 0 => {
            Ok(vec![new_table(text, way, at, value)?])
        }
        table => {
            let line = format!("{} = {}", names(&at[depth..]), write::value(value, "")?);
            Ok(vec![if last_value(table).is_none() && depth == 0 {
                at_top(text, table, &line)
            } else {
                after_last_value(text, table, &line)
            }])
        }
    }
}

fn names(at: &[Segment]) -> String {
    let texts: Vec<String> = at.iter().map(Segment::text).collect();
    write::dotted(texts.iter().map(String::as_str))
}

/// Key and value bytes of the last `key = value` that stands under this table's own header.
fn last_value(table: Node<'_>) -> Option<(usize, usize)> {
    table
        .entries()
        .into_iter()
        .filter_map(|(key, node)| match node {
            node if node.is_dotted() => last_value(node).map(|(start, end)| (start.min(key.start), end)),
            Node::Table(_) | Node::Tables(_) => None,
            node => node.span().map(|span| (key.start, span.end)),
        })
        .max_by_key(|(_, end)| *end)
}

fn after_last_value(text: &str, table: Node<'_>, line: &str) -> Splice {
    let header_end = table.span().map_or(0, |span| span.end);
    let (indent_of, after) = last_value(table).unwrap_or((header_end, header_end));
    let at = line_end(text, after);
    Splice::insert(at, format!("{}{}{line}", newline(text, at), indentation(text, indent_of)))
}

/// A first key of the root: before the first header and the comment that belongs to it.
fn at_top(text: &str, root: Node<'_>, line: &str) -> Splice {
    let first_header = root.entries().iter().filter_map(|(_, node)| first_header(*node)).min();
    let newline = newline(text, 0);
    let Some(header) = first_header else {
        let open = !text.is_empty() && !text.ends_with(['\n', '\u{feff}']);
        let line = if open { format!("{newline}{line}") } else { format!("{line}{newline}") };
        return Splice::insert(text.len(), line);
    };
    let top = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut at = line_start(text, header).max(top);
    while at > top {
        let above = line_start(text, text[..at].trim_end_matches(['\n', '\r']).len());
        let one_break = text[above..at].matches('\n').count() == 1;
        if !one_break || !text[above.max(top)..at].trim_start().starts_with('#') {
            break;
        }
        at = above.max(top);
    }
    Splice::insert(at, format!("{line}{newline}{newline}"))
}

fn first_header(node: Node<'_>) -> Option<usize> {
    match node {
        Node::Table(table) if table.is_implicit() => node.entries().iter().filter_map(|(_, n)| first_header(*n)).min(),
        Node::Table(_) | Node::Tables(_) => node.span().map(|span| span.start),
        _ => None,
    }
}

/// The last byte of a table with all that is below it.
fn subtree_end(node: Node<'_>) -> usize {
    let own = match node {
        Node::Tables(tables) => tables.iter().map(|table| subtree_end(Node::Table(table))).max().unwrap_or(0),
        Node::Table(table) if table.is_implicit() => 0,
        _ => node.span().map_or(0, |span| span.end),
    };
    node.entries().into_iter().map(|(_, inner)| subtree_end(inner)).fold(own, usize::max)
}

fn new_table(text: &str, way: &[Node<'_>], at: &[Segment], value: &Value) -> Result<Splice, EditError> {
    let Some((last, parents)) = at.split_last() else { return Err(EditError::new("an edit must name a key")) };
    let parent = way[way.len() - 1];
    let is_key = |depth: &usize| !matches!(way.get(*depth), Some(Node::Tables(_)));
    let names: Vec<String> = (0..parents.len()).filter(is_key).map(|depth| parents[depth].text()).collect();
    let header = write::dotted(names.iter().map(String::as_str));
    let line = format!("{} = {}", write::key(&last.text()), write::value(value, "")?);
    let after =
        if parent.span().is_some_and(|span| span.is_empty()) { text.trim_end().len() } else { subtree_end(parent) };
    let at = line_end(text, after);
    let newline = newline(text, at);
    if text[..at].trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(Splice::insert(text.len(), format!("[{header}]{newline}{line}{newline}")));
    }
    Ok(Splice::insert(at, format!("{newline}{newline}[{header}]{newline}{line}")))
}

fn into_inline(table: Node<'_>, at: &[Segment], value: &Value) -> Result<Vec<Splice>, EditError> {
    let Some((first, rest)) = at.split_first() else { return Err(EditError::new("an edit must name a key")) };
    let Some(span) = table.span() else { return Err(EditError::new("the place of an inline table is not known")) };
    let dotted = table.get(first).is_some();
    let entry = if dotted {
        format!("{} = {}", names(at), write::value(value, "")?)
    } else {
        format!("{} = {}", write::key(&first.text()), write::value(&nest([(rest, value)])?, "")?)
    };
    Ok(vec![match last_value(table) {
        Some((_, end)) => Splice::insert(end, format!(", {entry}")),
        None => Splice::replace(span, format!("{{ {entry} }}")),
    }])
}
