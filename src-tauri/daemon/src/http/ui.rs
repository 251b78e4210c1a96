//! The UI's files, from the binary.

use std::{borrow::Cow, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

use super::{Front, refusal::Refusal};

/// What a browser sees while the UI has not been built.
const NOT_BUILT: &str = "Signalbox is running, but this build holds no UI.\n\
    Run `npm ci` and `npm run build` in the folder ui/, then build signalboxd again.\n\
    The API answers under /api/v1.\n";

/// Vite puts a hash of the content into every name here, so that a name never changes its content.
const HASHED: &str = "assets/";

#[derive(RustEmbed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Dist;

/// A file of the UI.
pub struct Page {
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
}

/// Finds a file of the UI by its path within `ui/dist`, without a leading slash.
pub type Pages = fn(&str) -> Option<Page>;

/// The UI as it was built into this binary.
#[must_use]
pub fn built_in(path: &str) -> Option<Page> {
    Dist::get(path).map(|file| Page { bytes: file.data })
}

/// A file of the UI, or its first page for paths that the UI itself understands.
pub(super) async fn page(State(front): State<Arc<Front>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    if parts.uri.path().starts_with("/callbacks") {
        return Refusal::NotFound.answer(&parts);
    }
    if parts.method != Method::GET && parts.method != Method::HEAD {
        let mut response = Refusal::WrongMethod.answer(&parts);
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
        return response;
    }
    let path = parts.uri.path().trim_start_matches('/');
    if let Some(page) = (front.pages)(path).filter(|_| !path.is_empty()) {
        let cache = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
        return show(path, page, cache);
    }
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if is_file && path != "index.html" {
        return Refusal::NotFound.answer(&parts);
    }
    match (front.pages)("index.html") {
        Some(page) => show("index.html", page, "no-cache"),
        None => (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")], NOT_BUILT).into_response(),
    }
}

fn show(path: &str, page: Page, cache: &'static str) -> Response {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let kind = if kind.type_() == "text" { format!("{kind}; charset=utf-8") } else { kind.to_string() };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache.to_owned())], page.bytes.into_owned()).into_response()
}
