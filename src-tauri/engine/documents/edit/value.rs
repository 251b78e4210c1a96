//! Comparing and nesting of JSON values.

use serde_json::{Map, Number, Value};

use super::{EditError, Segment, name_of};

/// Says whether two values are the same: `1` and `1.0` are, the order of keys does not matter, absent is not null.
pub fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same_value(a, b)))
        }
        _ => a == b,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.as_f64() == b.as_f64(),
        _ => false,
    }
}

/// The number as an integer where it is one; exact, so that two ids beyond 2^53 are never taken for each other.
fn whole(number: &Number) -> Option<i128> {
    if let Some(n) = number.as_i64() {
        return Some(n.into());
    }
    if let Some(n) = number.as_u64() {
        return Some(n.into());
    }
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
}

/// One value that holds all the given ones at their places, with the maps in between.
pub(super) fn nest<'e>(edits: impl IntoIterator<Item = (&'e [Segment], &'e Value)>) -> Result<Value, EditError> {
    let mut root = Map::new();
    for (at, value) in edits {
        let Some((last, parents)) = at.split_last() else { return Ok(value.clone()) };
        let mut map = &mut root;
        for segment in parents {
            let next = map.entry(segment.text()).or_insert_with(|| Value::Object(Map::new()));
            match next {
                Value::Object(inner) => map = inner,
                _ => return Err(EditError::new(format!("two edits contradict each other at {}", name_of(at)))),
            }
        }
        map.insert(last.text(), value.clone());
    }
    Ok(Value::Object(root))
}

/// What sort of value this is, for sentences.
pub(super) fn sort_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}
