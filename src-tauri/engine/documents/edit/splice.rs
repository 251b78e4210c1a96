//! Replacing byte ranges of a text, and where lines begin and end.

use std::ops::Range;

/// Bytes to take out and the text to put in their place; an empty range inserts.
#[derive(Debug, Clone)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Splice {
    pub(super) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Splice { range, text: text.into() }
    }

    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Splice { range: at..at, text: text.into() }
    }
}

/// What one edit does to a text: nothing at all when the value is there already.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) document: usize,
    pub(super) splices: Vec<Splice>,
}

/// The text after the splices, which must not overlap; two insertions at one place keep their order.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|s| s.range.start);
    let grown: usize = splices.iter().map(|s| s.text.len()).sum();
    let mut out = String::with_capacity(text.len() + grown);
    let mut done = 0;
    for splice in &splices {
        out.push_str(&text[done..splice.range.start]);
        out.push_str(&splice.text);
        done = splice.range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// The end of the line that holds `from`, before its line break.
pub(super) fn line_end(text: &str, from: usize) -> usize {
    text.as_bytes()[from..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(text.len(), |n| from + n)
}

/// The start of the line that holds `at`.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |n| n + 1)
}

/// The white space that the line of `at` begins with.
pub(super) fn indentation(text: &str, at: usize) -> &str {
    let start = line_start(text, at);
    let start = if start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start };
    let length = text[start..].bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
    &text[start..start + length]
}

/// The line break in use: the one at `at` where there is one, else the first of the text, else a line feed.
pub(super) fn newline(text: &str, at: usize) -> &'static str {
    let kind = |rest: &str| match rest.as_bytes() {
        [b'\r', b'\n', ..] => Some("\r\n"),
        [b'\r', ..] => Some("\r"),
        [b'\n', ..] => Some("\n"),
        _ => None,
    };
    kind(&text[at..]).or_else(|| text.find(['\n', '\r']).and_then(|first| kind(&text[first..]))).unwrap_or("\n")
}

/// The number of the line that holds `at`, counted from 1.
pub(super) fn line_number(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|b| **b == b'\n').count()
}
