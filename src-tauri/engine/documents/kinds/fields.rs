//! Checking the fields of a request against the schema of its kind.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use super::Kind;
use crate::{documents::field_diff::push_pointer, say, words::Sentence};

/// Longest message, in characters: a message quotes the value that was sent.
const LONGEST_MESSAGE: usize = 300;

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// JSON Pointer into the fields: `/limit`. A missing field is named by the pointer that it would have.
    pub path: String,
    /// What is wrong.
    pub message: Sentence,
}

impl Kind {
    /// Everything that the schema has against these fields; empty when they are valid.
    pub fn check_fields(&self, fields: &Value) -> Vec<FieldError> {
        if !fields.is_object() {
            return vec![FieldError { path: String::new(), message: say!("field.no_object") }];
        }
        self.validator.iter_errors(fields).flat_map(|error| field_errors(&error)).collect()
    }
}

fn field_errors(error: &ValidationError<'_>) -> Vec<FieldError> {
    let path = error.instance_path().as_str();
    let below = |name: &str| {
        let mut inner = path.to_owned();
        push_pointer(&mut inner, name);
        inner
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![FieldError { path: below(name), message: say!("field.missing", name = name) }]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .map(|name| FieldError { path: below(name), message: say!("field.unknown", name = name.clone()) })
            .collect(),
        _ => vec![FieldError { path: path.to_owned(), message: sentence(&error.to_string()).into() }],
    }
}

fn sentence(message: &str) -> String {
    let mut text: String = message.chars().take(LONGEST_MESSAGE).collect();
    text.push_str(if message.chars().count() > LONGEST_MESSAGE { "…" } else { "." });
    text
}
