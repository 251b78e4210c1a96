//! Writing TOML values and keys.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::super::EditError;

/// The value on one line; `old` is what stands there now, for the quotes to keep.
pub(super) fn value(value: &Value, old: &str) -> Result<String, EditError> {
    Ok(match value {
        Value::Null => return Err(EditError::new("TOML has no null: leave the key out instead.")),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) if n.is_u64() && n.as_i64().is_none() => {
            return Err(EditError::new(format!("{n} is more than a TOML integer can hold (9223372036854775807).")));
        }
        Value::Number(n) => n.to_string(),
        Value::String(text) => quoted(text, old),
        Value::Array(list) => {
            let items: Result<Vec<_>, _> = list.iter().map(|item| self::value(item, "")).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let entries: Result<Vec<_>, EditError> =
                map.iter().map(|(name, item)| Ok(format!("{} = {}", key(name), self::value(item, "")?))).collect();
            format!("{{ {} }}", entries?.join(", "))
        }
    })
}

fn quoted(text: &str, old: &str) -> String {
    let printable = |c: char| !c.is_control() || c == '\t';
    if old.starts_with("\"\"\"") && !text.contains('\r') {
        let first = if old.starts_with("\"\"\"\n") || text.starts_with('\n') { "\n" } else { "" };
        return format!("\"\"\"{first}{}\"\"\"", escape(text, true));
    }
    if old.starts_with("'''")
        && !text.contains("'''")
        && !text.ends_with('\'')
        && text.chars().all(|c| printable(c) || c == '\n')
    {
        let first = if old.starts_with("'''\n") || text.starts_with('\n') { "\n" } else { "" };
        return format!("'''{first}{text}'''");
    }
    if old.starts_with('\'') && !text.contains('\'') && text.chars().all(printable) {
        return format!("'{text}'");
    }
    format!("\"{}\"", escape(text, false))
}

fn escape(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' if lines => out.push('\n'),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// A key, bare where it can be.
pub(super) fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if bare { name.to_owned() } else { format!("\"{}\"", escape(name, false)) }
}

/// Several keys with dots between them.
pub(super) fn dotted<'k>(names: impl IntoIterator<Item = &'k str>) -> String {
    names.into_iter().map(key).collect::<Vec<_>>().join(".")
}

/// A whole table with a header for each table below it.
pub(super) fn table<'m>(
    out: &mut String,
    way: &mut Vec<&'m str>,
    map: &'m Map<String, Value>,
) -> Result<(), EditError> {
    let (tables, values): (Vec<_>, Vec<_>) = map.iter().partition(|(_, value)| value.is_object());
    if !way.is_empty() && (!values.is_empty() || tables.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "[{}]", dotted(way.iter().copied()));
    }
    for (name, value) in values {
        let _ = writeln!(out, "{} = {}", key(name), self::value(value, "")?);
    }
    for (name, inner) in tables {
        if let Value::Object(inner) = inner {
            way.push(name);
            table(out, way, inner)?;
            way.pop();
        }
    }
    Ok(())
}
