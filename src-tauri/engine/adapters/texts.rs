//! What a remote said, in words that may be shown: found in every shape of body, cut, cleaned, free of secrets.

use serde_json::Value;

/// The longest text that is kept, in characters.
const LONGEST: usize = 500;

/// The server's own words, from any of the shapes of field guide 1.3 and from problem details (RFC 9457).
pub(crate) fn said(body: &Value) -> Option<String> {
    let whole = match body {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let names = ["message", "error_description", "detail", "error", "title"];
            names.iter().find_map(|name| fields.get(*name).and_then(words))?
        }
        other => words(other)?,
    };
    let text = clean(&whole);
    (!text.is_empty()).then_some(text)
}

fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Array(items) => {
            let all: Vec<_> = items.iter().filter_map(words).collect();
            (!all.is_empty()).then(|| all.join(", "))
        }
        Value::Object(fields) => {
            // `{"source_branch": ["does not exist"]}` reads as a sentence when the field comes first.
            let named = fields.iter().filter_map(|(name, value)| {
                let text = words(value)?;
                Some(if matches!(name.as_str(), "error" | "base" | "message") {
                    text
                } else {
                    format!("{name} {text}")
                })
            });
            let all: Vec<_> = named.collect();
            (!all.is_empty()).then(|| all.join("; "))
        }
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

/// Text without markup, control characters, direction marks and line breaks, at most `LONGEST` characters.
pub(crate) fn clean(text: &str) -> String {
    let plain = without_tags(text);
    let mut out = String::new();
    for word in plain.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().filter(|c| !is_direction_mark(*c)));
    }
    match out.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", out[..at].trim_end()),
        None => out,
    }
}

fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        match tag.find('>').filter(|_| is_tag) {
            Some(end) => {
                out.push(' ');
                rest = &tag[end + 1..];
            }
            None => {
                out.push('<');
                rest = &tag[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// The text without a secret that a remote may have echoed.
pub(crate) fn without_secret(text: &str, secret: &str) -> String {
    // Shorter ones would tear ordinary words apart, and no real token is that short.
    if secret.len() < 4 { text.to_owned() } else { text.replace(secret, "***") }
}
