//! Finding the bytes of one value, or the map that it is missing from.

use serde_json::Value;

use super::events::{Event, Events, Style, What};
use super::value::sort_of;
use super::walk::{Walker, closing_end, is_merge, key_text};
use super::{EditError, Segment, name_of};

/// How the node at a place is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar(Style),
    /// No bytes at all: `key:` with nothing behind it.
    Empty,
    Alias,
    Collection {
        flow: bool,
    },
}

/// A node that is there.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) shape: Shape,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) column: usize,
    pub(super) props_end: usize,
    pub(super) value: Value,
    pub(super) exact: bool,
    pub(super) around: Around,
}

/// What a node stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Around {
    /// Inside braces or brackets.
    pub(super) flow: bool,
    /// Column of the key in front of it, or of the first entry of its list.
    pub(super) column: usize,
    /// End of the key in front of it; `None` in a list and at the root.
    pub(super) key_end: Option<usize>,
}

/// A map that lacks the wanted key.
#[derive(Debug)]
pub(super) struct Gap {
    /// How many segments of the way lead to this map.
    pub(super) depth: usize,
    pub(super) flow: bool,
    pub(super) start: usize,
    /// Where the closing brace stands, in flow style.
    pub(super) close: usize,
    /// Column of its first key.
    pub(super) column: usize,
    pub(super) entries: usize,
    pub(super) last_key: usize,
    pub(super) last_key_end: usize,
    pub(super) last_value: usize,
    pub(super) last_end: usize,
}

#[derive(Debug)]
pub(super) enum Place {
    Found(Target),
    /// After `depth` segments there is a null where a map is needed.
    Null {
        target: Target,
        depth: usize,
    },
    Missing(Gap),
    /// The way is barred, with the reason as a sentence.
    Barred {
        depth: usize,
        why: String,
    },
}

/// What one document of a file says about a place.
#[derive(Debug)]
pub(super) struct Located {
    pub(super) place: Place,
    /// An alias elsewhere that shows the same node: the name of its anchor.
    pub(super) shared: Option<String>,
}

impl Located {
    /// The map (or list) that would hold the value is there.
    pub(super) fn has_parent(&self, length: usize) -> bool {
        match &self.place {
            Place::Found(_) => true,
            Place::Missing(gap) => gap.depth + 1 == length,
            Place::Null { depth, .. } => depth + 1 == length,
            Place::Barred { depth, .. } => depth + 1 == length,
        }
    }
}

/// Looks the place up in every document of a file.
pub(super) fn locate<'t, E: Events<'t>>(text: &'t str, events: E, at: &[Segment]) -> Result<Vec<Located>, EditError> {
    let mut finder = Finder { walker: Walker::new(text, events), at };
    let mut documents = Vec::new();
    while finder.walker.next()?.is_some() {
        let root = finder.walker.pull()?;
        let around = Around { flow: false, column: 0, key_end: None };
        let (place, _) = finder.node(&root, 0, around)?;
        finder.walker.pull()?;
        finder.walker.watched.clear();
        documents.push(Located { place, shared: finder.walker.shared.take() });
    }
    Ok(documents)
}

struct Finder<'t, 'a, E> {
    walker: Walker<'t, E>,
    at: &'a [Segment],
}

impl<'t, E: Events<'t>> Finder<'t, '_, E> {
    fn node(&mut self, event: &Event<'t>, depth: usize, around: Around) -> Result<(Place, usize), EditError> {
        if let Some((id, _)) = &event.anchor {
            self.walker.watched.push(*id);
        }
        if depth == self.at.len() {
            let target = self.target(event, around)?;
            let end = target.end.max(target.props_end);
            return Ok((Place::Found(target), end));
        }
        match &event.what {
            What::MapStart { flow } => self.map(event, depth, *flow, around),
            What::ListStart { flow } => self.list(event, depth, *flow, around),
            What::Alias { name, .. } => {
                let why = format!(
                    "{} is an alias (*{name}): a value behind it belongs to another place. Edit it there, or write the map out here first.",
                    name_of(&self.at[..depth])
                );
                Ok((Place::Barred { depth, why }, event.end))
            }
            _ => {
                let target = self.target(event, around)?;
                let end = target.end.max(target.props_end);
                if target.value.is_null() && target.exact {
                    return Ok((Place::Null { target, depth }, end));
                }
                let why = format!(
                    "{} is {}, not a map: there is no place for {} in it.",
                    name_of(&self.at[..depth]),
                    sort_of(&target.value),
                    name_of(self.at)
                );
                Ok((Place::Barred { depth, why }, end))
            }
        }
    }

