//! What a YAML word means: to readers of version 1.2, and where readers of version 1.1 see something else.

use serde_json::{Number, Value};

use super::super::events::{Style, Tag};

/// The value of a scalar, and whether every reader takes it for just that.
pub(super) fn resolve(text: &str, style: Style, tag: Option<&Tag>) -> (Value, bool) {
    let as_text = || Value::String(text.to_owned());
    match tag {
        None if style == Style::Plain => plain(text),
        None | Some(Tag::Str) => (as_text(), true),
        Some(Tag::Null) if style == Style::Plain && plain(text).0.is_null() => (Value::Null, true),
        Some(Tag::Bool) => only(plain(text), Value::is_boolean),
        Some(Tag::Int) => only(plain(text), |v| v.is_i64() || v.is_u64()),
        Some(Tag::Float) => only(plain(text), Value::is_number),
        Some(_) => (as_text(), false),
    }
}

/// Says whether a text written plain would be read as anything but this text.
pub(super) fn looks_like_other(text: &str) -> bool {
    !matches!(plain(text), (Value::String(_), true))
}

fn only(found: (Value, bool), fits: impl Fn(&Value) -> bool) -> (Value, bool) {
    let fitting = fits(&found.0);
    (found.0, found.1 && fitting)
}

fn plain(text: &str) -> (Value, bool) {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return (Value::Null, true),
        "true" | "True" | "TRUE" => return (Value::Bool(true), true),
        "false" | "False" | "FALSE" => return (Value::Bool(false), true),
        _ => {}
    }
    let unsure = || (Value::String(text.to_owned()), false);
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
        return if is_word_of_1_1(text) { unsure() } else { (Value::String(text.to_owned()), true) };
    }
    let digits = text.trim_start_matches(['-', '+']);
    if digits.len() + 1 < text.len() {
        return (Value::String(text.to_owned()), true);
    }
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return match (digits.len() > 1 && digits.starts_with('0'), integer(text)) {
            (false, Some(number)) => (Value::Number(number), true),
            _ => unsure(),
        };
    }
    if let Some(hex) = text.strip_prefix("0x")
        && !hex.is_empty()
        && hex.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return u64::from_str_radix(hex, 16).map_or_else(|_| unsure(), |n| (Value::Number(n.into()), true));
    }
    if is_float(digits) {
        let number = text.parse::<f64>().ok().and_then(Number::from_f64);
        return number.map_or_else(unsure, |n| (Value::Number(n), true));
    }
    if is_number_of_1_1(digits) { unsure() } else { (Value::String(text.to_owned()), true) }
}

fn integer(text: &str) -> Option<Number> {
    let text = text.strip_prefix('+').unwrap_or(text);
    text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok()
}

/// `[0-9]* (\. [0-9]*)? ([eE] [-+]? [0-9]+)?` with at least one digit before the exponent.
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let exponent_fits = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['-', '+']).unwrap_or(e);
        !e.is_empty() && all_digits(e)
    });
    all_digits(whole) && all_digits(fraction) && !(whole.is_empty() && fraction.is_empty()) && exponent_fits
}

/// Words that are a boolean, a merge or a default key to readers of YAML 1.1.
fn is_word_of_1_1(text: &str) -> bool {
    matches!(text, "<<" | "=")
        || (text.len() <= 3 && ["y", "n", "yes", "no", "on", "off"].iter().any(|word| text.eq_ignore_ascii_case(word)))
}

/// Numbers with underscores or a base, sexagesimal numbers, dates, infinities: loosely, since a quote too many does no harm.
fn is_number_of_1_1(text: &str) -> bool {
    if matches!(text.to_ascii_lowercase().as_str(), ".inf" | ".nan") {
        return true;
    }
    let numeric = |b: u8| b.is_ascii_digit() || matches!(b, b'_' | b':' | b'.');
    let based = text.strip_prefix('0').is_some_and(|rest| {
        rest.starts_with(['o', 'b', 'x', '_']) && rest[1..].bytes().all(|b| b.is_ascii_hexdigit() || b == b'_')
    });
    let date = text.len() >= 8
        && text.as_bytes()[..4].iter().all(u8::is_ascii_digit)
        && text.as_bytes()[4] == b'-'
        && text.as_bytes()[5].is_ascii_digit();
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let exponent = text.split_once(['e', 'E']).is_some_and(|(mantissa, exponent)| {
        mantissa.bytes().all(numeric) && exponent.trim_start_matches(['-', '+']).bytes().all(|b| b.is_ascii_digit())
    });
    let one_point = text.bytes().filter(|b| *b == b'.').count() <= 1;
    starts && (based || date || exponent || one_point && text.bytes().all(numeric))
}
