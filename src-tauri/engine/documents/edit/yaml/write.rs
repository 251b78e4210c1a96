//! Writing maps, lists and texts of several lines.

use serde_json::Value;
use serde_saphyr::granit_parser::{Event, Parser};

use super::super::events::Style;
use super::super::splice::newline;
use super::scalar;

/// How the file is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) newline: &'static str,
    /// Spaces of one level.
    pub(super) step: usize,
}

impl Layout {
    /// The layout of a file: its first line break and its first step of indentation, else two spaces.
    pub(super) fn of(text: &str) -> Layout {
        let step = text
            .split(['\n', '\r'])
            .filter(|line| !line.trim_start().is_empty() && !line.trim_start().starts_with(['#', '-']))
            .map(|line| line.len() - line.trim_start_matches(' ').len())
            .find(|spaces| *spaces > 0)
            .filter(|spaces| *spaces <= 8);
        Layout { newline: newline(text, text.len()), step: step.unwrap_or(2) }
    }

    /// What follows `key:` or `-` at a column: ` 12`, or a line break and the lines of a collection.
    pub(super) fn after_indicator(&self, value: &Value, column: usize) -> String {
        match value {
            Value::Object(map) if !map.is_empty() => {
                let inner = column + self.step;
                format!("{}{}{}", self.newline, " ".repeat(inner), self.block(value, inner))
            }
            Value::Array(list) if !list.is_empty() => {
                let inner = column + self.step;
                format!("{}{}{}", self.newline, " ".repeat(inner), self.block(value, inner))
            }
            Value::String(text) if text.contains('\n') => match self.block_scalar(text, "|", column + self.step) {
                Some(block) => format!(" {block}"),
                None => format!(" {}", scalar::write(value, Style::Plain, false)),
            },
            _ => format!(" {}", scalar::write(value, Style::Plain, false)),
        }
    }

    /// The lines of a value at a column, without the spaces of the first one and without the last line break.
    pub(super) fn block(&self, value: &Value, column: usize) -> String {
        let between = format!("{}{}", self.newline, " ".repeat(column));
        match value {
            Value::Object(map) if !map.is_empty() => {
                let entries: Vec<String> = map
                    .iter()
                    .map(|(key, value)| {
                        format!("{}:{}", scalar::write_key(key, false), self.after_indicator(value, column))
                    })
                    .collect();
                entries.join(&between)
            }
            Value::Array(list) if !list.is_empty() => {
                let items: Vec<String> = list
                    .iter()
                    .map(|item| match item {
                        Value::Object(map) if !map.is_empty() => format!("- {}", self.block(item, column + 2)),
                        Value::Array(list) if !list.is_empty() => format!("- {}", self.block(item, column + 2)),
                        _ => format!("-{}", self.after_indicator(item, column)),
                    })
                    .collect();
                items.join(&between)
            }
            _ => scalar::write(value, Style::Plain, false),
        }
    }

    /// A text as `|` or `>` block whose lines stand at a column; `None` where it would not read back as the same text.
    pub(super) fn block_scalar(&self, text: &str, indicator: &str, column: usize) -> Option<String> {
        if text.chars().any(|c| c != '\n' && scalar::needs_escape(c)) {
            return None;
        }
        let body = text.trim_end_matches('\n');
        let chomping = match text.len() - body.len() {
            0 => "-",
            1 => "",
            _ => "+",
        };
        let lines = if indicator == ">" { fold(body) } else { body.to_owned() };
        let mut out = format!("{indicator}{chomping}");
        for line in lines.split('\n') {
            out.push_str(self.newline);
            if !line.is_empty() {
                out.push_str(&" ".repeat(column));
                out.push_str(line);
            }
        }
        for _ in 1..text.len() - body.len() {
            out.push_str(self.newline);
        }
        reads_as(&out, self.newline, text).then_some(out)
    }
}

/// Line breaks as a folded block wants them: one more in each run.
fn fold(body: &str) -> String {
    let mut out = String::with_capacity(body.len() + 8);
    let mut in_run = false;
    for c in body.chars() {
        if c == '\n' && !in_run {
            out.push('\n');
        }
        in_run = c == '\n';
        out.push(c);
    }
    out
}

fn reads_as(block: &str, newline: &str, text: &str) -> bool {
    let document = format!("k: {block}{newline}");
    let mut scalars = Parser::new_from_str(&document).filter_map(|event| match event {
        Ok((Event::Scalar(text, ..), _)) => Some(text.into_owned()),
        _ => None,
    });
    scalars.next().is_some_and(|key| key == "k") && scalars.next().is_some_and(|value| value == text)
}

/// A value on one line, in braces and brackets where it is a collection.
pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", scalar::write_key(key, true), flow(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(flow).collect::<Vec<_>>().join(", ")),
        _ => scalar::write(value, Style::Plain, true),
    }
}
