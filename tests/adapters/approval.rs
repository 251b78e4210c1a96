//! The approval system of contract section 6.

use std::sync::Arc;

use serde_json::{Value, json};
use signalbox_engine::{
    adapters::approval_http::HttpApprovalDesk,
    ports::{
        approval::{ApprovalDesk as _, Cancelled, NewTicket, TicketState},
        error::ErrorClass,
        journal::Scope,
    },
};

use crate::support::{Act, Literal, Recorder, Stub, answer, json_answer, page, settings};

struct Desk {
    desk: HttpApprovalDesk,
    journal: Arc<Recorder>,
    scope: Scope,
}

fn desk(stub: &Stub) -> Desk {
    let journal = Arc::new(Recorder::default());
    journal.watch(stub);
    let desk = HttpApprovalDesk::new(&settings(&stub.url).approval, Arc::new(Literal)).unwrap();
    Desk { desk, scope: Scope::new(journal.clone()), journal }
}

fn new_ticket() -> NewTicket {
    NewTicket {
        request_id: "req-1".into(),
        operation_id: "op-1".into(),
        kind: "service-quota".into(),
        title: "Quota".into(),
        summary: "10 to 12".into(),
        fields: json!({"limit": 12}),
        requested_by: "alice".into(),
        callback_url: "http://127.0.0.1:1/callbacks/approval".into(),
        ext: json!({"mrId": "7"}),
    }
}

fn view(id: &str, state: &str) -> Value {
    json!({"approval_id": id, "request_id": "req-1", "state": state, "decided_by": null, "reason": null, "ext": {}})
}

#[tokio::test]
async fn a_ticket_is_made_under_its_request_id() {
    let made = json!({"approval_id": "AP-1", "state": "pending", "url": "http://desk/AP-1"});
    let stub = Stub::script([json_answer(201, made)]).await;
    let d = desk(&stub);
    let ticket = d.desk.create(&d.scope, &new_ticket()).await.unwrap();
    assert_eq!((ticket.id.as_str(), ticket.request_id.as_deref()), ("AP-1", Some("req-1")));
    assert_eq!((ticket.state, ticket.url.as_deref()), (TicketState::Pending, Some("http://desk/AP-1")));
    let seen = &stub.seen()[0];
    assert_eq!(stub.calls(), ["POST /approvals"]);
    assert_eq!(seen.header("authorization"), Some("Bearer desk-token-77"));
    assert_eq!(seen.header("idempotency-key"), Some("\"req-1\""));
    assert_eq!(seen.json(), json!(new_ticket()));
    let row = &d.journal.rows()[0];
    assert_eq!(
        (row.intent.remote, row.intent.detail.as_deref(), row.sent_before),
        ("approval", Some("request req-1"), 0)
    );
}

