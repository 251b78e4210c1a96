//! The approval desk: tickets, decisions, signed callbacks.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::{Practice, Receiver, brisk};

#[tokio::test]
async fn a_decision_is_called_back_signed() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    let id = practice.ticket("req-1", "op-1", &receiver).await;
    practice.decide(&id, "approve").await;
    let callback = receiver.wait(1).await.remove(0);
    assert_eq!(callback.path, "/callbacks/approval");
    assert!(callback.is_signed_with(&practice.sandbox.approval_secret));
    assert!(!callback.is_signed_with(&practice.sandbox.deploy_secret));
    assert_eq!(callback.body["type"], "approval.changed");
    assert_eq!(
        callback.body["data"],
        json!({
            "request_id": "req-1", "approval_id": id, "operation_id": "op-1", "decision": "approved", "actor": "mei",
            "reason": "because", "ext": {},
        })
    );
    let read = practice.desk(Method::GET, &format!("/approvals/{id}"), None).await.expect(200);
    assert_eq!((read["state"].as_str(), read["decided_by"].as_str()), (Some("approved"), Some("mei")));
}

#[tokio::test]
async fn the_same_request_id_gives_the_same_ticket() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    let id = practice.ticket("req-1", "op-1", &receiver).await;
    let body = json!({ "request_id": "req-1", "operation_id": "op-1", "callback_url": receiver.url });
    let again = practice.desk(Method::POST, "/approvals", Some(&body)).await.expect(200);
    assert_eq!(again["approval_id"], id);
    let found = practice.desk(Method::GET, "/approvals/by-request/req-1", None).await.expect(200);
    assert_eq!(found["approval_id"], id);
    practice.desk(Method::GET, "/approvals/by-request/req-2", None).await.expect(404);
    practice.desk(Method::GET, "/approvals/AP-77", None).await.expect(404);
    let url = format!("{}/approvals/{id}", practice.sandbox.desk_url);
    practice.send("wrong", Method::GET, &url, None).await.unwrap().expect(401);
}

#[tokio::test]
async fn a_cancelled_ticket_is_withdrawn_and_a_decided_one_stays() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    let first = practice.ticket("req-1", "op-1", &receiver).await;
    let body = json!({ "reason": "no longer needed" });
    let cancelled = practice.desk(Method::POST, &format!("/approvals/{first}/cancel"), Some(&body)).await.expect(200);
    assert_eq!(
        (cancelled["state"].as_str(), cancelled["reason"].as_str()),
        (Some("withdrawn"), Some("no longer needed"))
    );
    let second = practice.ticket("req-2", "op-2", &receiver).await;
    practice.decide(&second, "reject").await;
    let refused = practice.desk(Method::POST, &format!("/approvals/{second}/cancel"), Some(&body)).await.expect(409);
    assert_eq!(refused["state"], "rejected");
    assert_eq!(receiver.wait(1).await[0].body["data"]["decision"], "rejected");
}

#[tokio::test]
async fn a_callback_is_sent_again_until_it_is_taken() {
    let practice = Practice::begin().await;
    let receiver = Receiver::begin().await;
    receiver.refuse(3);
    let id = practice.ticket("req-1", "op-1", &receiver).await;
    practice.decide(&id, "withdraw").await;
    let taken = receiver.wait(1).await;
    assert_eq!(taken[0].body["data"]["decision"], "withdrawn");
    let log = practice.control(Method::GET, "/log", json!(null)).await;
    let tries = log["items"].as_array().unwrap().iter().filter(|line| line["remote"] == "approval callback").count();
    assert_eq!(tries, 4);
}

#[tokio::test]
async fn the_desk_can_approve_by_itself() {
    let options = signalbox_sandbox::Options { auto_approve: Some(Duration::from_millis(50)), ..brisk() };
    let practice = Practice::with(options).await;
    let receiver = Receiver::begin().await;
    practice.ticket("req-1", "op-1", &receiver).await;
    let callback = receiver.wait(1).await.remove(0);
    assert_eq!(callback.body["data"]["decision"], "approved");
    assert_eq!(callback.body["data"]["actor"], "the desk itself");
}
