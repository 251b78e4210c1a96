//! Adding a key that is not there yet.

use serde_json::Value;

use super::super::Segment;
use super::super::flow::{self, Manner};
use super::super::locate::Gap;
use super::super::splice::{Splice, line_end, newline};
use super::scalar;
use super::write::{self, Layout};

/// The splices that add `key: value` at the end of a map.
pub(super) fn insert(text: &str, gap: &Gap, key: &Segment, value: &Value, layout: &Layout) -> Vec<Splice> {
    if gap.flow {
        let name = key_words(key, true);
        let entry = |_: Option<&str>, _: bool| format!("{name}: {}", write::flow(value));
        return flow::insert(text, gap, &Manner { skip_blank, entry: &entry, unit: None });
    }
    let at = line_end(text, gap.last_end);
    let layout = Layout { newline: newline(text, at), ..*layout };
    let spaces = " ".repeat(gap.column);
    let rest = layout.after_indicator(value, gap.column);
    vec![Splice::insert(at, format!("{}{spaces}{}:{rest}", layout.newline, key_words(key, false)))]
}

fn key_words(key: &Segment, flow: bool) -> String {
    match key {
        Segment::Key(name) => scalar::write_key(name, flow),
        Segment::Index(index) => index.to_string(),
    }
}

/// Steps over white space and comments.
fn skip_blank(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at = line_end(text, at);
    }
}
