//! Putting a new value in the place of one that is there.

use serde_json::Value;

use super::super::EditError;
use super::super::events::Style;
use super::super::locate::{Shape, Target};
use super::super::splice::{Splice, line_end, line_start, newline};
use super::scalar;
use super::write::{self, Layout};

/// The splices that replace the target.
pub(super) fn replace(text: &str, target: &Target, value: &Value, layout: &Layout) -> Result<Vec<Splice>, EditError> {
    let layout = Layout { newline: newline(text, line_end(text, target.start)), ..*layout };
    let in_flow = target.around.flow || target.shape == (Shape::Collection { flow: true });
    let collection = match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    };
    match target.shape {
        Shape::Empty => fill_empty(text, target, value, collection && !in_flow, &layout),
        _ if in_flow => Ok(vec![Splice::replace(target.start..target.end, words(value, target, true))]),
        Shape::Collection { .. } => Ok(replace_block(text, target, value, collection, &layout)),
        Shape::Scalar(style @ (Style::Literal | Style::Folded)) => {
            Ok(vec![replace_block_scalar(text, target, style, value, collection, &layout)])
        }
        Shape::Scalar(_) | Shape::Alias if collection => Ok(open_block(text, target, value, &layout)),
        Shape::Scalar(_) | Shape::Alias => {
            Ok(vec![Splice::replace(target.start..target.end, words(value, target, false))])
        }
    }
}

fn words(value: &Value, target: &Target, flow: bool) -> String {
    match (value, target.shape) {
        (Value::Object(_) | Value::Array(_), _) => write::flow(value),
        (_, Shape::Scalar(style)) => scalar::write(value, style, flow),
        _ => scalar::write(value, Style::Plain, flow),
    }
}

/// Where the indicator (`:`) in front of a map value ends, with anchor and tag.
fn intro(text: &str, target: &Target) -> Option<usize> {
    let mut at = target.around.key_end?;
    while !text[at..].starts_with(':') {
        let c = text[at..].chars().next()?;
        at = match c {
            '#' => line_end(text, at),
            c if c.is_whitespace() => at + c.len_utf8(),
            _ => return None,
        };
    }
    Some((at + 1).max(target.props_end))
}

fn fill_empty(
    text: &str,
    target: &Target,
    value: &Value,
    block: bool,
    layout: &Layout,
) -> Result<Vec<Splice>, EditError> {
    let Some(intro) = intro(text, target) else {
        if let Some(key_end) = target.around.key_end {
            return Ok(vec![Splice::insert(key_end, format!(": {}", words(value, target, true)))]);
        }
        let at = target.start.max(target.props_end);
        return Ok(vec![Splice::insert(at, format!(" {}", words(value, target, true)))]);
    };
    if !block {
        return Ok(vec![Splice::insert(intro, format!(" {}", words(value, target, target.around.flow)))]);
    }
    let end = line_end(text, intro);
    let lines = layout.after_indicator(value, target.around.column);
    Ok(vec![Splice::insert(end, lines)])
}

/// A plain or quoted scalar gives way to the lines of a collection; a comment behind it stays on its line.
fn open_block(text: &str, target: &Target, value: &Value, layout: &Layout) -> Vec<Splice> {
    let end = line_end(text, target.end);
    let Some(intro) = intro(text, target) else {
        return vec![Splice::replace(target.start..target.end, write::flow(value))];
    };
    let lines = layout.after_indicator(value, target.around.column);
    if text[target.end..end].trim().is_empty() {
        return vec![Splice::replace(intro..end, lines)];
    }
    vec![Splice::replace(target.start..target.end, ""), Splice::insert(end, lines)]
}

fn replace_block_scalar(
    text: &str,
    target: &Target,
    style: Style,
    value: &Value,
    collection: bool,
    layout: &Layout,
) -> Splice {
    if let Value::String(new) = value {
        let header_end = line_end(text, target.start);
        let column = content_column(text, header_end, target.end).unwrap_or(target.around.column + layout.step);
        let closed = text[target.end..].lines().nth(1).is_some_and(|line| !line.trim().is_empty());
        let indicators: &[&str] = if style == Style::Folded { &[">", "|"] } else { &["|"] };
        for indicator in indicators {
            let block = layout.block_scalar(new, indicator, column);
            if let Some(block) = block.filter(|block| !block.starts_with([indicator, "+"].concat().as_str()) || closed)
            {
                let header_text = &text[target.start..header_end];
                let comment = header_text.find([' ', '\t']).map_or("", |n| &header_text[n..]);
                let (head, lines) = block.split_once(layout.newline).unwrap_or((&block, ""));
                let block = format!("{head}{comment}{}{lines}", layout.newline);
                return Splice::replace(target.start..target.end, block);
            }
        }
        return Splice::replace(target.start..target.end, scalar::write(value, Style::Double, false));
    }
    match intro(text, target) {
        Some(intro) if collection => {
            Splice::replace(intro..target.end, layout.after_indicator(value, target.around.column))
        }
        _ => Splice::replace(target.start..target.end, words(value, target, false)),
    }
}

/// The column of the first line of a block scalar that has text.
fn content_column(text: &str, header_end: usize, end: usize) -> Option<usize> {
    text.get(header_end..end)?
        .split(['\n', '\r'])
        .find(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches(' ').len())
}

/// A block collection goes as a whole, with the comments inside it.
fn replace_block(text: &str, target: &Target, value: &Value, collection: bool, layout: &Layout) -> Vec<Splice> {
    let below = line_start(text, target.start) > target.around.key_end.unwrap_or(target.start);
    let Some(intro) = intro(text, target).filter(|_| below) else {
        let new = if collection { layout.block(value, target.column) } else { words(value, target, false) };
        return vec![Splice::replace(target.start..target.end, new)];
    };
    let head_end = line_end(text, intro);
    let old = head_end..line_end(text, target.end);
    if !collection {
        return vec![Splice::insert(intro, format!(" {}", words(value, target, false))), Splice::replace(old, "")];
    }
    let lines = format!("{}{}{}", layout.newline, " ".repeat(target.column), layout.block(value, target.column));
    vec![Splice::replace(old, lines)]
}
