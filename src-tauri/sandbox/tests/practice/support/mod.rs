//! A sandbox in a directory of its own, the calls that a change needs, and a listener for callbacks.

mod receiver;

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use signalbox_sandbox::{Options, Pace, Sandbox, start};

pub(crate) use receiver::Receiver;

pub(crate) const CONFIG: &str = "31";
pub(crate) const NETWORK: &str = "32";
pub(crate) const BILLING: &str = "quotas/billing.yaml";

/// As brisk, but a rebase and the look through the approvals leave time to be watched.
pub(crate) fn unhurried() -> Options {
    let mut options = brisk();
    options.pace.rebase = Duration::from_secs(1);
    options.pace.approvals_sync = Duration::from_secs(2);
    options
}

/// Delays of milliseconds where a real GitLab needs seconds.
pub(crate) fn brisk() -> Options {
    let short = Duration::from_millis(40);
    Options {
        pipeline_seconds: 0.2,
        deploy_seconds: 0.05,
        pace: Pace {
            prepare: Duration::from_millis(150),
            check: short,
            pipeline_appears: short,
            rebase: short,
            approvals_sync: Duration::from_millis(400),
            callback_retry: Duration::from_millis(60),
            reorder_hold: Duration::from_secs(5),
        },
        ..Options::default()
    }
}

pub(crate) struct Practice {
    pub(crate) sandbox: Sandbox,
    pub(crate) client: Client,
    pub(crate) dir: tempfile::TempDir,
}

/// An answer: status, headers that matter, body.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
    pub(crate) text: String,
}

impl Reply {
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.body
    }
}

