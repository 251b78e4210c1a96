//! The contract of an approval system (contract.md, section 6), kept by the practice desk.

use std::{sync::Arc, time::Duration};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, routing::post};
use chrono::Utc;
use secrecy::SecretString;
use serde_json::{Value, json};
use signalbox_engine::{
    adapters::{approval_http::HttpApprovalDesk, webhook},
    ports::{
        approval::{ApprovalDesk, Cancelled, NewTicket, TicketState},
        journal::Scope,
    },
    settings::Approval,
};
use tokio::{net::TcpListener, sync::mpsc};

use crate::{
    place::{Literal, Quiet},
    practice::Practice,
};

struct Desk {
    practice: Practice,
    desk: HttpApprovalDesk,
    scope: Scope,
}

impl Desk {
    async fn begin() -> Self {
        let practice = Practice::begin().await;
        let settings: Approval = serde_json::from_value(json!({
            "url": practice.sandbox.desk_url, "token": practice.sandbox.desk_token,
            "callback_secret": practice.sandbox.approval_secret, "timeout": "20s",
        }))
        .unwrap();
        let desk = HttpApprovalDesk::new(&settings, Arc::new(Literal)).unwrap();
        Self { practice, desk, scope: Scope::new(Arc::new(Quiet)) }
    }
}

/// A ticket under this request id, called back to `base`.
pub fn new_ticket(request_id: &str, base: &str) -> NewTicket {
    NewTicket {
        request_id: request_id.to_owned(),
        operation_id: request_id.to_owned(),
        kind: "service-quota".into(),
        title: request_id.to_owned(),
        summary: "billing -> eu-west/cpu".into(),
        fields: json!({"limit": 12}),
        requested_by: "alice".into(),
        callback_url: format!("{base}/callbacks/approval"),
        ext: json!({"mrId": "17"}),
    }
}

#[tokio::test]
async fn the_same_request_id_gives_the_same_ticket() {
    let Desk { practice, desk, scope } = Desk::begin().await;
    let new = new_ticket("request-1", "http://127.0.0.1:9");
    let first = desk.create(&scope, &new).await.unwrap();
    let again = desk.create(&scope, &NewTicket { title: "another title".into(), ..new.clone() }).await.unwrap();
    assert_eq!((&first.id, &first.state), (&again.id, &TicketState::Pending));
    assert_eq!(practice.tickets().await.len(), 1);
    let other = desk.create(&scope, &new_ticket("request-2", "http://127.0.0.1:9")).await.unwrap();
    assert_ne!(other.id, first.id);
}

#[tokio::test]
async fn a_ticket_is_found_by_its_id_and_by_its_request() {
    let Desk { practice: _practice, desk, scope } = Desk::begin().await;
    let made = desk.create(&scope, &new_ticket("request/1 #%", "http://127.0.0.1:9")).await.unwrap();
    let by_id = desk.ticket(&scope, &made.id).await.unwrap().unwrap();
    let by_request = desk.by_request(&scope, "request/1 #%").await.unwrap().unwrap();
    assert_eq!(by_id, by_request);
    assert_eq!((&by_id.id, by_id.request_id.as_deref()), (&made.id, Some("request/1 #%")));
    assert_eq!((&by_id.state, &by_id.ext), (&TicketState::Pending, &json!({"mrId": "17"})));
    assert_eq!((&by_id.decided_by, &by_id.reason), (&None, &None));
}

#[tokio::test]
async fn a_request_that_never_arrived_is_none() {
    let Desk { practice: _practice, desk, scope } = Desk::begin().await;
    assert_eq!(desk.by_request(&scope, "nobody").await, Ok(None));
    assert_eq!(desk.ticket(&scope, "AP-999").await, Ok(None));
    assert_eq!(desk.probe(&scope).await, Ok(()));
}

#[tokio::test]
async fn a_pending_ticket_is_cancelled_and_a_decided_one_stays() {
    let Desk { practice, desk, scope } = Desk::begin().await;
    let pending = desk.create(&scope, &new_ticket("request-1", "http://127.0.0.1:9")).await.unwrap();
    assert_eq!(desk.cancel(&scope, &pending.id, "not needed").await, Ok(Cancelled::Done));
    let read = desk.ticket(&scope, &pending.id).await.unwrap().unwrap();
    assert_eq!((read.state, read.reason.as_deref()), (TicketState::Withdrawn, Some("not needed")));
    assert_eq!(desk.cancel(&scope, &pending.id, "again").await, Ok(Cancelled::DecidedAlready));

    let decided = desk.create(&scope, &new_ticket("request-2", "http://127.0.0.1:9")).await.unwrap();
    practice.decide(&decided.id, "approve").await;
    assert_eq!(desk.cancel(&scope, &decided.id, "too late").await, Ok(Cancelled::DecidedAlready));
    let read = desk.ticket(&scope, &decided.id).await.unwrap().unwrap();
    assert_eq!((read.state, read.decided_by.as_deref()), (TicketState::Approved, Some("mei")));
}

type Delivery = (Vec<(String, String)>, Vec<u8>);

/// A listener for callbacks; returns its base URL and what arrives.
async fn listen() -> (String, mpsc::UnboundedReceiver<Delivery>) {
    let (sender, deliveries) = mpsc::unbounded_channel();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let take = async |State(sender): State<mpsc::UnboundedSender<Delivery>>, headers: HeaderMap, raw: Bytes| {
        let header = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
            (name.to_string(), value.to_str().unwrap_or_default().to_owned())
        };
        let _ = sender.send((headers.iter().map(header).collect(), raw.to_vec()));
    };
    let router = Router::new().route("/callbacks/approval", post(take)).with_state(sender);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (base, deliveries)
}

#[tokio::test]
async fn a_decision_is_called_back_with_a_signature_that_fits() {
    let Desk { practice, desk, scope } = Desk::begin().await;
    let (base, mut deliveries) = listen().await;
    for (request, word, decision) in [("r-1", "approve", "approved"), ("r-2", "reject", "rejected")] {
        let ticket = desk.create(&scope, &new_ticket(request, &base)).await.unwrap();
        practice.decide(&ticket.id, word).await;
        let delivery = tokio::time::timeout(Duration::from_secs(20), deliveries.recv()).await;
        let (headers, raw) = delivery.unwrap().unwrap();

        let secret = SecretString::from(practice.sandbox.approval_secret.clone());
        let id = webhook::verify(&secret, &headers, &raw, Utc::now()).unwrap();
        assert!(!id.0.is_empty());
        let changed = [raw.as_slice(), b" "].concat();
        assert!(webhook::verify(&secret, &headers, &changed, Utc::now()).is_err(), "one byte more is another message");
        let other = SecretString::from(practice.sandbox.deploy_secret.clone());
        assert!(webhook::verify(&other, &headers, &raw, Utc::now()).is_err());

        let body: Value = serde_json::from_slice(&raw).unwrap();
        assert_eq!((&body["type"], &body["data"]["decision"]), (&json!("approval.changed"), &json!(decision)));
        assert_eq!(body["data"]["request_id"], request);
        assert_eq!(body["data"]["approval_id"], ticket.id);
        assert_eq!(body["data"]["ext"], json!({"mrId": "17"}));
    }
}