#[tokio::test]
async fn ids_keep_every_digit() {
    for (wire, id) in [
        ("\"AP-1\"", "AP-1"),
        ("812345678901234567", "812345678901234567"),
        ("9007199254740993", "9007199254740993"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("\"81234567890123456789\"", "81234567890123456789"),
    ] {
        let body = format!(r#"{{"approval_id": {wire}, "request_id": {wire}, "state": "pending"}}"#);
        let stub =
            Stub::script([Act::Answer(answer(200, "application/json", body)), json_answer(404, json!({}))]).await;
        let d = desk(&stub);
        let ticket = d.desk.by_request(&d.scope, "req/1").await.unwrap().unwrap();
        assert_eq!((ticket.id.as_str(), ticket.request_id.as_deref()), (id, Some(id)));
        d.desk.ticket(&d.scope, &ticket.id).await.unwrap();
        assert_eq!(stub.calls(), ["GET /approvals/by-request/req%2F1".into(), format!("GET /approvals/{id}")]);
    }
}

#[tokio::test]
async fn an_answer_without_id_or_state_is_in_doubt() {
    for body in [
        json!({"state": "pending"}),
        json!({"approval_id": "AP-1"}),
        json!({"approval_id": "", "state": "pending"}),
        json!({"approval_id": null, "state": "pending"}),
        json!({"approval_id": 1.5, "state": "pending"}),
        json!({"approval_id": "AP-1", "state": ""}),
        json!([]),
        json!({}),
    ] {
        let stub = Stub::script([json_answer(201, body.clone()), json_answer(200, body.clone())]).await;
        let d = desk(&stub);
        assert_eq!(d.desk.create(&d.scope, &new_ticket()).await.unwrap_err().class, ErrorClass::Ambiguous, "{body}");
        assert_eq!(d.desk.ticket(&d.scope, "AP-1").await.unwrap_err().class, ErrorClass::Retryable, "{body}");
    }
}

#[tokio::test]
async fn every_state_is_read_and_an_unknown_one_is_kept_raw() {
    for (word, state) in [
        ("approved", TicketState::Approved),
        ("rejected", TicketState::Rejected),
        ("withdrawn", TicketState::Withdrawn),
        ("escalated", TicketState::Other("escalated".into())),
        ("APPROVED", TicketState::Other("APPROVED".into())),
    ] {
        let mut body = view("AP-1", word);
        body["decided_by"] = json!("boss");
        body["reason"] = json!("容量不足");
        body["ext"] = json!({"mrId": "7"});
        let stub = Stub::script([json_answer(200, body)]).await;
        let d = desk(&stub);
        let ticket = d.desk.ticket(&d.scope, "AP-1").await.unwrap().unwrap();
        assert_eq!(ticket.state, state);
        assert_eq!((ticket.decided_by.as_deref(), ticket.reason.as_deref()), (Some("boss"), Some("容量不足")));
        assert_eq!(ticket.ext["mrId"], "7");
    }
}

#[tokio::test]
async fn a_ticket_is_taken_back_or_was_decided() {
    let decided = json!({"message": "decided already", "state": "approved"});
    let stub = Stub::script([json_answer(200, view("AP-1", "withdrawn")), json_answer(409, decided), page(409)]).await;
    let d = desk(&stub);
    assert_eq!(d.desk.cancel(&d.scope, "AP-1", "closed").await.unwrap(), Cancelled::Done);
    assert_eq!(d.desk.cancel(&d.scope, "AP-1", "closed").await.unwrap(), Cancelled::DecidedAlready);
    assert_eq!(d.desk.cancel(&d.scope, "AP-1", "closed").await.unwrap_err().class, ErrorClass::Ambiguous);
    assert_eq!(stub.calls()[0], "POST /approvals/AP-1/cancel");
    assert_eq!(stub.seen()[0].json(), json!({"reason": "closed"}));
    assert_eq!(d.journal.rows()[1].class(), None, "decided already is an answer");
}

#[tokio::test]
async fn a_probe_shows_whether_we_are_let_in() {
    let stub = Stub::script([
        json_answer(404, json!({"message": "no such request"})),
        Act::Answer(answer(404, "text/plain", "")),
        json_answer(401, json!({"message": "unauthorized"})),
        page(404),
    ])
    .await;
    let d = desk(&stub);
    d.desk.probe(&d.scope).await.unwrap();
    d.desk.probe(&Scope::unrecorded()).await.unwrap();
    let error = d.desk.probe(&d.scope).await.unwrap_err();
    assert_eq!(error.class, ErrorClass::Auth);
    assert!(error.message.contains("`approval.token`") && !error.message.contains("desk-token-77"), "{error}");
    assert_eq!(d.desk.probe(&d.scope).await.unwrap_err().class, ErrorClass::Retryable);
}

#[tokio::test]
async fn a_lost_answer_to_a_ticket_is_in_doubt_and_sent_once() {
    let stub = Stub::script([Act::Close]).await;
    let d = desk(&stub);
    let error = d.desk.create(&d.scope, &new_ticket()).await.unwrap_err();
    assert_eq!((error.class, error.remote), (ErrorClass::Ambiguous, "approval"));
    assert_eq!(stub.seen().len(), 1);
}
