//! Section 6 of the contract: what programs call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::tickets::{find, settle};
use crate::clock::now;
use crate::journal::Line;
use crate::secrets::DESK_TOKEN;
use crate::serve::Lost;
use crate::state::{Ticket, TicketState, Work};
use crate::world::World;

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

/// Token, faults and journal around every call.
pub(super) async fn around(State(world): State<Arc<World>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let what = format!("{} {}", request.method(), request.uri().path());
    let writes = request.method() == Method::POST;
    let known = signed_in(&world, request.headers());
    let slow = world.value("desk.slow");
    let mut note = String::new();
    if slow > 0 {
        world.count("desk.slow");
        tokio::time::sleep(Duration::from_millis(slow)).await;
        note = format!("{slow} ms late on purpose");
    }
    let mut response = if !known {
        refuse(StatusCode::UNAUTHORIZED, "The token of the approval desk is missing or wrong.")
    } else if world.take("desk.burst_5xx") {
        "503 on purpose".clone_into(&mut note);
        refuse(StatusCode::SERVICE_UNAVAILABLE, "The desk is closed for a moment.")
    } else {
        next.run(request).await
    };
    if writes {
        world.keeper.settled().await;
        if response.status().is_success() && world.take("desk.drop") {
            response.extensions_mut().insert(Lost);
            "answer lost on purpose".clone_into(&mut note);
        }
    }
    world.journal.add(Line {
        remote: "desk",
        what,
        account: if known { "signalbox".to_owned() } else { String::new() },
        status: if response.extensions().get::<Lost>().is_some() { 0 } else { response.status().as_u16() },
        duration_ms: begun.elapsed().as_millis() as u64,
        note,
        ..Line::default()
    });
    response
}

fn signed_in(world: &World, headers: &HeaderMap) -> bool {
    let given = headers.get("authorization").and_then(|value| value.to_str().ok());
    given.and_then(|value| value.strip_prefix("Bearer ")).is_some_and(|token| token == world.secrets.value(DESK_TOKEN))
}

fn view(ticket: &Ticket) -> Value {
    json!({
        "approval_id": ticket.approval_id(), "request_id": ticket.request_id, "state": ticket.state.word(),
        "decided_by": ticket.decided_by, "reason": ticket.reason, "ext": Value::Object(ticket.ext.clone()),
    })
}

/// The same request id gives the same ticket, whatever else the body says.
pub(super) async fn create(State(world): State<Arc<World>>, body: Bytes) -> Response {
    let Ok(Value::Object(given)) = serde_json::from_slice(&body) else {
        return refuse(StatusCode::BAD_REQUEST, "The body is not a JSON object.");
    };
    let text = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (request_id, operation_id) = (text("request_id"), text("operation_id"));
    if request_id.is_empty() || operation_id.is_empty() {
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, "request_id and operation_id are required.");
    }
    let callback_url = text("callback_url");
    let auto = world.on("desk.auto").then(|| now() + world.value("desk.auto_after") as i64);
    let (ticket, fresh) = world.write(|state| {
        if let Some(ticket) = state.tickets.values().find(|ticket| ticket.request_id == request_id) {
            return (ticket.clone(), false);
        }
        let number = state.tickets.last_key_value().map_or(1, |(last, _)| last + 1);
        let ticket = Ticket {
            number,
            request_id,
            operation_id,
            kind: text("kind"),
            title: text("title"),
            summary: text("summary"),
            fields: given.get("fields").cloned().unwrap_or(Value::Null),
            requested_by: text("requested_by"),
            ext: given.get("ext").and_then(Value::as_object).cloned().unwrap_or_else(Map::new),
            callback_url: callback_url.clone(),
            state: TicketState::Pending,
            decided_by: None,
            reason: None,
            created: now(),
            decided: None,
        };
        state.tickets.insert(number, ticket.clone());
        state.count("tickets opened");
        if let Some(origin) = origin(&callback_url) {
            state.callback_origin = Some(origin);
        }
        if let Some(due) = auto {
            state.schedule(due, Work::ApproveTicket { number });
        }
        (ticket, true)
    });
    world.agenda.notify_one();
    let url = format!("{}/tickets/{}", world.urls().desk, ticket.approval_id());
    let body = json!({ "approval_id": ticket.approval_id(), "state": ticket.state.word(), "url": url });
    (if fresh { StatusCode::CREATED } else { StatusCode::OK }, Json(body)).into_response()
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split('/').next().filter(|host| !host.is_empty())?;
    Some(format!("{scheme}://{host}"))
}

pub(super) async fn get(State(world): State<Arc<World>>, Path(id): Path<String>) -> Response {
    match find(&world, &id) {
        Some(ticket) => Json(view(&ticket)).into_response(),
        None => refuse(StatusCode::NOT_FOUND, "There is no such approval."),
    }
}

pub(super) async fn by_request(State(world): State<Arc<World>>, Path(request): Path<String>) -> Response {
    let found = world.read(|state| state.tickets.values().find(|ticket| ticket.request_id == request).cloned());
    match found {
        Some(ticket) => Json(view(&ticket)).into_response(),
        None => refuse(StatusCode::NOT_FOUND, "This request never arrived."),
    }
}

/// Signalbox takes its request back; it needs no callback to know.
pub(super) async fn cancel(State(world): State<Arc<World>>, Path(id): Path<String>, body: Bytes) -> Response {
    let Some(ticket) = find(&world, &id) else { return refuse(StatusCode::NOT_FOUND, "There is no such approval.") };
    let given: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let reason = given["reason"].as_str().map(str::to_owned);
    match settle(&world, ticket.number, TicketState::Withdrawn, "signalbox", reason) {
        Ok(ticket) => Json(view(&ticket)).into_response(),
        Err(message) => {
            let state = find(&world, &id).map_or("unknown", |ticket| ticket.state.word());
            (StatusCode::CONFLICT, Json(json!({ "message": message, "state": state }))).into_response()
        }
    }
}
