//! Paths and queries of calls, with everything a server could misread encoded.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986.
const SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// One segment of a path; a slash inside it becomes `%2F`.
pub(crate) fn segment(text: &str) -> String {
    // A segment of dots alone would be resolved away.
    match text {
        "." => "%2E".into(),
        ".." => "%2E%2E".into(),
        _ => utf8_percent_encode(text, SET).to_string(),
    }
}

/// A path with a query.
pub(crate) fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut out = path.to_owned();
    for (n, (name, value)) in pairs.iter().enumerate() {
        let joint = if n == 0 && !path.contains('?') { '?' } else { '&' };
        let _ = write!(out, "{joint}{}={}", utf8_percent_encode(name, SET), utf8_percent_encode(value, SET));
    }
    out
}

/// The first seven characters of a sha, as people write it.
pub(crate) fn short(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}
