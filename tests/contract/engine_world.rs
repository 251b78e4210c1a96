//! An engine with its own store between practice remotes that answer through faulty proxies, and a listener for callbacks.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use axum::{Router, body::Bytes, extract::Path, http::HeaderMap, http::StatusCode, routing::post};
use secrecy::SecretString;
use serde_json::{Value, json};
use signalbox_engine::{
    adapters::{approval_http::HttpApprovalDesk, gitlab::GitLabForge},
    api::Request,
    documents::kinds::Catalogue,
    engine::{Engine, Parts},
    ports::{chance::SystemChance, clock::SystemClock, secrets::Secrets},
    settings::{ApproveApi, Settings},
    words::Lang,
};
use tokio::net::TcpListener;

use crate::{faulty::ByName, place::Literal, practice::Practice, proxy::Proxy};

/// The limit of one call.
const TIMEOUT: &str = "900ms";
/// Longer than that.
pub const LATE: Duration = Duration::from_millis(1400);
/// No request needs longer than this, whatever it meets.
const PATIENCE: Duration = Duration::from_secs(60);

/// A change kind for one request, so that each has a name, a file and, where wanted, a target branch of its own.
pub struct Asking {
    pub name: String,
    pub project: &'static str,
    pub target_branch: String,
}

pub struct World {
    pub practice: Practice,
    pub engine: Engine,
    pub rules: Arc<ByName>,
    _store: tempfile::TempDir,
}

impl World {
    /// Opens an engine with a kind for each request. `order` is the order of the flow.
    pub async fn open(practice: Practice, order: &str, asking: &[Asking]) -> Self {
        let rules = Arc::new(ByName::default());
        let gitlab = Proxy::before(&practice.sandbox.gitlab_url, rules.clone(), LATE).await;
        let desk = Proxy::before(&practice.sandbox.desk_url, rules.clone(), LATE).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let callback_base = format!("http://{}", listener.local_addr().unwrap());
        let settings = settings(&practice, &gitlab.url, &desk.url, order);
        let secrets: Arc<dyn Secrets> = Arc::new(Literal);
        let texts: Vec<_> = asking.iter().map(|asking| (format!("{}.yaml", asking.name), kind(asking))).collect();
        let store = tempfile::tempdir().unwrap();
        let parts = Parts {
            forge: Arc::new(
                GitLabForge::new(&settings.gitlab, secrets.clone(), Arc::new(|| ApproveApi::Classic)).unwrap(),
            ),
            desk: Arc::new(HttpApprovalDesk::new(&settings.approval, secrets).unwrap()),
            settings: Arc::new(ArcSwap::from_pointee(settings)),
            catalogue: Catalogue::from_texts(&texts).unwrap(),
            clock: Arc::new(SystemClock),
            chance: Arc::new(SystemChance),
            callback_base,
            approval_secret: SecretString::from(practice.sandbox.approval_secret.clone()),
            deploy_secret: SecretString::from(practice.sandbox.deploy_secret.clone()),
            gitlab_secret: None,
            sandbox: None,
        };
        let engine = Engine::open(store.path(), parts).await.unwrap();
        tokio::spawn(take_callbacks(listener, engine.clone()));
        Self { practice, engine, rules, _store: store }
    }

    pub async fn call(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: BTreeMap::new(),
            person: "alice".to_owned(),
            lang: Lang::En,
            body,
        };
        let reply = self.engine.call(request).await;
        (reply.status, serde_json::from_str(&reply.body).unwrap_or(Value::Null))
    }

    /// Submits the request of this name; returns its operation id.
    pub async fn submit(&self, name: &str) -> String {
        let body = json!({"kind": name, "fields": {"text": format!("written for {name}")}});
        let (status, answer) = self.call("POST", "/api/v1/changes", Some(body)).await;
        assert_eq!(status, 202, "{name}: {answer}");
        answer["operation_id"].as_str().unwrap().to_owned()
    }

    pub async fn read(&self, operation: &str) -> Value {
        let (status, answer) = self.call("GET", &format!("/api/v1/operations/{operation}"), None).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Presses a button as somebody does who sees it refused as stale: reads again and presses again.
    pub async fn press(&self, operation: &str, action: &str) {
        for _ in 0..20 {
            let version = self.read(operation).await["version"].clone();
            let path = format!("/api/v1/operations/{operation}/actions/{action}");
            let (status, answer) = self.call("POST", &path, Some(json!({"expected_version": version}))).await;
            if status == 202 {
                return;
            }
            assert_eq!(status, 409, "{action}: {answer}");
        }
        panic!("{action} of {operation} was stale every time");
    }

    /// Reads until the request is what is wanted; a request that stops elsewhere is told with its history.
    pub async fn until(&self, operation: &str, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = std::time::Instant::now();
        loop {
            let now = self.read(operation).await;
            if wanted(&now) {
                return now;
            }
            let stopped = matches!(now["outlook"].as_str(), Some("failed" | "unknown" | "done"));
            if stopped || begun.elapsed() > PATIENCE {
                let (_, history) = self.call("GET", &format!("/api/v1/operations/{operation}/history"), None).await;
                let (_, calls) = self.call("GET", &format!("/api/v1/operations/{operation}/calls"), None).await;
                panic!("{what} was not reached: {now:#}\n{history:#}\n{calls:#}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn until_status(&self, operation: &str, status: &str) -> Value {
        self.until(operation, status, |now| now["status"] == status).await
    }
}

fn settings(practice: &Practice, gitlab: &str, desk: &str, order: &str) -> Settings {
    let sandbox = &practice.sandbox;
    let [first, second] = &sandbox.reviewer_tokens;
    let text = format!(
        r#"
        [engine]
        workers = 8
        [flow]
        order = "{order}"
        [gitlab]
        url = "{gitlab}"
        bot_token = "{}"
        reviewer_tokens = ["{first}", "{second}"]
        timeout = "{TIMEOUT}"
        [gitlab.approve]
        backoff = "100ms"
        [gitlab.wait]
        short = "100ms"
        short_count = 100
        long = "200ms"
        max_looks = 300
        [approval]
        url = "{desk}"
        token = "{}"
        callback_secret = "{}"
        timeout = "{TIMEOUT}"
        poll = "200ms"
        backoff = "100ms"
        [deploy]
        callback_secret = "{}"
        sweep = "0s"
        "#,
        sandbox.bot_token, sandbox.desk_token, sandbox.approval_secret, sandbox.deploy_secret
    );
    Settings::parse("signalbox.toml".as_ref(), &text).unwrap()
}

fn kind(asking: &Asking) -> String {
    let Asking { name, project, target_branch } = asking;
    format!(
        r#"
kind: {name}
title: {{ en: Contract, zh-CN: 契约 }}
workflow: merge-request
schema:
  type: object
  additionalProperties: false
  required: [text]
  properties: {{ text: {{ type: string }} }}
subject: "{name}"
target: "contract"
repeatable: true
project: {project}
target_branch: "{target_branch}"
branch: "signalbox/{{{{ operation_id }}}}"
title_template: "{name}"
files:
  - path: "contract/{name}.txt"
    template: |
      {{{{ fields.text }}}}
checks: required
"#
    )
}

async fn take_callbacks(listener: TcpListener, engine: Engine) {
    let take = async move |Path(source): Path<String>, headers: HeaderMap, raw: Bytes| {
        let text = |value: &axum::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
        let reply = engine.callback(&source, &headers, &raw).await;
        (StatusCode::from_u16(reply.status).unwrap(), reply.body)
    };
    axum::serve(listener, Router::new().route("/callbacks/{source}", post(take))).await.unwrap();
}
