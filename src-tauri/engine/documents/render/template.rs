//! Templates: text with `{{ fields.… }}` in it, and the values that they give.

use std::collections::HashSet;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value as Jinja, escape_formatter};
use serde_json::{Number, Value};

use super::RenderError;
use crate::documents::field_diff::push_pointer;

/// Most steps that one template may take.
const FUEL: u64 = 200_000;

/// Largest integer up to which a float counts every integer.
const FLOAT_LIMIT: f64 = 9_007_199_254_740_992.0;

/// Only the defaults with one difference: a file keeps its last line break.
static SYNTAX: LazyLock<SyntaxConfig> =
    LazyLock::new(|| SyntaxConfig::builder().keep_trailing_newline(true).build().unwrap_or_default());
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(environment);

/// Strict, and with texts as files want them: `true` and JSON, not the words of Python.
fn environment<'s>() -> Environment<'s> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SYNTAX.clone());
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_formatter(|out, state, value| match value.kind() {
        ValueKind::None => Err(Error::new(ErrorKind::InvalidOperation, "it is null, which has no text")),
        ValueKind::Bool | ValueKind::Map | ValueKind::Seq => {
            let json = serde_json::to_string(value).map_err(|e| Error::new(ErrorKind::WriteFailure, e.to_string()))?;
            out.write_str(&json).map_err(Error::from)
        }
        _ => escape_formatter(out, state, value),
    });
    environment
}

/// What a template sees: `fields`, and `operation_id` where there is one.
pub(crate) fn context(fields: &Value, operation_id: Option<&str>) -> Jinja {
    let mut names = vec![("fields", Jinja::from(Serde(fields)))];
    names.extend(operation_id.map(|id| ("operation_id", Jinja::from(id))));
    Jinja::from_pairs(names)
}

/// The type that a rendered value has in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueType {
    Text,
    Integer,
    Number,
    Boolean,
    Null,
    Json,
}

impl ValueType {
    /// The words for `type`.
    pub(crate) const ALLOWED: &'static str = "integer, number, boolean, string, null, json";

    pub(crate) fn from_word(word: &str) -> Option<ValueType> {
        Some(match word {
            "string" => ValueType::Text,
            "integer" => ValueType::Integer,
            "number" => ValueType::Number,
            "boolean" => ValueType::Boolean,
            "null" => ValueType::Null,
            "json" => ValueType::Json,
            _ => return None,
        })
    }

    fn article(self) -> &'static str {
        match self {
            ValueType::Text => "a text",
            ValueType::Integer => "an integer",
            ValueType::Number => "a number",
            ValueType::Boolean => "true or false",
            ValueType::Null => "null",
            ValueType::Json => "JSON",
        }
    }
}

/// A template that was compiled once without fault.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    /// Where it stands in the kind: `files[0].path`.
    label: String,
    source: String,
    /// The expression, when the template is nothing but one `{{ … }}`.
    expression: Option<String>,
}

impl Template {
    /// Compiles a template. The error is a sentence without the label.
    pub(crate) fn compile(label: &str, source: &str) -> Result<Template, String> {
        ENVIRONMENT.template_from_named_str(label, source).map_err(|fault| describe(&fault))?;
        let expression = single_expression(source).filter(|e| environment().compile_expression(e).is_ok());
        Ok(Template { label: label.to_owned(), source: source.to_owned(), expression: expression.map(str::to_owned) })
    }

    /// The variables it reads, such as `fields.limit`, functions left out.
    pub(crate) fn variables(&self) -> HashSet<String> {
        let globals: HashSet<&str> = ENVIRONMENT.globals().map(|(name, _)| name).collect();
        match ENVIRONMENT.template_from_named_str(&self.label, &self.source) {
            Ok(template) => template
                .undeclared_variables(true)
                .into_iter()
                .filter(|name| !globals.contains(name.as_str()))
                .collect(),
            Err(_) => HashSet::new(),
        }
    }

    /// The text with no template in it, where it is one.
    pub(crate) fn literal(&self) -> Option<&str> {
        (!self.source.contains("{{") && !self.source.contains("{%") && !self.source.contains("{#"))
            .then_some(&self.source)
    }

    /// Renders to text.
    pub(crate) fn text(&self, context: &Jinja) -> Result<String, RenderError> {
        ENVIRONMENT
            .render_named_str(&self.label, &self.source, context.clone())
            .map_err(|fault| self.fault(&fault, &self.source))
    }

    /// Renders to a value of a type. A single expression keeps the value as it is, so that long numbers lose nothing.
    pub(crate) fn value(&self, context: &Jinja, kind: ValueType) -> Result<Value, RenderError> {
        let found = match &self.expression {
            Some(expression) => Some(self.evaluate(expression, context)?),
            None => None,
        };
        let converted = match (&found, kind) {
            (None, _) | (Some(_), ValueType::Text) => {
                let text = self.text(context)?;
                from_text(&text, kind).ok_or(text)
            }
            (Some(value), _) if value.as_str().is_some() => {
                let text = value.as_str().unwrap_or_default();
                from_text(text, kind).ok_or_else(|| text.to_owned())
            }
            (Some(value), _) => from_value(value, kind).ok_or_else(|| value.to_string()),
        };
        converted.map_err(|text| RenderError {
            path: self.expression.as_deref().and_then(pointer_of),
            message: format!("{} gives `{}`, which is not {}.", self.label, shorten(&text), kind.article()),
        })
    }

