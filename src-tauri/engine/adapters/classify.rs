//! What an answer means for the next try: one table from (read or write, answer) to an error class.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;

use super::{
    http::{Answer, Broken},
    limiter::pause_asked,
    texts,
};
use crate::ports::{error::ErrorClass, journal::Effect};

/// Routes whose refusals mean something of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// Nothing special.
    Plain,
    /// A commit, with or without a new branch.
    Commit,
    /// A new merge request.
    OpenMergeRequest,
    /// An approval: GitLab answers a plain 401 to "approved already" and to "may not approve".
    Approve,
    /// A merge: GitLab answers a plain 401 to "may not merge here".
    Merge,
    /// A rebase: every 409 is a lock.
    Rebase,
    /// A new ticket.
    Ticket,
}

/// What was asked, as far as the meaning of the answer depends on it.
pub(crate) struct Question<'a> {
    pub(crate) effect: Effect,
    pub(crate) route: Route,
    /// Statuses besides 2xx that are an answer to this call.
    pub(crate) accepts: &'a [u16],
    /// The credential and where it is kept, such as "`gitlab.bot_token` (env:SIGNALBOX_BOT)".
    pub(crate) credential: &'a str,
    /// What to do about a bad credential, as a sentence.
    pub(crate) cure: &'a str,
}

/// What an answer is.
pub(crate) enum Verdict {
    /// An answer to the question; its body is still to be read.
    Usable,
    /// The resource is elsewhere; only a read may go there.
    Redirected(String),
    /// A refusal or a stumble.
    Fault(Fault),
}

/// A call that did not give the answer we need.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) class: ErrorClass,
    pub(crate) message: String,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Option<Value>,
}

impl Fault {
    pub(crate) fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), retry_after: None, body: None }
    }
}

/// The class of an outcome that tells nothing: a read may be repeated, a write may have had its effect.
pub(crate) fn unknown(effect: Effect) -> ErrorClass {
    match effect {
        Effect::Read => ErrorClass::Retryable,
        Effect::Write => ErrorClass::Ambiguous,
    }
}

/// The meaning of a call without a complete answer.
pub(crate) fn broken(effect: Effect, how: &Broken) -> Fault {
    match how {
        Broken::NotSent(why) => Fault::new(ErrorClass::NotSent, why.clone()),
        Broken::Lost { why, .. } => Fault::new(unknown(effect), why.clone()),
        Broken::TooLarge { .. } => {
            // Reading it again gives the same; a write has been answered, only not readably.
            let class = if effect == Effect::Read { ErrorClass::Terminal } else { ErrorClass::Ambiguous };
            Fault::new(class, "the answer is larger than 32 MiB and was not read")
        }
    }
}

/// The meaning of a complete answer.
pub(crate) fn judge(question: &Question<'_>, answer: &Answer) -> Verdict {
    let status = answer.status;
    let body: Option<Value> =
        if (200..300).contains(&status) { None } else { serde_json::from_slice(&answer.body).ok() };
    if (200..300).contains(&status) || (question.accepts.contains(&status) && !is_unknown_route(status, body.as_ref()))
    {
        return Verdict::Usable;
    }
    if (300..400).contains(&status) && status != 304 {
        return redirected(question, answer);
    }
    let mut fault = refused(question, answer, body.as_ref());
    fault.body = body;
    Verdict::Fault(fault)
}

/// GitLab's router says `error` where a resource that is not there says `message`: the address is wrong, nothing is gone.
fn is_unknown_route(status: u16, body: Option<&Value>) -> bool {
    status == 404 && body.is_some_and(|b| b.get("message").is_none() && b["error"] == "404 Not Found")
}

fn redirected(question: &Question<'_>, answer: &Answer) -> Verdict {
    let permanent = matches!(answer.status, 301 | 308);
    let followed = permanent || matches!(answer.status, 302 | 307);
    match answer.header("location") {
        Some(place) if question.effect == Effect::Read && followed => Verdict::Redirected(place.to_owned()),
        place => Verdict::Fault(not_followed(question.effect, answer.status, place)),
    }
}

/// A redirect that is not followed: of a write, to another host, or one too many.
pub(crate) fn not_followed(effect: Effect, status: u16, place: Option<&str>) -> Fault {
    // A moved address stays moved. Another redirect is often a login page in between, and a 303 may even confirm a write.
    let class = if matches!(status, 301 | 308) { ErrorClass::Terminal } else { unknown(effect) };
    let place = place.map_or("nowhere", |p| p.split(['?', '#']).next().unwrap_or(p));
    let rule = match effect {
        Effect::Read => "it was not followed, because it leaves this server or leads on and on",
        Effect::Write => "a write is never redirected",
    };
    Fault::new(class, format!("redirected to {}; {rule}", texts::clean(place)))
}

