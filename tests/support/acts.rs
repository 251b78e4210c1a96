//! What people and senders do: submit, decide, press, call back.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{
    kinds::PROJECT,
    look::{Answer, request},
    world::World,
};

/// A callback, ready to be delivered; delivering it again is a repetition.
#[derive(Debug, Clone)]
pub struct Callback {
    pub source: &'static str,
    pub id: String,
    pub body: Value,
}

/// The fields of most stories.
pub fn fields() -> Value {
    json!({"service": "orders", "zone": "north", "limit": "timeout", "value": 60})
}

impl World {
    /// Submits the usual change; answers its id.
    pub fn submit(&mut self) -> String {
        self.submit_as("limit", fields())
    }

    /// Submits a change of a kind; answers its id.
    #[track_caller]
    pub fn submit_as(&mut self, kind: &str, fields: Value) -> String {
        let answer = self.try_submit(json!({"kind": kind, "fields": fields}));
        assert_eq!(answer.status, 202, "{}", answer.body);
        answer.body["operation_id"].as_str().unwrap().to_owned()
    }

    /// Submits a memo: a change that conflicts with no other.
    pub fn submit_memo(&mut self, name: &str) -> String {
        self.submit_as("memo", json!({"name": name, "text": format!("about {name}")}))
    }

    pub fn try_submit(&mut self, body: Value) -> Answer {
        self.call("POST", "/api/v1/changes", Some(body))
    }

    /// Submits at the same time.
    pub fn submit_together(&mut self, bodies: &[Value]) -> Vec<Answer> {
        let (runtime, engine) = self.running.as_ref().expect("the engine runs");
        let calls =
            bodies.iter().map(|body| engine.call(request("POST", "/api/v1/changes", "ada", Some(body.clone()))));
        runtime.block_on(futures::future::join_all(calls)).into_iter().map(Answer::from).collect()
    }

    /// Presses a button for a person who saw `version`.
    pub fn press(&mut self, id: &str, action: &str, person: &str, version: i64) -> Answer {
        let path = format!("/api/v1/operations/{id}/actions/{action}");
        self.try_call(person, "POST", &path, Some(json!({"expected_version": version}))).expect("the engine lives")
    }

    /// Presses a button on what is there now, and expects it to be taken.
    #[track_caller]
    pub fn press_now(&mut self, id: &str, action: &str) {
        let version = self.version(id);
        let answer = self.press(id, action, "ada", version);
        assert_eq!(answer.status, 202, "{action}: {}", answer.body);
    }

    /// Several presses at the same time, each by a person who saw the same version.
    pub fn press_together(&mut self, id: &str, presses: &[(&str, &str)]) -> Vec<Answer> {
        let version = self.version(id);
        let (runtime, engine) = self.running.as_ref().expect("the engine runs");
        let calls = presses.iter().map(|(action, person)| {
            let path = format!("/api/v1/operations/{id}/actions/{action}");
            engine.call(request("POST", &path, person, Some(json!({"expected_version": version}))))
        });
        runtime.block_on(futures::future::join_all(calls)).into_iter().map(Answer::from).collect()
    }