    fn evaluate(&self, expression: &str, context: &Jinja) -> Result<Jinja, RenderError> {
        let environment = environment();
        let value = environment
            .compile_expression(expression)
            .and_then(|compiled| compiled.eval(context.clone()))
            .map_err(|fault| self.fault(&fault, expression))?;
        if value.is_undefined() { Err(self.undefined(expression)) } else { Ok(value) }
    }

    fn undefined(&self, expression: &str) -> RenderError {
        let message = format!("{} needs {}, which was not given.", self.label, expression.trim());
        RenderError { path: pointer_of(expression), message }
    }

    fn fault(&self, fault: &Error, source: &str) -> RenderError {
        let place = fault.range().and_then(|range| source.get(range)).map(inside).filter(|place| !place.is_empty());
        match (fault.kind(), place) {
            (ErrorKind::UndefinedError, Some(place)) => self.undefined(place),
            (ErrorKind::OutOfFuel, _) => RenderError {
                path: None,
                message: format!(
                    "{} takes more than {FUEL} steps: the template or its fields are too large.",
                    self.label
                ),
            },
            (_, Some(place)) => RenderError {
                path: pointer_of(place),
                message: format!("{} cannot write {}: {}.", self.label, shorten(place), describe(fault)),
            },
            (_, None) => {
                RenderError { path: None, message: format!("{} cannot be rendered: {}.", self.label, describe(fault)) }
            }
        }
    }
}

fn describe(fault: &Error) -> String {
    fault.detail().map_or_else(|| fault.kind().to_string(), str::to_owned)
}

fn inside(place: &str) -> &str {
    let place = place.trim().trim_start_matches("{{").trim_end_matches("}}");
    place.trim_matches(|c: char| c.is_whitespace() || c == '-')
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 120 {
        text.to_owned()
    } else {
        format!("{}…", text.chars().take(119).collect::<String>())
    }
}

fn single_expression(source: &str) -> Option<&str> {
    let inner = source.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let inner = inner.strip_prefix('-').unwrap_or(inner);
    let inner = inner.strip_suffix('-').unwrap_or(inner).trim();
    (!["{{", "}}", "{%", "{#"].iter().any(|mark| inner.contains(mark)) && !inner.is_empty()).then_some(inner)
}

/// The pointer of `fields.a.b`, or of `fields["a"]`.
fn pointer_of(expression: &str) -> Option<String> {
    let mut rest = expression.trim().strip_prefix("fields")?;
    let mut pointer = String::new();
    loop {
        if let Some(after) = rest.strip_prefix('.') {
            let length = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
            push_pointer(&mut pointer, &after[..length]);
            rest = &after[length..];
        } else if let Some(after) = rest.strip_prefix("[\"").or_else(|| rest.strip_prefix("['")) {
            let length = after.find(['"', '\''])?;
            push_pointer(&mut pointer, &after[..length]);
            rest = after[length + 1..].strip_prefix(']')?;
        } else {
            return (!pointer.is_empty()).then_some(pointer);
        }
    }
}

fn from_text(text: &str, kind: ValueType) -> Option<Value> {
    match kind {
        ValueType::Text => Some(Value::String(text.to_owned())),
        ValueType::Integer => whole(text).map(Value::Number),
        ValueType::Number => match serde_json::from_str(text.trim()).ok()? {
            Value::Number(n) if n.is_f64() && !text.contains(['.', 'e', 'E']) => None,
            value @ Value::Number(_) => Some(value),
            _ => None,
        },
        ValueType::Boolean => match text.trim() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        ValueType::Null => (text.trim() == "null").then_some(Value::Null),
        ValueType::Json => serde_json::from_str(text).ok(),
    }
}

fn whole(text: &str) -> Option<Number> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if !plain || digits.is_empty() {
        return None;
    }
    text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok()
}

fn from_value(value: &Jinja, kind: ValueType) -> Option<Value> {
    match (kind, value.kind()) {
        (ValueType::Integer | ValueType::Number, ValueKind::Number) if value.is_integer() => {
            whole(&value.to_string()).map(Value::Number)
        }
        (ValueType::Integer, ValueKind::Number) => {
            let float = f64::try_from(value.clone()).ok()?;
            (float.fract() == 0.0 && float.abs() <= FLOAT_LIMIT).then(|| Value::from(float as i64))
        }
        (ValueType::Number, ValueKind::Number) => {
            Number::from_f64(f64::try_from(value.clone()).ok()?).map(Value::Number)
        }
        (ValueType::Boolean, ValueKind::Bool) => Some(Value::Bool(value.is_true())),
        (ValueType::Null, ValueKind::None) => Some(Value::Null),
        (ValueType::Json, _) => serde_json::to_value(value).ok(),
        _ => None,
    }
}
