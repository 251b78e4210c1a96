//! The practice remotes in a directory of their own: a place for the suite, and what a test does there by hand.

use std::{path::PathBuf, time::Duration};

use reqwest::Method;
use serde_json::{Value, json};
use signalbox_sandbox::{Options, Pace, Sandbox, start};

use crate::place::{Address, Place};

pub const CONFIG: &str = "platform/config";
pub const NETWORK: &str = "platform/network";

pub struct Practice {
    pub sandbox: Sandbox,
    client: reqwest::Client,
    dir: tempfile::TempDir,
}

/// Delays of milliseconds where a real GitLab needs seconds.
fn brisk() -> Options {
    let short = Duration::from_millis(40);
    Options {
        pipeline_seconds: 0.2,
        deploy_seconds: 0.05,
        pace: Pace {
            prepare: short,
            check: short,
            pipeline_appears: short,
            rebase: short,
            approvals_sync: short,
            callback_retry: Duration::from_millis(100),
            reorder_hold: short,
        },
        ..Options::default()
    }
}

impl Practice {
    pub async fn begin() -> Self {
        Self::with(brisk()).await
    }

    /// With tickets that are approved at once by the desk itself.
    pub async fn approving() -> Self {
        Self::with(Options { auto_approve: Some(Duration::from_millis(50)), ..brisk() }).await
    }

    async fn with(options: Options) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let sandbox = start(dir.path(), options).await.unwrap();
        Self { sandbox, client: reqwest::Client::builder().no_proxy().build().unwrap(), dir }
    }

    /// A project of these remotes; `url` is theirs, or that of something before them.
    pub fn place(&self, project: &str, url: &str, timeout: &'static str) -> Place {
        let address = Address {
            url: url.to_owned(),
            project: project.to_owned(),
            bot: self.sandbox.bot_token.clone(),
            reviewers: self.sandbox.reviewer_tokens.clone(),
            timeout,
        };
        Place::at(&address, "suite", Duration::from_secs(20))
    }

    async fn control(&self, method: Method, path: &str, body: Value) -> Value {
        let url = format!("{}/control{path}", self.sandbox.panel_url);
        let answer = self.client.request(method, url).json(&body).send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    pub async fn switch(&self, key: &str, value: impl Into<Value>) {
        self.control(Method::PATCH, "/switches", json!({ key: value.into() })).await;
    }

    /// How often something happened, in the words of the sandbox's own counters.
    pub async fn happened(&self, what: &str) -> u64 {
        self.control(Method::GET, "/state", Value::Null).await["counters"][what].as_u64().unwrap_or(0)
    }

    pub async fn tickets(&self) -> Vec<Value> {
        self.control(Method::GET, "/state", Value::Null).await["tickets"].as_array().unwrap().clone()
    }

    /// Somebody decides about a ticket: `approve`, `reject`, `withdraw`.
    pub async fn decide(&self, ticket: &str, word: &str) {
        let body = json!({"actor": "mei", "reason": "looked at it"});
        self.control(Method::POST, &format!("/tickets/{ticket}/{word}"), body).await;
    }

    /// Hanna does something to a merge request, such as `move-target`.
    pub async fn by_hand(&self, project: u64, iid: u64, act: &str) {
        self.control(Method::POST, &format!("/merge-requests/{project}/{iid}/{act}"), Value::Null).await;
    }

    /// What git itself says about a project.
    pub async fn git(&self, project: &str, args: &[&str]) -> String {
        let repo: PathBuf = self.dir.path().join("sandbox/repos").join(format!("{project}.git"));
        let output = tokio::process::Command::new("git").arg("--git-dir").arg(repo).args(args).output().await.unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}
