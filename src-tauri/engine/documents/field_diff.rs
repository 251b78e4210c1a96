//! What differs between two JSON values, as a list of changes with a path each.

use serde::Serialize;
use serde_json::{Map, Value};

pub use super::edit::same_value;

/// What happened to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// It is there only afterwards.
    Add,
    /// It was there only before.
    Remove,
    /// It is another value, or another sort of value.
    Replace,
}

/// One change. `from` and `to` are written as null where they are absent; `op` tells absent and null apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldChange {
    /// For people: `settings["a.b"].limits[0]`; entries of a list that has a key: `servers[name=web].cpu`.
    pub path: String,
    /// RFC 6901, into the value afterwards; for a removal into the value before.
    pub pointer: String,
    /// The value before; `None` when it was absent.
    pub from: Option<Value>,
    /// The value afterwards; `None` when it is absent.
    pub to: Option<Value>,
    /// What happened.
    pub op: Op,
}

/// Compares two values: nested maps key by key, lists by position, or by a key field where the schema of the list names one
/// (`x-key`). `1` and `1.0` are the same, the order of keys means nothing, absent is not null.
pub fn diff(before: &Value, after: &Value, schema: Option<&Value>) -> Vec<FieldChange> {
    let mut comparison = Comparison { root: schema, changes: Vec::new() };
    comparison.compare(&Place::default(), Some(before), Some(after), schema);
    comparison.changes
}

/// Appends a key to a path for people, in quotes where it would be read as more than one step.
pub fn push_key(path: &mut String, key: &str) {
    let plain = !key.is_empty()
        && !key.chars().any(|c| matches!(c, '.' | '[' | ']' | '"' | '\\' | '=') || c.is_whitespace() || c.is_control());
    if !plain {
        path.push('[');
        path.push_str(&Value::String(key.to_owned()).to_string());
        path.push(']');
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
}

/// Appends one segment to a JSON Pointer.
pub fn push_pointer(pointer: &mut String, segment: &str) {
    pointer.push('/');
    pointer.push_str(&segment.replace('~', "~0").replace('/', "~1"));
}

#[derive(Debug, Clone, Default)]
struct Place {
    path: String,
    pointer: String,
}

impl Place {
    fn key(&self, key: &str) -> Place {
        let mut inner = self.clone();
        push_key(&mut inner.path, key);
        push_pointer(&mut inner.pointer, key);
        inner
    }

    fn entry(&self, index: usize, name: Option<&str>) -> Place {
        let mut inner = self.clone();
        match name {
            Some(name) => inner.path.push_str(&format!("[{name}]")),
            None => inner.path.push_str(&format!("[{index}]")),
        }
        push_pointer(&mut inner.pointer, &index.to_string());
        inner
    }
}

struct Comparison<'s> {
    root: Option<&'s Value>,
    changes: Vec<FieldChange>,
}

impl<'s> Comparison<'s> {
    fn compare(&mut self, place: &Place, before: Option<&Value>, after: Option<&Value>, schema: Option<&'s Value>) {
        let schema = schema.map(|schema| self.resolved(schema));
        match (before, after) {
            (Some(Value::Object(before)), Some(Value::Object(after))) => self.maps(place, before, after, schema),
            (Some(Value::Array(before)), Some(Value::Array(after))) => self.lists(place, before, after, schema),
            (Some(before), Some(after)) if same_value(before, after) => {}
            (None, None) => {}
            (from, to) => {
                let op = match (from, to) {
                    (None, _) => Op::Add,
                    (_, None) => Op::Remove,
                    _ => Op::Replace,
                };
                self.changes.push(FieldChange {
                    path: place.path.clone(),
                    pointer: place.pointer.clone(),
                    from: from.cloned(),
                    to: to.cloned(),
                    op,
                });
            }
        }
    }

    fn maps(
        &mut self,
        place: &Place,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
        schema: Option<&'s Value>,
    ) {
        let added = after.keys().filter(|key| !before.contains_key(*key));
        for key in before.keys().chain(added) {
            let inner = schema.and_then(|schema| {
                schema.get("properties").and_then(|p| p.get(key)).or_else(|| schema.get("additionalProperties"))
            });
            self.compare(&place.key(key), before.get(key), after.get(key), inner);
        }
    }

    fn lists(&mut self, place: &Place, before: &[Value], after: &[Value], schema: Option<&'s Value>) {
        let items = schema.and_then(|schema| schema.get("items"));
        let key = schema.and_then(|schema| schema.get("x-key")).and_then(Value::as_str);
        if let Some(key) = key
            && let (Some(old), Some(new)) = (names(before, key), names(after, key))
        {
            return self.keyed(place, key, (before, &old), (after, &new), items);
        }
        for index in 0..before.len().max(after.len()) {
            let prefix = schema.and_then(|schema| schema.get("prefixItems")).and_then(|items| items.get(index));
            self.compare(&place.entry(index, None), before.get(index), after.get(index), prefix.or(items));
        }
    }

    fn keyed(
        &mut self,
        place: &Place,
        key: &str,
        (before, old): (&[Value], &[String]),
        (after, new): (&[Value], &[String]),
        items: Option<&'s Value>,
    ) {
        let shown = |name: &str| format!("{key}={name}");
        let position = |names: &[String]| -> std::collections::HashMap<String, usize> {
            names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect()
        };
        let (in_old, in_new) = (position(old), position(new));
        for (index, name) in old.iter().enumerate() {
            let there = in_new.get(name).copied();
            let at = place.entry(there.unwrap_or(index), Some(&shown(name)));
            self.compare(&at, before.get(index), there.and_then(|there| after.get(there)), items);
        }
        for (index, name) in new.iter().enumerate().filter(|(_, name)| !in_old.contains_key(*name)) {
            self.compare(&place.entry(index, Some(&shown(name))), None, after.get(index), items);
        }
    }

    /// Follows references within the schema.
    fn resolved(&self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        for _ in 0..16 {
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
            match target.and_then(|pointer| self.root?.pointer(pointer)) {
                Some(found) => schema = found,
                None => break,
            }
        }
        schema
    }
}

/// The names of all entries by their key field; `None` when one has none or two have the same.
fn names(list: &[Value], key: &str) -> Option<Vec<String>> {
    let mut seen = std::collections::HashSet::new();
    list.iter()
        .map(|entry| match entry.get(key)? {
            value @ (Value::String(_) | Value::Number(_) | Value::Bool(_)) => {
                let name = match value {
                    Value::String(text)
                        if text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
                            && !looks_like_number(text) =>
                    {
                        text.clone()
                    }
                    other => other.to_string(),
                };
                seen.insert(name.clone()).then_some(name)
            }
            _ => None,
        })
        .collect()
}

fn looks_like_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-') || matches!(text, "true" | "false" | "")
}
