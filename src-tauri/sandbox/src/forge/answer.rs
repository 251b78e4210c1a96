//! Answers that refuse, in GitLab's several shapes.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::git::GitError;

/// A call that is refused: its status and its body.
#[derive(Debug)]
pub(crate) struct Refuse {
    status: u16,
    body: Option<Value>,
}

/// What every call answers.
pub(crate) type Answer = Result<Response, Refuse>;

impl Refuse {
    /// `{"message": "text"}`, the most common shape.
    pub(crate) fn message(status: u16, text: impl Into<String>) -> Self {
        Self { status, body: Some(json!({ "message": text.into() })) }
    }

    /// `{"error": "text"}`, for parameters and unknown routes.
    pub(crate) fn error(status: u16, text: impl Into<String>) -> Self {
        Self { status, body: Some(json!({ "error": text.into() })) }
    }

    pub(crate) fn body(status: u16, body: Value) -> Self {
        Self { status, body: Some(body) }
    }

    /// 304, which has no body.
    pub(crate) fn unchanged() -> Self {
        Self { status: 304, body: None }
    }

    pub(crate) fn not_found() -> Self {
        Self::message(404, "404 Not found")
    }
}

impl From<GitError> for Refuse {
    fn from(error: GitError) -> Self {
        tracing::error!(%error, "a practice call failed in git");
        Self::message(500, "500 Internal Server Error")
    }
}

impl IntoResponse for Refuse {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        match self.body {
            Some(body) => (status, Json(body)).into_response(),
            None => status.into_response(),
        }
    }
}

/// An answer with a body.
pub(crate) fn ok(status: u16, body: Value) -> Answer {
    Ok(Refuse { status, body: Some(body) }.into_response())
}

/// Sets a header whose value comes from data; a value that cannot be a header is left out.
pub(crate) fn set_header(response: &mut Response, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
}

/// Bytes as plain text.
pub(crate) fn raw(content: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], content).into_response()
}
