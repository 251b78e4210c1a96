//! Pages for people act only when a page of their own asks: no other web page may press their buttons.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::world::World;

pub(crate) async fn same_site(State(world): State<Arc<World>>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !known_host(&world, request.headers()) || !reads && foreign(request.headers()) {
        return (StatusCode::FORBIDDEN, "This page takes orders only from itself.\n").into_response();
    }
    let response = next.run(request).await;
    if !reads {
        world.keeper.settled().await;
    }
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A name that leads here from outside would let another page read the answers.
fn known_host(world: &World, headers: &HeaderMap) -> bool {
    let Some(host) = text(headers, header::HOST.as_str()) else { return false };
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let listen = world.options.listen;
    listen.is_unspecified() || matches!(name, "127.0.0.1" | "localhost" | "[::1]") || name == listen.to_string()
}

fn foreign(headers: &HeaderMap) -> bool {
    let site = text(headers, "sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
    let host = text(headers, header::HOST.as_str()).unwrap_or_default();
    let origin = text(headers, header::ORIGIN.as_str()).is_some_and(|origin| origin != format!("http://{host}"));
    site || origin
}
