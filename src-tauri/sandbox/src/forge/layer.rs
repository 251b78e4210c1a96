//! What happens around every call: faults, the correlation id, the journal.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, OriginalUri, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::set_header;
use super::call::account;
use crate::journal::Line;
use crate::secrets::hex;
use crate::serve::Lost;
use crate::world::World;

/// What an answer says about a fault that the call met.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met(pub(crate) &'static str);

pub(crate) async fn around(State(world): State<Arc<World>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let whole = request.extensions().get::<OriginalUri>().map_or_else(|| request.uri(), |original| &original.0);
    let path = whole.path().to_owned();
    let caller = account(&world.secrets, request.headers(), request.uri().query());
    let matched = request.extensions().get::<MatchedPath>().map(|matched| matched.as_str().to_owned());
    let mut note = String::new();
    let slow = world.value("gitlab.slow");
    if slow > 0 {
        world.count("gitlab.slow");
        tokio::time::sleep(Duration::from_millis(slow)).await;
        note = format!("{slow} ms late on purpose");
    }
    let mut response = match refused(&world) {
        Some((response, why)) => {
            why.clone_into(&mut note);
            response
        }
        None => next.run(request).await,
    };
    if let Some(Met(fault)) = response.extensions().get::<Met>() {
        note = format!("met {fault}");
    }
    let writes = !matches!(method, Method::GET | Method::HEAD);
    if writes {
        world.keeper.settled().await;
        let group = matched.as_deref().and_then(|matched| group(&method, matched));
        if let Some(group) = group.filter(|group| response.status().is_success() && world.take(group)) {
            response.extensions_mut().insert(Lost);
            note = format!("answer lost on purpose ({group})");
        }
    }
    let id = hex(16);
    set_header(&mut response, "x-gitlab-meta", &format!("{{\"correlation_id\":\"{id}\",\"version\":\"1\"}}"));
    set_header(&mut response, "x-request-id", &id);
    set_header(&mut response, "x-runtime", &format!("{:.6}", begun.elapsed().as_secs_f64()));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    world.journal.add(Line {
        remote: "gitlab",
        what: format!("{method} {path}"),
        account: caller.map_or("", |account| account.username).to_owned(),
        status: if response.extensions().get::<Lost>().is_some() { 0 } else { response.status().as_u16() },
        duration_ms: begun.elapsed().as_millis() as u64,
        note,
        ..Line::default()
    });
    response
}

fn refused(world: &World) -> Option<(Response, &'static str)> {
    if world.take("gitlab.burst_5xx") {
        let body = ([(header::CONTENT_TYPE, "text/html")], "<html><body><h1>502 Bad Gateway</h1></body></html>\n");
        return Some(((StatusCode::BAD_GATEWAY, body).into_response(), "502 on purpose"));
    }
    if world.take("gitlab.throttle") {
        let headers = [(header::CONTENT_TYPE, "text/plain"), (header::RETRY_AFTER, "1")];
        let mut response = (StatusCode::TOO_MANY_REQUESTS, headers, "Retry later\n").into_response();
        set_header(&mut response, "ratelimit-name", "throttle_authenticated_api");
        set_header(&mut response, "ratelimit-remaining", "0");
        return Some((response, "429 on purpose"));
    }
    None
}

/// The switch that loses the answers of a group of calls.
fn group(method: &Method, matched: &str) -> Option<&'static str> {
    let tail = matched.rsplit_once("{id}").map_or(matched, |(_, tail)| tail);
    match (method.as_str(), tail) {
        ("POST", "/repository/branches") => Some("gitlab.drop.branch"),
        ("POST", "/repository/commits") | (_, "/repository/files/{path}") => Some("gitlab.drop.commit"),
        ("POST", "/merge_requests") => Some("gitlab.drop.mr"),
        ("PUT", "/merge_requests/{iid}") => Some("gitlab.drop.update"),
        ("POST", "/merge_requests/{iid}/approve") => Some("gitlab.drop.approve"),
        ("PUT", "/merge_requests/{iid}/rebase") => Some("gitlab.drop.rebase"),
        ("PUT", "/merge_requests/{iid}/merge") => Some("gitlab.drop.merge"),
        _ => None,
    }
}
