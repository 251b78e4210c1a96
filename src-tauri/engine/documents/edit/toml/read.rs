//! A parsed TOML document as one kind of tree.

use std::ops::Range;

use serde_json::{Map, Number, Value};
use toml_edit::{Array, ArrayOfTables, InlineTable, Item, Table, TableLike, Value as Toml};

use super::super::Segment;

/// Stands before the text of a date, so that it is never taken for an equal text.
const DATE: char = '\u{0}';

#[derive(Clone, Copy)]
pub(super) enum Node<'d> {
    Table(&'d Table),
    Inline(&'d InlineTable),
    Array(&'d Array),
    Tables(&'d ArrayOfTables),
    Scalar(&'d Toml),
}

impl<'d> Node<'d> {
    fn of_value(value: &'d Toml) -> Node<'d> {
        match value {
            Toml::InlineTable(table) => Node::Inline(table),
            Toml::Array(array) => Node::Array(array),
            scalar => Node::Scalar(scalar),
        }
    }

    pub(super) fn of_item(item: &'d Item) -> Option<Node<'d>> {
        match item {
            Item::None => None,
            Item::Value(value) => Some(Node::of_value(value)),
            Item::Table(table) => Some(Node::Table(table)),
            Item::ArrayOfTables(tables) => Some(Node::Tables(tables)),
        }
    }

    pub(super) fn get(self, segment: &Segment) -> Option<Node<'d>> {
        match self {
            Node::Table(table) => table.get(&segment.text()).and_then(Node::of_item),
            Node::Inline(table) => table.get(&segment.text()).map(Node::of_value),
            Node::Array(array) => array.get(segment.position()?).map(Node::of_value),
            Node::Tables(tables) => tables.get(segment.position()?).map(Node::Table),
            Node::Scalar(_) => None,
        }
    }

    pub(super) fn span(self) -> Option<Range<usize>> {
        match self {
            Node::Table(table) => table.span(),
            Node::Inline(table) => table.span(),
            Node::Array(array) => array.span(),
            Node::Tables(tables) => tables.span(),
            Node::Scalar(value) => value.span(),
        }
    }

    /// A table that exists only as the first part of dotted keys.
    pub(super) fn is_dotted(self) -> bool {
        match self {
            Node::Table(table) => table.is_dotted(),
            Node::Inline(table) => table.is_dotted(),
            _ => false,
        }
    }

    pub(super) fn entries(self) -> Vec<(Range<usize>, Node<'d>)> {
        let key_span = |table: &'d dyn TableLike, key: &str| table.key(key).and_then(|key| key.span()).unwrap_or(0..0);
        let of = |table: &'d dyn TableLike| {
            table.iter().filter_map(|(key, item)| Some((key_span(table, key), Node::of_item(item)?))).collect()
        };
        match self {
            Node::Table(table) => of(table),
            Node::Inline(table) => of(table),
            _ => Vec::new(),
        }
    }
}

/// The value of a node, with dates marked.
pub(super) fn value_of(node: Node<'_>) -> Value {
    match node {
        Node::Table(table) => map_of(table),
        Node::Inline(table) => map_of(table),
        Node::Array(array) => array.iter().map(|value| value_of(Node::of_value(value))).collect(),
        Node::Tables(tables) => tables.iter().map(|table| value_of(Node::Table(table))).collect(),
        Node::Scalar(Toml::String(text)) => Value::String(text.value().clone()),
        Node::Scalar(Toml::Integer(n)) => Value::from(*n.value()),
        Node::Scalar(Toml::Float(n)) => {
            Number::from_f64(*n.value()).map_or_else(|| Value::String(format!("{DATE}{}", n.value())), Value::Number)
        }
        Node::Scalar(Toml::Boolean(b)) => Value::Bool(*b.value()),
        Node::Scalar(Toml::Datetime(date)) => Value::String(format!("{DATE}{}", date.value())),
        Node::Scalar(_) => Value::Null,
    }
}

fn map_of(table: &dyn TableLike) -> Value {
    let entries = table.iter().filter_map(|(key, item)| Some((key.to_owned(), value_of(Node::of_item(item)?))));
    Value::Object(entries.collect::<Map<String, Value>>())
}

/// The value as others see it: a date is its text.
pub(super) fn as_seen(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.strip_prefix(DATE).map(str::to_owned).unwrap_or(text)),
        Value::Array(list) => list.into_iter().map(as_seen).collect(),
        Value::Object(map) => Value::Object(map.into_iter().map(|(key, value)| (key, as_seen(value))).collect()),
        other => other,
    }
}
