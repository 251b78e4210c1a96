//! The practice remotes behind the window, brisk and told what to do through their own control API.

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;
use crate::http;
use crate::page::Page;

/// How long a request may take from a press to its end.
const WHOLE_WAY: Duration = Duration::from_secs(60);

/// The control API of the remotes that this page works on.
pub(crate) struct Remotes {
    panel: String,
}

impl Remotes {
    /// Finds them as a person does, through the status of the engine, and makes them brisk.
    pub(crate) fn behind(page: &Page) -> Self {
        let status = page.call("GET", "/api/v1/status", &Value::Null);
        let panel = status["sandbox"]["panel_url"].as_str().unwrap_or_else(|| panic!("no sandbox in {status}"));
        let remotes = Self { panel: panel.to_owned() };
        remotes.set(&json!({"pace.pipeline": 1500, "pace.deploy": 500}));
        remotes
    }

    /// Sets switches of the panel.
    pub(crate) fn set(&self, switches: &Value) {
        self.ask("PATCH", "/control/switches", switches);
    }

    /// From now on the desk decides by itself.
    pub(crate) fn approve_everything(&self) {
        self.set(&json!({"desk.auto": true, "desk.auto_after": 200}));
    }

    /// Waits until a ticket for the operation lies at the desk, and approves it as a person there.
    pub(crate) fn approve(&self, page: &Page, operation: &str) {
        let ticket = page.until("see the ticket at the desk", WHOLE_WAY, || {
            let state = self.ask("GET", "/control/state", &Value::Null);
            let tickets = state["tickets"].as_array()?;
            let ticket = tickets.iter().find(|ticket| ticket["operation_id"] == operation)?;
            ticket["approval_id"].as_str().map(str::to_owned)
        });
        self.ask("POST", &format!("/control/tickets/{ticket}/approve"), &json!({"actor": "hanna"}));
    }

    /// Runs every failed pipeline again, as a person does in GitLab.
    pub(crate) fn retry_pipelines(&self) {
        self.ask("POST", "/control/pipelines/failed/retry", &Value::Null);
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = (method != "GET").then_some(body);
        let (status, answer) = http::send(method, &format!("{}{path}", self.panel), body).expect("the panel answers");
        assert!(status < 300, "{method} {path} is answered {status}: {answer}");
        answer
    }
}

/// A page on practice remotes that were just made.
pub(crate) fn practise(app: &App) -> (Page, Remotes) {
    let page = app.open();
    page.press("Start practising");
    page.reads_within("No requests yet", WHOLE_WAY);
    let remotes = Remotes::behind(&page);
    (page, remotes)
}

/// Submits a quota of `service` as the form does, and gives the id of the request.
pub(crate) fn submit_quota(page: &Page, service: &str, limit: u32) -> String {
    let fields = json!({"service": service, "region": "eu-west", "resource": "cpu", "limit": limit});
    let answer = page.call("POST", "/api/v1/changes", &json!({"kind": "service-quota", "fields": fields}));
    answer["operation_id"].as_str().unwrap_or_else(|| panic!("not submitted: {answer}")).to_owned()
}

/// Waits until the request stands at a step, by its code.
pub(crate) fn stands_at(page: &Page, operation: &str, code: u32) {
    let mut last = Value::Null;
    page.until(&format!("see {operation} at {code}"), WHOLE_WAY, || {
        last = page.call("GET", &format!("/api/v1/operations/{operation}"), &Value::Null);
        (last["step"]["code"] == code).then_some(())
    });
}