    /// Somebody decides at the desk, and the desk calls back at once.
    pub fn decide(&mut self, id: &str, word: &str) {
        self.desk.decide(id, word, "mira", Some("as agreed"));
        let callback = self.approval_callback(id, word);
        let answer = self.deliver(&callback);
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    /// The people say yes.
    pub fn approve(&mut self, id: &str) {
        self.decide(id, "approved");
    }

    /// A callback of the desk with an id of its own.
    pub fn approval_callback(&mut self, id: &str, word: &str) -> Callback {
        let ticket = self.desk.of(id);
        let ext = ticket.as_ref().map_or_else(|| json!({}), |ticket| ticket.ext.clone());
        let data = json!({
            "request_id": id, "approval_id": ticket.map(|ticket| ticket.id), "operation_id": id, "decision": word,
            "actor": "mira", "reason": "as agreed", "ext": ext,
        });
        self.callback("approval", "approval.changed", data)
    }

    /// A callback of the deploy pipeline about the merge request of a request.
    pub fn deploy_callback(&mut self, id: &str, status: &str) -> Callback {
        let iid = self.iid(id);
        let data = json!({"project": PROJECT, "mr_iid": iid, "status": status, "reason": "as it went"});
        self.callback("deploy", "deploy.finished", data)
    }

    /// Any callback.
    pub fn callback(&mut self, source: &'static str, kind: &str, data: Value) -> Callback {
        self.deliveries += 1;
        let body = json!({"type": kind, "timestamp": self.clock.millis(), "data": data});
        Callback { source, id: format!("d-{}", self.deliveries), body }
    }

    /// A hook of GitLab about a merge request.
    pub fn hook(&mut self, iid: u64) -> Answer {
        self.deliveries += 1;
        let body = json!({"object_kind": "pipeline", "project": {"id": 7}, "merge_request": {"iid": iid}});
        let headers = vec![
            ("X-Gitlab-Token".to_owned(), "hook-token".to_owned()),
            ("Idempotency-Key".to_owned(), format!("h-{}", self.deliveries)),
        ];
        self.receive("gitlab", headers, &body)
    }

    /// Delivers a callback, signed now.
    pub fn deliver(&mut self, callback: &Callback) -> Answer {
        let settings = self.settings();
        let secret = if callback.source == "deploy" {
            &settings.deploy.callback_secret
        } else {
            &settings.approval.callback_secret
        };
        let key = STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap();
        let sent = self.clock.millis() / 1000;
        let raw = callback.body.to_string();
        let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let mac = mac.chain_update(format!("{}.{sent}.{raw}", callback.id)).finalize().into_bytes();
        let headers = vec![
            ("webhook-id".to_owned(), callback.id.clone()),
            ("webhook-timestamp".to_owned(), sent.to_string()),
            ("webhook-signature".to_owned(), format!("v1,{}", STANDARD.encode(mac))),
        ];
        self.receive(callback.source, headers, &callback.body)
    }

    /// Delivers a callback after so long.
    pub fn deliver_after(&mut self, time: Duration, callback: Callback) {
        self.after(time, move |world| drop(world.deliver(&callback)));
    }

    /// Delivers copies of one callback at the same time.
    pub fn deliver_copies(&mut self, callback: &Callback, copies: usize) -> Vec<Answer> {
        (0..copies).map(|_| self.deliver(callback)).collect()
    }

    /// Delivers copies of one callback side by side.
    pub fn deliver_together(&mut self, callbacks: &[Callback]) -> Vec<Answer> {
        let raws: Vec<_> = callbacks.iter().map(|callback| callback.body.to_string().into_bytes()).collect();
        let headers: Vec<_> = callbacks
            .iter()
            .zip(&raws)
            .map(|(callback, raw)| self.signed(callback.source, &callback.id, raw))
            .collect();
        let (runtime, engine) = self.running.as_ref().expect("the engine runs");
        let calls = callbacks.iter().zip(&headers).zip(&raws);
        let calls = calls.map(|((callback, headers), raw)| engine.callback(callback.source, headers, raw));
        runtime.block_on(futures::future::join_all(calls)).into_iter().map(Answer::from).collect()
    }

    /// Headers that vouch for these bytes now.
    pub fn signed(&self, source: &str, id: &str, raw: &[u8]) -> Vec<(String, String)> {
        let settings = self.settings();
        let secret =
            if source == "deploy" { &settings.deploy.callback_secret } else { &settings.approval.callback_secret };
        let key = STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap();
        let sent = self.clock.millis() / 1000;
        let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let mac = mac.chain_update(format!("{id}.{sent}.")).chain_update(raw).finalize().into_bytes();
        vec![
            ("webhook-id".to_owned(), id.to_owned()),
            ("webhook-timestamp".to_owned(), sent.to_string()),
            ("webhook-signature".to_owned(), format!("v1,{}", STANDARD.encode(mac))),
        ]
    }

    /// Delivers bytes with headers as they are.
    pub fn deliver_raw(&mut self, source: &str, headers: &[(String, String)], raw: &[u8]) -> Answer {
        let (runtime, engine) = self.running.as_ref().expect("the engine runs");
        runtime.block_on(engine.callback(source, headers, raw)).into()
    }

    /// Delivers any hook of GitLab.
    pub fn gitlab_hook(&mut self, id: &str, body: &Value) -> Answer {
        let headers =
            vec![("X-Gitlab-Token".to_owned(), "hook-token".to_owned()), ("Idempotency-Key".to_owned(), id.to_owned())];
        self.receive("gitlab", headers, body)
    }

    fn receive(&mut self, source: &str, headers: Vec<(String, String)>, body: &Value) -> Answer {
        let (runtime, engine) = self.running.as_ref().expect("the engine runs");
        runtime.block_on(engine.callback(source, &headers, body.to_string().as_bytes())).into()
    }

    /// The deploy pipeline tells of the merge request of a request: `effective` or `failed`.
    pub fn deploy(&mut self, id: &str, status: &str) {
        let callback = self.deploy_callback(id, status);
        let answer = self.deliver(&callback);
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    /// One sweep now, as a person asks for it.
    pub fn reconcile(&mut self) -> Value {
        let answer = self.call("POST", "/api/v1/reconcile", Some(json!({"dry_run": false})));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    /// A whole run to the end: approved, merged, effective.
    pub fn finish(&mut self, id: &str) {
        self.run_until(id, 10402);
        self.approve(id);
        self.run_until_merged(id);
        self.deploy(id, "effective");
        self.run_until(id, 10301);
    }

    /// Goes on until the request is merged, through whatever approval it still waits for.
    pub fn run_until_merged(&mut self, id: &str) {
        let name = id.to_owned();
        self.until(&format!("{id} is merged"), move |world| matches!(world.step(&name), 10109 | 10301 | 10302));
    }
}
