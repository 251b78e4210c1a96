//! Writing JSON values in the manner of the file around them.

use serde_json::Value;

pub(super) struct Layout<'l> {
    /// White space of one level.
    pub(super) unit: &'l str,
    pub(super) newline: &'l str,
    /// No space after colons and commas.
    pub(super) tight: bool,
}

impl Layout<'_> {
    /// The value; over several lines when the indentation of its first line is given.
    pub(super) fn write(&self, value: &Value, indent: Option<&str>) -> String {
        let mut out = String::new();
        self.push(&mut out, value, indent);
        out
    }

    fn push(&self, out: &mut String, value: &Value, indent: Option<&str>) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                let entries = map.iter().map(|(key, value)| (Some(key), value));
                self.push_all(out, ('{', '}'), entries, indent);
            }
            Value::Array(list) if !list.is_empty() => {
                self.push_all(out, ('[', ']'), list.iter().map(|value| (None, value)), indent);
            }
            _ => out.push_str(&value.to_string()),
        }
    }

    fn push_all<'v>(
        &self,
        out: &mut String,
        (open, close): (char, char),
        entries: impl Iterator<Item = (Option<&'v String>, &'v Value)>,
        indent: Option<&str>,
    ) {
        let inner = indent.map(|indent| format!("{indent}{}", self.unit));
        out.push(open);
        for (index, (key, value)) in entries.enumerate() {
            if index > 0 {
                out.push_str(if inner.is_some() || self.tight { "," } else { ", " });
            }
            if let Some(inner) = &inner {
                out.push_str(self.newline);
                out.push_str(inner);
            }
            if let Some(key) = key {
                out.push_str(&Value::String(key.clone()).to_string());
                out.push_str(if self.tight { ":" } else { ": " });
            }
            self.push(out, value, inner.as_deref());
        }
        if let Some(indent) = indent {
            out.push_str(self.newline);
            out.push_str(indent);
        }
        out.push(close);
    }
}

/// The white space of one level as the file uses it: that of its first indented line, else two spaces.
pub(super) fn unit(text: &str) -> String {
    text.split('\n')
        .map(|line| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()])
        .find(|space| !space.is_empty())
        .unwrap_or("  ")
        .to_owned()
}