impl Practice {
    pub(crate) async fn begin() -> Self {
        Self::with(brisk()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let sandbox = start(dir.path(), options).await.unwrap();
        Self { sandbox, client: Client::builder().no_proxy().build().unwrap(), dir }
    }

    pub(crate) async fn restart(self) -> Self {
        self.sandbox.stop().await;
        let sandbox = start(self.dir.path(), brisk()).await.unwrap();
        Self { sandbox, ..self }
    }

    pub(crate) async fn send(
        &self,
        token: &str,
        method: Method,
        url: &str,
        body: Option<&Value>,
    ) -> reqwest::Result<Reply> {
        let mut request = self.client.request(method, url).header("PRIVATE-TOKEN", token).bearer_auth(token);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await?;
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Ok(Reply { status, headers, body, text })
    }

    fn api(&self, path: &str) -> String {
        format!("{}/api/v4{path}", self.sandbox.gitlab_url)
    }

    /// A call of the robot to a path below a project.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(&self.sandbox.bot_token, Method::GET, &self.api(path), None).await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(&self.sandbox.bot_token, Method::POST, &self.api(path), Some(&body)).await.unwrap()
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Reply {
        self.send(&self.sandbox.bot_token, Method::PUT, &self.api(path), Some(&body)).await.unwrap()
    }

    pub(crate) async fn try_post(&self, path: &str, body: Value) -> reqwest::Result<Reply> {
        self.send(&self.sandbox.bot_token, Method::POST, &self.api(path), Some(&body)).await
    }

    pub(crate) async fn try_put(&self, path: &str, body: Value) -> reqwest::Result<Reply> {
        self.send(&self.sandbox.bot_token, Method::PUT, &self.api(path), Some(&body)).await
    }

    pub(crate) async fn post_as(&self, token: &str, path: &str, body: Value) -> Reply {
        self.send(token, Method::POST, &self.api(path), Some(&body)).await.unwrap()
    }

    /// A call to the approval desk.
    pub(crate) async fn desk(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let url = format!("{}{path}", self.sandbox.desk_url);
        self.send(&self.sandbox.desk_token, method, &url, body).await.unwrap()
    }

    /// A call to the control API that must be taken.
    #[track_caller]
    pub(crate) fn control<'a>(
        &'a self,
        method: Method,
        path: &'a str,
        body: Value,
    ) -> impl Future<Output = Value> + 'a {
        let at = std::panic::Location::caller();
        async move {
            let url = format!("{}/control{path}", self.sandbox.panel_url);
            let reply = self.send("", method, &url, Some(&body)).await.unwrap();
            assert_eq!(reply.status, 200, "{path} at {at}: {}", reply.text);
            reply.body
        }
    }

    pub(crate) async fn switch(&self, key: &str, value: impl Into<Value>) {
        self.control(Method::PATCH, "/switches", json!({ key: value.into() })).await;
    }

    /// How often a switch or an act had an effect.
    pub(crate) async fn happened(&self, what: &str) -> u64 {
        let state = self.control(Method::GET, "/state", Value::Null).await;
        state["counters"][what].as_u64().unwrap_or(0)
    }

    pub(crate) async fn by_hand(&self, project: &str, iid: u64, act: &str) {
        self.control(Method::POST, &format!("/merge-requests/{project}/{iid}/{act}"), Value::Null).await;
    }

    // ---- a change, step by step

    pub(crate) async fn file(&self, project: &str, path: &str, reference: &str) -> String {
        let path = path.replace('/', "%2F");
        let url = self.api(&format!("/projects/{project}/repository/files/{path}/raw?ref={reference}"));
        let response = self.client.get(url).header("PRIVATE-TOKEN", &self.sandbox.bot_token).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        String::from_utf8(response.bytes().await.unwrap().to_vec()).unwrap()
    }

    /// Commits one edited file to a new branch from main. Returns the commit id.
    pub(crate) async fn commit(&self, project: &str, branch: &str, path: &str, from: &str, to: &str) -> String {
        let text = self.file(project, path, "main").await;
        assert!(text.contains(from), "{path} has no {from:?}");
        let action = json!({ "action": "update", "file_path": path, "content": text.replacen(from, to, 1) });
        let body =
            json!({ "branch": branch, "start_branch": "main", "commit_message": "A change", "actions": [action] });
        let made = self.post(&format!("/projects/{project}/repository/commits"), body).await.expect(201);
        made["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn open(&self, project: &str, branch: &str) -> u64 {
        let body = json!({ "source_branch": branch, "target_branch": "main", "title": "A change", "description": "" });
        let made = self.post(&format!("/projects/{project}/merge_requests"), body).await.expect(201);
        made["iid"].as_u64().unwrap()
    }

    /// A merge request that changes billing's cores in eu-west.
    pub(crate) async fn open_quota(&self, branch: &str) -> u64 {
        self.commit(CONFIG, branch, BILLING, "cpu: 10 ", "cpu: 12 ").await;
        self.open(CONFIG, branch).await
    }

    pub(crate) async fn merge_request(&self, project: &str, iid: u64) -> Value {
        self.get(&format!("/projects/{project}/merge_requests/{iid}?include_rebase_in_progress=true")).await.expect(200)
    }

    /// Looks until the merge request shows what is wanted.
    #[track_caller]
    pub(crate) fn until<'a>(
        &'a self,
        project: &'a str,
        iid: u64,
        what: &'a str,
        wanted: impl Fn(&Value) -> bool + 'a,
    ) -> impl Future<Output = Value> + 'a {
        let at = std::panic::Location::caller();
        async move {
            for _ in 0..300 {
                let mr = self.merge_request(project, iid).await;
                if wanted(&mr) {
                    return mr;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            panic!("never {what} at {at}: {}", self.merge_request(project, iid).await);
        }
    }

    #[track_caller]
    pub(crate) fn until_status<'a>(
        &'a self,
        project: &'a str,
        iid: u64,
        word: &'a str,
    ) -> impl Future<Output = Value> + 'a {
        self.until(project, iid, word, move |mr| mr["detailed_merge_status"] == word)
    }

    pub(crate) async fn approve(&self, project: &str, iid: u64) {
        for token in &self.sandbox.reviewer_tokens {
            self.post_as(token, &format!("/projects/{project}/merge_requests/{iid}/approve"), json!({}))
                .await
                .expect(201);
        }
    }

    /// Brings a merge request to the point where it can be merged; returns its head.
    pub(crate) async fn make_mergeable(&self, project: &str, iid: u64) -> String {
        self.approve(project, iid).await;
        let mr = self.until_status(project, iid, "mergeable").await;
        mr["sha"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn merge(&self, project: &str, iid: u64, sha: &str) -> Reply {
        self.put(&format!("/projects/{project}/merge_requests/{iid}/merge"), json!({ "sha": sha })).await
    }

    pub(crate) async fn head(&self, project: &str, branch: &str) -> String {
        let branch = branch.replace('/', "%2F");
        let found = self.get(&format!("/projects/{project}/repository/branches/{branch}")).await.expect(200);
        found["commit"]["id"].as_str().unwrap().to_owned()
    }

    // ---- tickets

    /// Opens a ticket that calls back to a receiver.
    pub(crate) async fn ticket(&self, request: &str, operation: &str, receiver: &Receiver) -> String {
        let body = json!({
            "request_id": request, "operation_id": operation, "kind": "service-quota", "title": "Quota billing",
            "summary": "cpu 10 to 12", "fields": { "limit": 12 }, "requested_by": "alice",
            "callback_url": format!("{}/callbacks/approval", receiver.url), "ext": {},
        });
        let made = self.desk(Method::POST, "/approvals", Some(&body)).await.expect(201);
        made["approval_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn decide(&self, ticket: &str, word: &str) {
        self.control(
            Method::POST,
            &format!("/tickets/{ticket}/{word}"),
            json!({ "actor": "mei", "reason": "because" }),
        )
        .await;
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }
}
