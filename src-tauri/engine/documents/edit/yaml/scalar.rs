//! Writing one scalar, in the quotes that were there where that is possible.

use std::fmt::Write;

use serde_json::{Number, Value};

use super::super::events::Style;
use super::word::looks_like_other;

/// The words for a scalar or an empty collection on one line; `style` is the one to keep.
pub(super) fn write(value: &Value, style: Style, flow: bool) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => write_number(n),
        Value::String(text) => write_text(text, style, flow),
        Value::Array(_) => "[]".to_owned(),
        Value::Object(_) => "{}".to_owned(),
    }
}

/// A key, plain where it can be.
pub(super) fn write_key(key: &str, flow: bool) -> String {
    write_text(key, Style::Plain, flow)
}

fn write_text(text: &str, style: Style, flow: bool) -> String {
    match style {
        Style::Plain if can_be_plain(text, flow) => text.to_owned(),
        Style::Single if !text.chars().any(needs_escape) => format!("'{}'", text.replace('\'', "''")),
        _ => write_double(text),
    }
}

/// Numbers as readers of both YAML versions take them: a float has a point and a signed exponent.
fn write_number(number: &Number) -> String {
    let text = number.to_string();
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return text };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

fn can_be_plain(text: &str, flow: bool) -> bool {
    let Some(first) = text.chars().next() else { return false };
    !looks_like_other(text)
        && !text.chars().any(needs_escape)
        && !first.is_whitespace()
        && !text.ends_with(char::is_whitespace)
        && !"-?:,[]{}#&*!|>'\"%@`".contains(first)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains('\t')
        && !text.ends_with(':')
        && !text.starts_with("...")
        && !(flow && (text.contains([',', '[', ']', '{', '}']) || text.contains(":\"") || text.contains(":'")))
}

/// Characters that only stand in double quotes: line breaks, control characters, marks that are no text.
pub(super) fn needs_escape(c: char) -> bool {
    c.is_control() && c != '\t'
        || matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn write_double(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if needs_escape(c) && u32::from(c) < 0x100 => {
                let _ = write!(out, "\\x{:02X}", u32::from(c));
            }
            c if needs_escape(c) => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