    fn target(&mut self, event: &Event<'t>, around: Around) -> Result<Target, EditError> {
        let shape = match &event.what {
            What::Scalar { style: Style::Plain, .. } if event.start == event.end => Shape::Empty,
            What::Scalar { style, .. } => Shape::Scalar(*style),
            What::Alias { .. } => Shape::Alias,
            What::MapStart { flow } | What::ListStart { flow } => Shape::Collection { flow: *flow },
            _ => Shape::Empty,
        };
        let built = self.walker.build(event)?;
        self.walker.watched.extend(built.anchors);
        Ok(Target {
            shape,
            start: event.start,
            end: built.end,
            column: event.column,
            props_end: event.props_end,
            value: built.value,
            exact: built.exact,
            around,
        })
    }

    fn map(
        &mut self,
        event: &Event<'t>,
        depth: usize,
        flow: bool,
        around: Around,
    ) -> Result<(Place, usize), EditError> {
        let mut keys = self.walker.keys();
        let mut found = None;
        let mut merged = false;
        let mut gap = Gap {
            depth,
            flow,
            start: event.start,
            close: event.start,
            column: event.column,
            entries: 0,
            last_key: event.start,
            last_key_end: event.start,
            last_value: event.start,
            last_end: event.end,
        };
        loop {
            let key = self.walker.pull()?;
            if key.what == What::MapEnd {
                gap.close = key.start;
                let end = gap.last_end.max(closing_end(&key));
                let place = match found {
                    Some(place) => place,
                    None if merged => Place::Barred { depth, why: merge_sentence(&self.at[..depth], self.at) },
                    None => Place::Missing(gap),
                };
                return Ok((place, end));
            }
            keys.add(self.walker.text, &key)?;
            merged |= is_merge(&key);
            let wanted = key_text(&key).is_some_and(|name| self.at[depth].names(name)) && !is_merge(&key);
            gap.entries += 1;
            gap.last_key = key.start;
            gap.last_key_end = self.walker.skip(&key)?;
            let value = self.walker.pull()?;
            gap.last_value = value.start;
            let end = if wanted {
                let around = Around {
                    flow: flow || around.flow,
                    column: if flow { around.column } else { event.column },
                    key_end: Some(gap.last_key_end),
                };
                let (place, end) = self.node(&value, depth + 1, around)?;
                found = Some(place);
                end
            } else {
                self.walker.skip(&value)?
            };
            gap.last_end = end.max(gap.last_key_end);
        }
    }

    fn list(
        &mut self,
        event: &Event<'t>,
        depth: usize,
        flow: bool,
        around: Around,
    ) -> Result<(Place, usize), EditError> {
        let wanted = self.at[depth].position();
        let mut found = None;
        let mut end = event.end;
        let mut length = 0;
        loop {
            let item = self.walker.pull()?;
            if item.what == What::ListEnd {
                end = end.max(closing_end(&item));
                break;
            }
            if wanted == Some(length) {
                let inner = Around { flow: flow || around.flow, column: event.column, key_end: None };
                let (place, inner_end) = self.node(&item, depth + 1, inner)?;
                found = Some(place);
                end = end.max(inner_end);
            } else {
                end = end.max(self.walker.skip(&item)?);
            }
            length += 1;
        }
        let place = found.unwrap_or_else(|| {
            let why = match wanted {
                Some(index) => format!(
                    "{} is a list of {length}: it has no entry {index} (they are counted from 0).",
                    name_of(&self.at[..depth])
                ),
                None => format!(
                    "{} is a list: its entries have positions, `{}` is none.",
                    name_of(&self.at[..depth]),
                    self.at[depth].text()
                ),
            };
            Place::Barred { depth, why }
        });
        Ok((place, end))
    }
}

fn merge_sentence(map: &[Segment], at: &[Segment]) -> String {
    format!(
        "{} takes keys in through a merge key (<<), and {} is not among its own: edit it where it is defined, or write it out here first.",
        name_of(map),
        name_of(at)
    )
}
