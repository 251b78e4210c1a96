//! The listener. It knows who calls and how much they may send; what is answered comes from the engine.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request, State},
    http::{HeaderMap, Method, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use signalbox_engine::{
    api::{self, Reply},
    words::Lang,
};
use tokio_util::sync::CancellationToken;

use crate::port::EnginePort;

mod auth;
mod body;
mod guard;
mod refusal;
mod stream;
mod ui;

pub use auth::Tokens;
pub use guard::Hosts;
pub use ui::{Page, Pages, built_in};

use refusal::Refusal;

/// Most bytes of a body under `/api`.
const API_BODY: usize = 1024 * 1024;
/// Most bytes of a callback (contract.md, section 7).
const CALLBACK_BODY: usize = 256 * 1024;

/// What the listener works with.
pub struct Front {
    /// The engine.
    pub engine: Arc<dyn EnginePort>,
    /// Who may call.
    pub tokens: Tokens,
    /// Names the listener answers to.
    pub hosts: Hosts,
    /// The UI's files.
    pub pages: Pages,
    /// Ends the streams.
    pub stop: CancellationToken,
}

type Shared = State<Arc<Front>>;

/// All routes.
pub fn router(front: Front) -> Router {
    let front = Arc::new(front);
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .route("/callbacks/{source}", post(callback))
        .route("/api/v1/stream", get(stream::changes))
        .route("/api/v1/{*rest}", any(call))
        .route("/api", any(no_api))
        .route("/api/{*rest}", any(no_api))
        .fallback(ui::page)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&front), guard::check_host))
        .layer(middleware::from_fn(guard::add_headers))
        .with_state(front)
}

async fn healthz() -> Response {
    axum::Json(serde_json::json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })).into_response()
}

async fn readyz(State(front): Shared) -> Response {
    answer(front.engine.ready().await)
}

async fn metrics(State(front): Shared) -> Response {
    answer(front.engine.metrics().await)
}

async fn callback(State(front): Shared, Path(source): Path<String>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !matches!(source.as_str(), "approval" | "deploy" | "gitlab") {
        return Refusal::NotFound.answer(&parts);
    }
    let raw = match body::read(&parts.headers, body, CALLBACK_BODY).await {
        Ok(raw) => raw,
        Err(refusal) => return refusal.answer(&parts),
    };
    answer(front.engine.callback(&source, &words(&parts.headers), &raw).await)
}

async fn call(State(front): Shared, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let asked = async {
        let person = front.tokens.person(&parts.headers).ok_or(Refusal::Unauthorized)?.to_owned();
        let query = body::query(&parts.uri)?;
        let raw = body::read(&parts.headers, body, API_BODY).await?;
        let method = if parts.method == Method::HEAD { Method::GET } else { parts.method.clone() };
        Ok(api::Request {
            method: method.as_str().to_owned(),
            path: parts.uri.path().to_owned(),
            query,
            person,
            lang: language(&parts.headers),
            body: body::json(&raw)?,
        })
    };
    match asked.await {
        Ok(call) => answer(front.engine.call(call).await),
        Err(refusal) => Refusal::answer(&refusal, &parts),
    }
}

async fn no_api(State(front): Shared, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    match front.tokens.person(&parts.headers) {
        Some(_) => Refusal::NotFound.answer(&parts),
        None => Refusal::Unauthorized.answer(&parts),
    }
}

/// The `Allow` header comes from the router.
async fn wrong_method(request: Request) -> Response {
    Refusal::WrongMethod.answer(&request.into_parts().0)
}

/// The language a caller reads.
fn language(headers: &HeaderMap) -> Lang {
    Lang::from_header(headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok()).unwrap_or_default())
}

/// Headers as the engine takes them: names in lower case, values that are text.
fn words(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())))
        .collect()
}

fn answer(reply: Reply) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, [(header::CONTENT_TYPE, reply.content_type)], reply.body).into_response();
    for (name, value) in reply.headers {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
