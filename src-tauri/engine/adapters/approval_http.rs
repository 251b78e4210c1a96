//! An approval system behind the HTTP contract of section 6.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::{Value, json, value::RawValue};

use super::{
    ask::{Ask, Credential, TokenHeader},
    classify::Route,
    http::{Answer, Transport, UnusableRemote},
    path::segment,
    remote::Remote,
};
use crate::{
    ports::{
        approval::{ApprovalDesk, Cancelled, NewTicket, Ticket, TicketState},
        error::RemoteResult,
        journal::Scope,
        secrets::Secrets,
    },
    settings,
};

/// No ticket is ever made under this request id, so asking for it shows only whether we are let in.
const NOBODY: &str = "signalbox-probe";

/// The approval system over HTTP.
pub struct HttpApprovalDesk {
    remote: Remote,
    credential: Credential,
}

impl HttpApprovalDesk {
    /// Prepares the connections; nothing is sent yet.
    pub fn new(settings: &settings::Approval, secrets: Arc<dyn Secrets>) -> Result<Self, UnusableRemote> {
        let transport = Transport::new("approval.url", &settings.url, settings.timeout.get())?;
        let credential =
            Credential { account: "bot".into(), key: "approval.token".into(), place: settings.token.clone() };
        Ok(Self { remote: Remote::new("approval", TokenHeader::Bearer, transport, secrets), credential })
    }

    async fn find(&self, scope: &Scope, path: String) -> RemoteResult<Option<Ticket>> {
        let ask = Ask::get(&self.credential, path).accepting(&[404]);
        self.remote.call(scope, &ask, found).await
    }
}

#[async_trait]
impl ApprovalDesk for HttpApprovalDesk {
    async fn create(&self, scope: &Scope, new: &NewTicket) -> RemoteResult<Ticket> {
        let mut ask = Ask::write(&self.credential, "POST", "/approvals".into(), json!(new))
            .on(Route::Ticket)
            .detail(format!("request {}", new.request_id));
        // A string of a structured header field is written in quotes.
        ask.header = Some(("idempotency-key", format!("\"{}\"", new.request_id)));
        let ticket = self.remote.call(scope, &ask, ticket).await?;
        Ok(Ticket { request_id: ticket.request_id.or_else(|| Some(new.request_id.clone())), ..ticket })
    }

    async fn ticket(&self, scope: &Scope, id: &str) -> RemoteResult<Option<Ticket>> {
        self.find(scope, format!("/approvals/{}", segment(id))).await
    }

    async fn by_request(&self, scope: &Scope, request_id: &str) -> RemoteResult<Option<Ticket>> {
        self.find(scope, format!("/approvals/by-request/{}", segment(request_id))).await
    }

    async fn cancel(&self, scope: &Scope, id: &str, reason: &str) -> RemoteResult<Cancelled> {
        let path = format!("/approvals/{}/cancel", segment(id));
        let ask = Ask::write(&self.credential, "POST", path, json!({"reason": reason}))
            .detail(format!("ticket {id}"))
            .accepting(&[409]);
        let read = |answer: &Answer| match answer.status {
            409 if answer.is_page() => Err("answered with a web page instead of data".to_owned()),
            409 => Ok(Cancelled::DecidedAlready),
            _ => ticket(answer).map(|_| Cancelled::Done),
        };
        self.remote.call(scope, &ask, read).await
    }

    async fn probe(&self, scope: &Scope) -> RemoteResult<()> {
        self.by_request(scope, NOBODY).await.map(|_| ())
    }
}

#[derive(Deserialize)]
struct WireTicket {
    #[serde(deserialize_with = "id")]
    approval_id: String,
    #[serde(default, deserialize_with = "optional_id")]
    request_id: Option<String>,
    state: String,
    url: Option<String>,
    #[serde(default)]
    decided_by: Value,
    #[serde(default)]
    reason: Value,
    #[serde(default)]
    ext: Value,
}

fn ticket(answer: &Answer) -> Result<Ticket, String> {
    let wire: WireTicket = answer.json()?;
    if wire.approval_id.is_empty() || wire.state.is_empty() {
        return Err("answered with a ticket that has no id or no state".into());
    }
    Ok(Ticket {
        id: wire.approval_id,
        request_id: wire.request_id.filter(|id| !id.is_empty()),
        state: TicketState::from_word(&wire.state),
        url: wire.url.filter(|url| !url.is_empty()),
        decided_by: words(wire.decided_by),
        reason: words(wire.reason),
        ext: wire.ext,
    })
}

fn found(answer: &Answer) -> Result<Option<Ticket>, String> {
    match answer.status {
        // The contract does not say what a 404 looks like; a page is none of the system's own answers.
        404 if answer.is_page() => Err("answered with a web page instead of data".into()),
        404 => Ok(None),
        _ => ticket(answer).map(Some),
    }
}

fn words(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text).filter(|text| !text.trim().is_empty()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

/// An id as text. A number keeps the digits it was written with, however many they are.
fn id<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let raw = Box::<RawValue>::deserialize(from)?;
    digits_or_text(raw.get()).ok_or_else(|| D::Error::custom("an id must be a text or a whole number"))
}

fn optional_id<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let raw = Option::<Box<RawValue>>::deserialize(from)?;
    Ok(raw.and_then(|raw| digits_or_text(raw.get())))
}

fn digits_or_text(raw: &str) -> Option<String> {
    if raw.starts_with('"') {
        return serde_json::from_str(raw).ok();
    }
    (!raw.is_empty() && raw.bytes().all(|b| b.is_ascii_digit())).then(|| raw.to_owned())
}
