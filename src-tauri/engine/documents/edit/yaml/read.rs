//! YAML as a stream of events with byte spans.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;
use serde_saphyr::granit_parser::{
    Event as Raw, Parser, ScalarStyle, Span, StrInput, StructureStyle, Tag as RawTag, options,
};

use super::super::EditError;
use super::super::events::{Event, Events, Style, Tag, What};
use super::super::splice::line_end;
use super::word;

/// Deeper nesting is refused: reading goes down one call for each level.
const DEEPEST: usize = 64;

pub(in super::super) struct YamlEvents<'t> {
    text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    names: HashMap<usize, String>,
    previous_end: usize,
}

impl<'t> YamlEvents<'t> {
    pub(in super::super) fn new(text: &'t str) -> Self {
        let mut options =
            options! { emit_anchor_events: true, flow_nesting_limit: DEEPEST, block_nesting_limit: DEEPEST };
        options.set_emit_comments(false);
        let parser = Parser::new_from_str_with_options(text, options);
        YamlEvents { text, parser, names: HashMap::new(), previous_end: 0 }
    }

    fn raw(&mut self) -> Result<Option<(Raw<'t>, Span)>, EditError> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok(pair)) => Ok(Some(pair)),
            Some(Err(fault)) => {
                let line = fault.marker().line();
                Err(EditError::new(format!("line {line} is not valid YAML: {}.", fault.info())))
            }
        }
    }

    /// The anchor that belongs to the node just read.
    fn anchor(&mut self) -> Option<(usize, String, usize)> {
        if !matches!(self.parser.peek(), Some(Ok((Raw::Anchor(..), _)))) {
            return None;
        }
        match self.parser.next_event() {
            Some(Ok((Raw::Anchor(id, name), span))) => {
                self.names.insert(id, name.to_string());
                Some((id, name.to_string(), bytes(&span).1))
            }
            _ => None,
        }
    }

    /// Header and last line of a block scalar, of which the parser gives the content only.
    fn block_bounds(&self, from: usize, start: usize, end: usize) -> (usize, usize) {
        let header = find_header(self.text, from);
        let indicator = &self.text[header..line_end(self.text, header)];
        let keeps = indicator.split(['#', ' ', '\t']).next().is_some_and(|indicator| indicator.contains('+'));
        let start = start.max(header + 1).min(self.text.len());
        let content = &self.text[start..end.max(start)];
        let kept = match content.rfind('\n') {
            Some(last) if keeps => content[..last].strip_suffix('\r').map_or(last, str::len),
            _ => content.trim_end().len(),
        };
        let last = if kept == 0 && !keeps { header + 1 } else { start + kept };
        (header, last)
    }
}

impl<'t> Events<'t> for YamlEvents<'t> {
    fn next(&mut self) -> Result<Option<Event<'t>>, EditError> {
        let (raw, span) = loop {
            match self.raw()? {
                None => return Ok(None),
                Some((Raw::StreamStart | Raw::StreamEnd, _)) => {}
                Some(pair) => break pair,
            }
        };
        let (start, end) = bytes(&span);
        let tag_end = span.tag_span().map_or(0, |tag| bytes(&tag).1);
        let column = span.start.col();
        let event = |what, tag: Option<Tag>| Event { what, start, end, column, anchor: None, tag, props_end: tag_end };
        let mut event = match raw {
            Raw::DocumentStart(..) => event(What::DocumentStart, None),
            Raw::DocumentEnd => event(What::DocumentEnd, None),
            Raw::MappingEnd => event(What::MapEnd, None),
            Raw::SequenceEnd => event(What::ListEnd, None),
            Raw::MappingStart(style, _, tag) => {
                event(What::MapStart { flow: style == StructureStyle::Flow }, tag.map(|t| tag_of(&t)))
            }
            Raw::SequenceStart(style, _, tag) => {
                event(What::ListStart { flow: style == StructureStyle::Flow }, tag.map(|t| tag_of(&t)))
            }
            Raw::Alias(id) => {
                let name = self.names.get(&id).cloned().unwrap_or_default();
                event(What::Alias { id, name }, None)
            }
            Raw::Scalar(text, style, _, tag) => {
                let style = style_of(style);
                let empty = style == Style::Plain && start == end;
                let text = if empty { Cow::Borrowed("") } else { text };
                let mut scalar = event(What::Scalar { text, style }, tag.map(|t| tag_of(&t)));
                if matches!(style, Style::Literal | Style::Folded) {
                    (scalar.start, scalar.end) = self.block_bounds(self.previous_end.max(tag_end), start, end);
                }
                scalar
            }
            other => return Err(EditError::new(format!("the YAML event {other:?} is not known"))),
        };
        if matches!(event.what, What::MapStart { .. } | What::ListStart { .. }) {
            event.end = event.start;
        }
        if let Some((id, name, anchor_end)) = self.anchor() {
            event.anchor = Some((id, name));
            event.props_end = event.props_end.max(anchor_end);
        }
        self.previous_end = event.end.max(event.props_end);
        Ok(Some(event))
    }

    fn resolve(&self, text: &str, style: Style, tag: Option<&Tag>) -> (Value, bool) {
        word::resolve(text, style, tag)
    }
}

fn bytes(span: &Span) -> (usize, usize) {
    let at = |marker: &serde_saphyr::granit_parser::Marker| marker.byte_offset().unwrap_or_else(|| marker.index());
    (at(&span.start), at(&span.end))
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn tag_of(tag: &RawTag) -> Tag {
    match tag.core_suffix() {
        Some("str") => Tag::Str,
        Some("int") => Tag::Int,
        Some("float") => Tag::Float,
        Some("bool") => Tag::Bool,
        Some("null") => Tag::Null,
        Some("map") => Tag::Map,
        Some("seq") => Tag::Seq,
        _ if tag.suffix().is_empty() && tag.handle() == "!" => Tag::Str,
        _ => Tag::Other(tag.original()),
    }
}

/// The `|` or `>` that a block scalar begins with: after indicators, comments, anchor and tag.
fn find_header(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() && !matches!(bytes[at], b'|' | b'>') {
        at += match bytes[at] {
            b'#' => line_end(text, at) - at,
            b'&' | b'!' => bytes[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len() - at),
            _ => 1,
        };
    }
    at.min(bytes.len().saturating_sub(1))
}
