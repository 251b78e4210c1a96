//! One call: who calls, which project, and what was given in path, query and body.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, OriginalUri, Query, RawPathParams, Request};
use axum::http::{HeaderMap, header};
use serde_json::{Map, Value, json};

use super::answer::Refuse;
use crate::accounts::{Account, BOT, PLACES, Place};
use crate::secrets::Secrets;
use crate::world::World;

pub(crate) struct Call {
    pub(crate) world: Arc<World>,
    pub(crate) user: &'static Account,
    /// The path as it was sent, still encoded.
    pub(crate) path: String,
    params: Vec<(String, String)>,
    pub(crate) query: Vec<(String, String)>,
    body: Map<String, Value>,
}

/// The token that a request carries, in any of the ways GitLab accepts.
fn token(headers: &HeaderMap, query: Option<&str>) -> Option<String> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = || {
        let value = text(header::AUTHORIZATION.as_str())?;
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    };
    let asked = || query?.split('&').find_map(|pair| pair.strip_prefix("private_token="));
    text("private-token").or_else(bearer).or_else(asked).map(str::to_owned)
}

/// The account behind a request, if there is one.
pub(crate) fn account(secrets: &Secrets, headers: &HeaderMap, query: Option<&str>) -> Option<&'static Account> {
    token(headers, query).and_then(|token| secrets.account(&token))
}

impl FromRequest<Arc<World>> for Call {
    type Rejection = Refuse;

    async fn from_request(request: Request, world: &Arc<World>) -> Result<Self, Refuse> {
        use axum::extract::FromRequestParts as _;
        let (mut parts, body) = request.into_parts();
        let user = account(&world.secrets, &parts.headers, parts.uri.query())
            .ok_or_else(|| Refuse::message(401, "401 Unauthorized"))?;
        if user.username == BOT && world.on("gitlab.token_refused") {
            world.count("gitlab.token_refused");
            let text = "Token is expired. You can either do re-authorization or token refresh.";
            return Err(Refuse::body(401, json!({ "error": "invalid_token", "error_description": text })));
        }
        let path = match OriginalUri::from_request_parts(&mut parts, world).await {
            Ok(OriginalUri(uri)) => uri.path().to_owned(),
            Err(never) => match never {},
        };
        let params = match RawPathParams::from_request_parts(&mut parts, world).await {
            Ok(params) => params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            Err(_) => return Err(Refuse::error(404, "404 Not Found")),
        };
        let Query(query) = Query::<Vec<(String, String)>>::from_request_parts(&mut parts, world)
            .await
            .map_err(|_| Refuse::error(400, "400 Bad Request"))?;
        let form = parts
            .headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.to_str().is_ok_and(|kind| kind.starts_with("application/x-www-form-urlencoded")));
        let bytes = Bytes::from_request(Request::from_parts(parts, body), world)
            .await
            .map_err(|_| Refuse::error(413, "Request Entity Too Large"))?;
        let body = read_body(&bytes, form)?;
        Ok(Self { world: Arc::clone(world), user, path, params, query, body })
    }
}

fn read_body(bytes: &[u8], form: bool) -> Result<Map<String, Value>, Refuse> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    if form {
        let uri = format!("/?{}", String::from_utf8_lossy(bytes)).parse().ok();
        let pairs = uri.and_then(|uri| Query::<Vec<(String, String)>>::try_from_uri(&uri).ok());
        let pairs = pairs.ok_or_else(|| Refuse::error(400, "400 Bad Request"))?;
        return Ok(pairs.0.into_iter().map(|(name, value)| (name, Value::String(value))).collect());
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(body)) => Ok(body),
        _ => Err(Refuse::error(400, "The provided content-type is supported, but its body could not be parsed")),
    }
}

impl Call {
    pub(crate) fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// The project named by number or by path; an unknown one looks the same as an invisible one.
    pub(crate) fn project(&self) -> Result<&'static Place, Refuse> {
        let key = self.param("id");
        let found = PLACES.iter().find(|place| place.path == key || place.id.to_string() == key);
        found.ok_or_else(|| Refuse::message(404, "404 Project Not Found"))
    }

    /// The number in a path, such as the iid of a merge request.
    pub(crate) fn number(&self, name: &str) -> Result<u64, Refuse> {
        self.param(name).parse().map_err(|_| Refuse::not_found())
    }

    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A value of the body, or of the query where the body lacks it.
    pub(crate) fn given(&self, name: &str) -> Option<Value> {
        self.body.get(name).cloned().or_else(|| self.asked(name).map(|text| Value::String(text.to_owned())))
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.given(name)? {
            Value::String(text) => Some(text),
            Value::Null => None,
            other => Some(other.to_string()),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.given(name).map(|value| truth(&value))
    }

    /// Refuses a call that lacks one of these, in the words of GitLab's parameter check.
    pub(crate) fn need(&self, names: &[&str]) -> Result<(), Refuse> {
        let missing = names.iter().filter(|name| self.text(name).is_none_or(|text| text.is_empty()));
        let missing: Vec<String> = missing.map(|name| format!("{name} is missing")).collect();
        if missing.is_empty() { Ok(()) } else { Err(Refuse::error(400, missing.join(", "))) }
    }
}

fn truth(value: &Value) -> bool {
    match value {
        Value::Bool(yes) => *yes,
        Value::String(text) => matches!(text.to_ascii_lowercase().as_str(), "true" | "1" | "yes" | "on"),
        Value::Number(number) => number.as_u64() == Some(1),
        _ => false,
    }
}