fn refused(question: &Question<'_>, answer: &Answer, body: Option<&Value>) -> Fault {
    let status = answer.status;
    let text = text_of(answer, body);
    let pause = pause_asked(&answer.headers);
    match status {
        429 => Fault { retry_after: pause, ..Fault::new(ErrorClass::Throttled, text) },
        503 if question.effect == Effect::Read && answer.headers.contains_key("retry-after") => {
            Fault { retry_after: pause, ..Fault::new(ErrorClass::Throttled, text) }
        }
        408 | 500.. => {
            let retry_after = if answer.headers.contains_key("retry-after") { pause } else { None };
            Fault { retry_after, ..Fault::new(unknown(question.effect), text) }
        }
        413 | 414 | 431 => Fault::new(ErrorClass::Terminal, text),
        // A page did not come from the API: whatever it says, it proves nothing about tokens, rights or resources.
        _ if answer.is_page() => Fault::new(unknown(question.effect), text),
        304 => Fault::new(ErrorClass::AlreadyExists, "already in that state"),
        401 => unauthorized(question, body, &text),
        403 if body.is_some_and(|b| b["error"] == "insufficient_scope") => narrow(question, body, &text),
        404 if is_unknown_route(status, body) => {
            Fault::new(ErrorClass::Terminal, "this route is not known there; check the address in the settings")
        }
        _ => Fault::new(specific(question.route, status, body, &text).unwrap_or(ErrorClass::Terminal), text),
    }
}

/// Refusals that say more than "no". Texts are looked at only where the status alone does not tell, and GitLab does not
/// translate these; a text that is not recognized falls back to the plain meaning of its status.
fn specific(route: Route, status: u16, body: Option<&Value>, text: &str) -> Option<ErrorClass> {
    let message = body.and_then(|b| b.get("message"));
    match (route, status) {
        (Route::Rebase, 409) => Some(ErrorClass::Retryable),
        (_, 409) if text.contains("Resource lock") => Some(ErrorClass::Retryable),
        (Route::OpenMergeRequest | Route::Ticket, 409) => Some(ErrorClass::AlreadyExists),
        (Route::Commit, 400) if text.contains("A branch called") || text.contains("Branch already exists") => {
            Some(ErrorClass::AlreadyExists)
        }
        // A branch that was made a moment ago is not visible everywhere yet (field guide, quirks 5 and 6).
        (Route::Commit, 400) if text.contains("when you are on a branch") => Some(ErrorClass::Retryable),
        (Route::OpenMergeRequest, 400) if message.is_some_and(|m| m.get("source_branch").is_some()) => {
            Some(ErrorClass::Retryable)
        }
        _ => None,
    }
}

fn unauthorized(question: &Question<'_>, body: Option<&Value>, text: &str) -> Fault {
    let invalid = body.is_some_and(|b| b["error"] == "invalid_token");
    if !invalid && matches!(question.route, Route::Approve | Route::Merge) {
        return Fault::new(ErrorClass::Terminal, text);
    }
    let lower = text.to_lowercase();
    let state = match () {
        () if lower.contains("expired") => "has expired",
        () if lower.contains("revoked") => "was revoked",
        () if invalid => "is no longer valid",
        () => "is not known there",
    };
    let text = text.trim_end_matches('.');
    let message = format!("the token of {} {state} ({text}). {}", question.credential, question.cure);
    Fault::new(ErrorClass::Auth, message)
}

fn narrow(question: &Question<'_>, body: Option<&Value>, text: &str) -> Fault {
    let scope = match body.map(|b| &b["scope"]) {
        Some(Value::String(scope)) => scope.clone(),
        Some(Value::Array(scopes)) => scopes.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "api".into(),
    };
    let text = text.trim_end_matches('.');
    let message = format!("the token of {} lacks the scope `{scope}` ({text}). {}", question.credential, question.cure);
    Fault::new(ErrorClass::Auth, message)
}

/// The server's own words; a page is named, never shown.
fn text_of(answer: &Answer, body: Option<&Value>) -> String {
    if let Some(text) = body.and_then(texts::said) {
        return text;
    }
    if answer.is_page() {
        return format!("a web page instead of data ({})", phrase(answer.status));
    }
    let plain = texts::clean(&String::from_utf8_lossy(&answer.body));
    if plain.is_empty() || body.is_some() { phrase(answer.status) } else { plain }
}

fn phrase(status: u16) -> String {
    let known = StatusCode::from_u16(status).ok().and_then(|code| code.canonical_reason());
    known.map_or_else(|| format!("status {status}"), str::to_owned)
}
