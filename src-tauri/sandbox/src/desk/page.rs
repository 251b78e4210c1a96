//! The page for the people who decide.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::tickets::{self, Decision, find};
use crate::look::{escape, mark, notice, page, when};
use crate::state::{Ticket, TicketState};
use crate::world::World;

/// A sentence that a redirect carries along.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Told {
    #[serde(default)]
    told: String,
}

/// The list shows so many decided tickets.
const DECIDED: usize = 50;

pub(super) async fn list(State(world): State<Arc<World>>, Query(told): Query<Told>) -> Html<String> {
    let (waiting, decided) = world.read(|state| {
        let (waiting, decided): (Vec<_>, Vec<_>) =
            state.tickets.values().rev().cloned().partition(|ticket| ticket.state == TicketState::Pending);
        (waiting, decided)
    });
    let mut body = notice(Some(&told.told));
    let auto = world.on("desk.auto");
    if auto {
        let after = world.value("desk.auto_after") as f64 / 1000.0;
        let _ = write!(body, "<p class=\"notice\">The desk approves by itself after {after} s.</p>");
    }
    let _ = write!(body, "<h2>Waiting for a decision: {}</h2>", waiting.len());
    body.push_str(&table(&waiting, "Nothing waits."));
    let _ = write!(body, "<h2>Decided: {}</h2>", decided.len());
    body.push_str(&table(&decided[..decided.len().min(DECIDED)], "Nothing has been decided yet."));
    page(&world.urls(), "Approval desk", "Approval desk", &body)
}

fn table(tickets: &[Ticket], empty: &str) -> String {
    if tickets.is_empty() {
        return format!("<div class=\"card\"><p class=\"empty\">{empty}</p></div>");
    }
    let mut rows = String::new();
    for ticket in tickets {
        let id = ticket.approval_id();
        let acts = if ticket.state == TicketState::Pending {
            format!(
                "<form method=\"post\" action=\"/tickets/{id}/decide\"><input type=\"hidden\" name=\"actor\" value=\"hanna\">\
                 <button class=\"main\" name=\"decision\" value=\"approve\">Approve</button></form> \
                 <a href=\"/tickets/{id}\">Reject…</a>"
            )
        } else {
            format!("<small>{}</small>", escape(ticket.decided_by.as_deref().unwrap_or_default()))
        };
        let _ = write!(
            rows,
            "<tr><td><a href=\"/tickets/{id}\">{id}</a></td><td>{}<br><small>{}</small></td><td>{}</td><td>{}</td><td>{}</td>\
             <td class=\"acts\">{acts}</td></tr>",
            escape(&ticket.title),
            escape(&ticket.summary),
            escape(&ticket.requested_by),
            when(ticket.created),
            mark(ticket.state.word()),
        );
    }
    format!(
        "<div class=\"card scroll\"><table><thead><tr><th>Ticket</th><th>Request</th><th>By</th><th>Since</th><th>State</th><th></th></tr>\
         </thead><tbody>{rows}</tbody></table></div>"
    )
}

pub(super) async fn ticket(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    Query(told): Query<Told>,
) -> Response {
    let Some(ticket) = find(&world, &id) else {
        let body = format!("<p>There is no ticket {}.</p>", escape(&id));
        return (StatusCode::NOT_FOUND, page(&world.urls(), "Approval desk", "No such ticket", &body)).into_response();
    };
    let mut body = notice(Some(&told.told));
    let mut facts = String::new();
    let mut fact = |name: &str, value: &str| {
        let _ = write!(facts, "<dt>{name}</dt><dd>{value}</dd>");
    };
    fact("State", &mark(ticket.state.word()));
    fact("Kind", &escape(&ticket.kind));
    fact("Requested by", &escape(&ticket.requested_by));
    fact("Since", &when(ticket.created));
    fact("Operation", &format!("<code>{}</code>", escape(&ticket.operation_id)));
    fact("Request id", &format!("<code>{}</code>", escape(&ticket.request_id)));
    if let Some(iid) = ticket.ext.get("mrId").and_then(|value| value.as_str()) {
        fact("Merge request", &format!("!{}", escape(iid)));
    }
    if let (Some(by), Some(at)) = (&ticket.decided_by, ticket.decided) {
        fact("Decided", &format!("{} by {}", when(at), escape(by)));
    }
    if let Some(reason) = &ticket.reason {
        fact("Reason", &escape(reason));
    }
    let fields = serde_json::to_string_pretty(&ticket.fields).unwrap_or_default();
    let _ = write!(
        body,
        "<p>{}</p><div class=\"card\"><dl>{facts}</dl></div><h2>Fields</h2><pre>{}</pre>",
        escape(&ticket.summary),
        escape(&fields)
    );
    if ticket.state == TicketState::Pending {
        let _ = write!(
            body,
            "<h2>Decide</h2><div class=\"card\"><form method=\"post\" action=\"/tickets/{id}/decide\">\
             <p><label>Deciding as <input name=\"actor\" value=\"hanna\" required maxlength=\"60\"></label></p>\
             <label>Reason <small>needed for a rejection</small>\
             <textarea name=\"reason\" maxlength=\"500\"></textarea></label>\
             <div class=\"acts-line\"><button class=\"main\" name=\"decision\" value=\"approve\">Approve</button>\
             <button class=\"bad\" name=\"decision\" value=\"reject\">Reject</button>\
             <button name=\"decision\" value=\"withdraw\">Withdraw</button></div></form></div>",
            id = ticket.approval_id(),
        );
    }
    let title = if ticket.title.is_empty() {
        ticket.approval_id()
    } else {
        format!("{}: {}", ticket.approval_id(), ticket.title)
    };
    page(&world.urls(), "Approval desk", &title, &body).into_response()
}

#[derive(Debug, Deserialize)]
pub(super) struct Given {
    decision: String,
    #[serde(default)]
    actor: String,
    #[serde(default)]
    reason: String,
}

pub(super) async fn decide(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    Form(given): Form<Given>,
) -> Redirect {
    let actor = if given.actor.trim().is_empty() { "hanna" } else { given.actor.trim() };
    let outcome = match Decision::read(&given.decision) {
        Some(decision) => tickets::decide(&world, &id, decision, actor, &given.reason),
        None => Err("Approve, reject or withdraw.".to_owned()),
    };
    let (place, told) = match outcome {
        Ok(ticket) => ("/".to_owned(), format!("{} is {}.", ticket.approval_id(), ticket.state.word())),
        Err(sentence) => (format!("/tickets/{id}"), sentence),
    };
    Redirect::to(&format!("{place}?told={}", utf8_percent_encode(&told, NON_ALPHANUMERIC)))
}
