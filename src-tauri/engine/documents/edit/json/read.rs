//! JSON as a stream of events.

use std::borrow::Cow;
use std::collections::VecDeque;

use jsonc_parser::Scanner;
use jsonc_parser::ScannerOptions;
use jsonc_parser::tokens::Token;
use serde_json::Value;

use super::super::EditError;
use super::super::events::{Event, Events, Style, Tag, What};
use super::super::splice::line_number;

/// Deeper nesting is refused: reading goes down one call for each level.
const DEEPEST: usize = 128;

#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Root,
    EntryOrEnd,
    AfterEntry,
    Value,
    End,
}

pub(super) struct JsonEvents<'t> {
    text: &'t str,
    scanner: Scanner<'t>,
    open: Vec<bool>,
    expect: Expect,
    ready: VecDeque<Event<'t>>,
    skipped: usize,
}

impl<'t> JsonEvents<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let options = ScannerOptions {
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let scanner = Scanner::new(&text[skipped..], &options);
        JsonEvents { text, scanner, open: Vec::new(), expect: Expect::Root, ready: VecDeque::new(), skipped }
    }

    fn scan(&mut self) -> Result<Option<(Token<'t>, usize, usize)>, EditError> {
        loop {
            let token =
                self.scanner.scan().map_err(|e| self.fault(e.range().start + self.skipped, &e.kind().to_string()))?;
            match token {
                Some(Token::CommentLine(_) | Token::CommentBlock(_)) => {}
                Some(token) => {
                    let (start, end) = (self.scanner.token_start(), self.scanner.token_end());
                    return Ok(Some((token, start + self.skipped, end + self.skipped)));
                }
                None => return Ok(None),
            }
        }
    }

    fn fault(&self, at: usize, what: &str) -> EditError {
        EditError::new(format!("line {} is not valid JSON: {what}.", line_number(self.text, at)))
    }

    fn unexpected(&self, at: usize) -> EditError {
        let rest = &self.text[at.min(self.text.len())..];
        match rest.chars().next() {
            Some(found) => self.fault(at, &format!("`{found}` is not expected here")),
            None => self.fault(at, "the file ends in the middle of a value"),
        }
    }

    fn event(&self, what: What<'t>, start: usize, end: usize) -> Event<'t> {
        Event { what, start, end, column: 0, anchor: None, tag: None, props_end: 0 }
    }

    fn value(&mut self, token: Token<'t>, start: usize, end: usize) -> Result<Event<'t>, EditError> {
        let (what, end) = match token {
            Token::OpenBrace | Token::OpenBracket => {
                let map = token == Token::OpenBrace;
                if self.open.len() == DEEPEST {
                    return Err(self.fault(start, &format!("more than {DEEPEST} levels of nesting")));
                }
                self.open.push(map);
                self.expect = Expect::EntryOrEnd;
                let what = if map { What::MapStart { flow: true } } else { What::ListStart { flow: true } };
                return Ok(self.event(what, start, start));
            }
            Token::String(text) => {
                if self.text[start..end].bytes().any(|b| b < b' ') {
                    return Err(self.fault(start, "a text holds a control character"));
                }
                (What::Scalar { text, style: Style::Double }, end)
            }
            Token::Number(text) => (What::Scalar { text: Cow::Borrowed(text), style: Style::Plain }, end),
            Token::Boolean(true) => (What::Scalar { text: Cow::Borrowed("true"), style: Style::Plain }, end),
            Token::Boolean(false) => (What::Scalar { text: Cow::Borrowed("false"), style: Style::Plain }, end),
            Token::Null => (What::Scalar { text: Cow::Borrowed("null"), style: Style::Plain }, end),
            _ => return Err(self.unexpected(start)),
        };
        self.leave();
        Ok(self.event(what, start, end))
    }

    /// A value is complete.
    fn leave(&mut self) {
        self.expect = if self.open.is_empty() { Expect::End } else { Expect::AfterEntry };
        if self.open.is_empty() {
            let end = self.text.len();
            let event = self.event(What::DocumentEnd, end, end);
            self.ready.push_back(event);
        }
    }

    fn close(&mut self, start: usize, end: usize) -> Event<'t> {
        let map = self.open.pop().unwrap_or(false);
        self.leave();
        self.event(if map { What::MapEnd } else { What::ListEnd }, start, end)
    }

    fn closes(&self, token: &Token<'t>) -> bool {
        match self.open.last() {
            Some(true) => *token == Token::CloseBrace,
            Some(false) => *token == Token::CloseBracket,
            None => false,
        }
    }
}

impl<'t> Events<'t> for JsonEvents<'t> {
    fn next(&mut self) -> Result<Option<Event<'t>>, EditError> {
        if let Some(event) = self.ready.pop_front() {
            return Ok(Some(event));
        }
        let Some((mut token, mut start, mut end)) = self.scan()? else {
            return match self.expect {
                Expect::Root | Expect::End => Ok(None),
                _ => Err(self.unexpected(self.text.len())),
            };
        };
        match self.expect {
            Expect::End => return Err(self.unexpected(start)),
            Expect::Root => {
                let root = self.value(token, start, end)?;
                self.ready.push_front(root);
                return Ok(Some(self.event(What::DocumentStart, start, start)));
            }
            Expect::Value => return self.value(token, start, end).map(Some),
            Expect::AfterEntry if self.closes(&token) => return Ok(Some(self.close(start, end))),
            Expect::AfterEntry => {
                if token != Token::Comma {
                    return Err(self.unexpected(start));
                }
                (token, start, end) = self.scan()?.ok_or_else(|| self.unexpected(self.text.len()))?;
            }
            Expect::EntryOrEnd => {}
        }
        if self.closes(&token) {
            return Ok(Some(self.close(start, end)));
        }
        if self.open.last() != Some(&true) {
            return self.value(token, start, end).map(Some);
        }
        let Token::String(_) = token else { return Err(self.unexpected(start)) };
        let key = self.value(token, start, end)?;
        match self.scan()? {
            Some((Token::Colon, _, _)) => self.expect = Expect::Value,
            Some((_, at, _)) => return Err(self.unexpected(at)),
            None => return Err(self.unexpected(self.text.len())),
        }
        Ok(Some(key))
    }

    fn resolve(&self, text: &str, style: Style, _tag: Option<&Tag>) -> (Value, bool) {
        if style != Style::Plain {
            return (Value::String(text.to_owned()), true);
        }
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Number(n)) if n.is_f64() && text.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {
                (Value::String(text.to_owned()), false)
            }
            Ok(value) => (value, true),
            Err(_) => (Value::String(text.to_owned()), false),
        }
    }
}

/// Steps over white space and comments.
pub(super) fn skip_blank(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with("//") {
            at = super::super::splice::line_end(text, at);
        } else if let Some(inside) = trimmed.strip_prefix("/*") {
            at += 2 + inside.find("*/").map_or(inside.len(), |n| n + 2);
        } else {
            return at;
        }
    }
}
