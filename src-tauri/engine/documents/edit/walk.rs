//! Walking a stream of events: skipping a node, building its value, refusing keys that occur twice.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomData;

use serde_json::{Map, Value};

use super::EditError;
use super::events::{Event, Events, Style, What};
use super::splice::line_number;

pub(super) struct Walker<'t, E> {
    pub(super) text: &'t str,
    events: E,
    hasher: RandomState,
    /// Anchors whose nodes are about to change.
    pub(super) watched: Vec<usize>,
    /// The name of a watched anchor that an alias refers to.
    pub(super) shared: Option<String>,
    lifetime: PhantomData<&'t ()>,
}

/// A node that was read to its end.
pub(super) struct Built {
    pub(super) value: Value,
    /// False where readers may differ: aliases, custom tags, plain words that YAML 1.1 takes for another type.
    pub(super) exact: bool,
    pub(super) end: usize,
    pub(super) anchors: Vec<usize>,
}

impl<'t, E: Events<'t>> Walker<'t, E> {
    pub(super) fn new(text: &'t str, events: E) -> Self {
        let hasher = RandomState::new();
        Walker { text, events, hasher, watched: Vec::new(), shared: None, lifetime: PhantomData }
    }

    /// The next event, `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Event<'t>>, EditError> {
        let event = self.events.next()?;
        if let Some(Event { what: What::Alias { id, name }, .. }) = &event
            && self.watched.contains(id)
        {
            self.shared = Some(name.clone());
        }
        Ok(event)
    }

    /// The next event where the grammar promises one.
    pub(super) fn pull(&mut self) -> Result<Event<'t>, EditError> {
        self.next()?.ok_or_else(|| EditError::new("the file ends in the middle of a value"))
    }

    pub(super) fn resolve(&self, event: &Event<'t>) -> Option<(Value, bool)> {
        match &event.what {
            What::Scalar { text, style } => Some(self.events.resolve(text, *style, event.tag.as_ref())),
            _ => None,
        }
    }

    /// A set that notices keys which occur twice in one map.
    pub(super) fn keys(&self) -> Keys {
        Keys { hasher: self.hasher.clone(), seen: HashSet::new() }
    }

    /// Reads a node to its end and forgets it.
    pub(super) fn skip(&mut self, event: &Event<'t>) -> Result<usize, EditError> {
        match event.what {
            What::MapStart { .. } => {
                let mut keys = self.keys();
                let mut end = event.end;
                loop {
                    let key = self.pull()?;
                    if key.what == What::MapEnd {
                        return Ok(end.max(closing_end(&key)));
                    }
                    keys.add(self.text, &key)?;
                    end = end.max(self.skip(&key)?);
                    let value = self.pull()?;
                    end = end.max(self.skip(&value)?);
                }
            }
            What::ListStart { .. } => {
                let mut end = event.end;
                loop {
                    let item = self.pull()?;
                    if item.what == What::ListEnd {
                        return Ok(end.max(closing_end(&item)));
                    }
                    end = end.max(self.skip(&item)?);
                }
            }
            _ => Ok(event.end.max(event.props_end)),
        }
    }

    /// Reads a node to its end and gives its value.
    pub(super) fn build(&mut self, event: &Event<'t>) -> Result<Built, EditError> {
        let mut anchors: Vec<usize> = event.anchor.iter().map(|(id, _)| *id).collect();
        let tagged = !matches!(event.what, What::Scalar { .. })
            && event.tag.as_ref().is_some_and(|tag| matches!(tag, super::events::Tag::Other(_)));
        let mut exact = !tagged;
        match &event.what {
            What::MapStart { .. } => {
                let mut keys = self.keys();
                let mut map = Map::new();
                let mut end = event.end;
                loop {
                    let key = self.pull()?;
                    if key.what == What::MapEnd {
                        end = end.max(closing_end(&key));
                        return Ok(Built { value: Value::Object(map), exact, end, anchors });
                    }
                    keys.add(self.text, &key)?;
                    let name = match key_text(&key) {
                        Some(name) => name.to_owned(),
                        None => self.text[key.start..key.end].to_owned(),
                    };
                    exact &= key_text(&key).is_some() && !is_merge(&key);
                    end = end.max(self.skip(&key)?);
                    let event = self.pull()?;
                    let inner = self.build(&event)?;
                    exact &= inner.exact;
                    end = end.max(inner.end);
                    anchors.extend(inner.anchors);
                    map.insert(name, inner.value);
                }
            }
            What::ListStart { .. } => {
                let mut list = Vec::new();
                let mut end = event.end;
                loop {
                    let item = self.pull()?;
                    if item.what == What::ListEnd {
                        end = end.max(closing_end(&item));
                        return Ok(Built { value: Value::Array(list), exact, end, anchors });
                    }
                    let inner = self.build(&item)?;
                    exact &= inner.exact;
                    end = end.max(inner.end);
                    anchors.extend(inner.anchors);
                    list.push(inner.value);
                }
            }
            What::Alias { name, .. } => {
                Ok(Built { value: Value::String(format!("*{name}")), exact: false, end: event.end, anchors })
            }
            _ => {
                let (value, sure) = self.resolve(event).unwrap_or((Value::Null, false));
                Ok(Built { value, exact: sure, end: event.end.max(event.props_end), anchors })
            }
        }
    }
}

/// The end of a flow collection; a block collection ends where its last entry does.
pub(super) fn closing_end(event: &Event<'_>) -> usize {
    if event.end > event.start { event.end } else { 0 }
}

/// The text of a key that is a scalar.
pub(super) fn key_text<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match &event.what {
        What::Scalar { text, .. } => Some(text),
        _ => None,
    }
}

/// Says whether a key is the merge key of YAML.
pub(super) fn is_merge(event: &Event<'_>) -> bool {
    matches!(&event.what, What::Scalar { text, style: Style::Plain } if text == "<<")
}

/// The keys of one map, as hashes: a map may have a million.
pub(super) struct Keys {
    hasher: RandomState,
    seen: HashSet<u64>,
}

impl Keys {
    pub(super) fn add(&mut self, text: &str, key: &Event<'_>) -> Result<(), EditError> {
        let Some(name) = key_text(key) else { return Ok(()) };
        if self.seen.insert(self.hasher.hash_one(name)) {
            return Ok(());
        }
        let line = line_number(text, key.start);
        Err(EditError::new(format!(
            "the key `{name}` stands twice in one map, again on line {line}: remove one of the two first."
        )))
    }
}
