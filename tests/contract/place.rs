//! A forge that the suite runs on, and what every behaviour needs of it. Nothing here knows which forge it is.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::{Value, json};
use signalbox_engine::{
    adapters::gitlab::GitLabForge,
    ports::{
        forge::{FileWrite, Forge, MergeRequest, MrState, NewCommit, NewMergeRequest, Readiness},
        journal::{CallEnd, CallId, CallIntent, IntentRefused, Journal, Scope},
        secrets::{SecretError, Secrets},
    },
    settings::{ApproveApi, Settings},
};

/// Where a forge is, and who calls it.
pub struct Address {
    pub url: String,
    pub project: String,
    pub bot: String,
    pub reviewers: [String; 2],
    /// The limit of one call, as the settings write it.
    pub timeout: &'static str,
}

/// One project of one forge. Everything that a behaviour makes there begins with `prefix`.
pub struct Place {
    pub forge: Arc<dyn Forge>,
    pub scope: Scope,
    pub project: String,
    pub prefix: String,
    pub raw: Raw,
    /// How long the forge may take until something that it does later shows.
    patience: Duration,
    opened: Mutex<Vec<u64>>,
}

/// A merge request with the branches below it.
pub struct Opened {
    pub iid: u64,
    pub head: String,
    pub source: String,
    pub target: String,
}

impl Place {
    pub fn at(address: &Address, prefix: &str, patience: Duration) -> Self {
        let settings = settings(address).gitlab;
        let forge = GitLabForge::new(&settings, Arc::new(Literal), Arc::new(|| ApproveApi::Classic)).unwrap();
        Self {
            forge: Arc::new(forge),
            scope: Scope::new(Arc::new(Quiet)),
            project: address.project.clone(),
            prefix: prefix.to_owned(),
            raw: Raw::new(address),
            patience,
            opened: Mutex::default(),
        }
    }

    /// A branch name that nobody else has.
    pub fn branch(&self, name: &str) -> String {
        format!("{}/{name}", self.prefix)
    }

    /// The head of the project's default branch.
    pub async fn start(&self) -> String {
        let project = self.forge.project(&self.scope, &self.project).await.unwrap().unwrap();
        self.head(&project.default_branch.unwrap()).await
    }

    pub async fn head(&self, branch: &str) -> String {
        self.forge.branch(&self.scope, &self.project, branch).await.unwrap().unwrap().sha
    }

    /// Makes a branch with one commit on it; returns its head.
    pub async fn commit(&self, branch: &str, start: &str, files: Vec<FileWrite>) -> String {
        let new = self.new_commit(branch, start, files);
        self.forge.commit_files(&self.scope, &self.project, &new).await.unwrap().sha
    }

    /// Makes one more commit on a branch; returns its head.
    pub async fn commit_onto(&self, branch: &str, files: Vec<FileWrite>) -> String {
        let new = self.new_commit(branch, &self.head(branch).await, files);
        self.forge.commit_onto(&self.scope, &self.project, &new).await.unwrap().sha
    }

    pub fn new_commit(&self, branch: &str, start: &str, files: Vec<FileWrite>) -> NewCommit {
        let message = format!("Contract suite: {branch}\n\nSignalbox-Operation: {branch}");
        NewCommit { branch: branch.to_owned(), start_sha: start.to_owned(), message, files }
    }

    pub fn new_merge_request(&self, source: &str, target: &str) -> NewMergeRequest {
        NewMergeRequest {
            source_branch: source.to_owned(),
            target_branch: target.to_owned(),
            title: format!("Contract suite: {source}"),
            description: format!("Made by a test.\n\nSignalbox-Operation: {source}"),
        }
    }

    /// A target branch of the behaviour's own, with `quota.txt` on it; returns its name and head.
    pub async fn target(&self, name: &str) -> (String, String) {
        let target = self.branch(&format!("{name}/target"));
        let file = create(&format!("contract/{}/quota.txt", self.prefix), "cpu 10\nmemory 20\n");
        let head = self.commit(&target, &self.start().await, vec![file]).await;
        (target, head)
    }

    /// The file that `target` makes.
    pub fn quota(&self) -> String {
        format!("contract/{}/quota.txt", self.prefix)
    }

    /// A merge request that changes one line of `quota.txt`, into a target branch of its own.
    pub async fn open(&self, name: &str) -> Opened {
        let (target, start) = self.target(name).await;
        let source = self.branch(&format!("{name}/change"));
        let head = self.commit(&source, &start, vec![update(&self.quota(), "cpu 12\nmemory 20\n")]).await;
        let iid = self.open_from(&source, &target).await;
        Opened { iid, head, source, target }
    }

    pub async fn open_from(&self, source: &str, target: &str) -> u64 {
        let new = self.new_merge_request(source, target);
        let iid = self.forge.open_merge_request(&self.scope, &self.project, &new).await.unwrap().iid;
        self.opened.lock().unwrap().push(iid);
        iid
    }

    pub async fn read(&self, iid: u64) -> MergeRequest {
        self.forge.merge_request_behind(&self.scope, &self.project, iid).await.unwrap().unwrap()
    }

    /// Reads until the merge request is what is wanted.
    pub async fn until(&self, iid: u64, what: &str, wanted: impl Fn(&MergeRequest) -> bool) -> MergeRequest {
        let begun = std::time::Instant::now();
        loop {
            let mr = self.read(iid).await;
            if wanted(&mr) {
                return mr;
            }
            assert!(begun.elapsed() < self.patience, "!{iid} was never {what}: {mr:?}");
            tokio::time::sleep(self.patience / 400).await;
        }
    }

    pub async fn approve_by_both(&self, iid: u64, sha: &str) {
        for reviewer in 0..2 {
            self.forge.approve(&self.scope, &self.project, iid, sha, reviewer).await.unwrap();
        }
    }

    /// Brings a merge request to where it may be merged.
    pub async fn make_mergeable(&self, iid: u64) -> String {
        let mr = self.until(iid, "prepared", |mr| mr.head_sha.is_some() && mr.readiness_word != "preparing").await;
        let head = mr.head_sha.unwrap();
        self.approve_by_both(iid, &head).await;
        self.until(iid, "mergeable", |mr| mr.readiness == Readiness::Mergeable).await;
        head
    }

    /// Closes and removes everything that was made here.
    pub async fn clean_up(&self) {
        let opened = std::mem::take(&mut *self.opened.lock().unwrap());
        for iid in opened {
            let open = self.forge.merge_request(&self.scope, &self.project, iid).await;
            if open.is_ok_and(|mr| mr.is_some_and(|mr| mr.state == MrState::Opened)) {
                let _ = self.forge.close(&self.scope, &self.project, iid).await;
            }
        }
        self.raw.delete_branches(&self.prefix).await;
    }
}

pub fn create(path: &str, text: &str) -> FileWrite {
    FileWrite::Create { path: path.to_owned(), content: text.as_bytes().to_vec() }
}

pub fn update(path: &str, text: &str) -> FileWrite {
    FileWrite::Update { path: path.to_owned(), content: text.as_bytes().to_vec(), last_commit_id: None }
}

fn settings(address: &Address) -> Settings {
    let Address { url, bot, reviewers: [first, second], timeout, .. } = address;
    let text = format!(
        r#"
        [gitlab]
        url = "{url}"
        bot_token = "{bot}"
        reviewer_tokens = ["{first}", "{second}"]
        timeout = "{timeout}"
        [approval]
        url = "{url}"
        token = "none"
        callback_secret = "whsec_c2VjcmV0"
        [deploy]
        callback_secret = "whsec_c2VjcmV0"
        "#
    );
    Settings::parse("signalbox.toml".as_ref(), &text).unwrap()
}

/// What the port cannot ask for: the suite's own preparations and its cleaning.
pub struct Raw {
    client: reqwest::Client,
    base: String,
    token: String,
}

impl Raw {
    fn new(address: &Address) -> Self {
        // An error only says that a provider is there already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let project = address.project.replace('/', "%2F");
        let base = format!("{}/api/v4/projects/{project}", address.url.trim_end_matches('/'));
        Self { client: reqwest::Client::builder().build().unwrap(), base, token: address.bot.clone() }
    }

    pub async fn send(&self, method: reqwest::Method, path: &str, body: Value) -> (u16, Value) {
        let request = self.client.request(method, format!("{}{path}", self.base));
        let request = request.header("PRIVATE-TOKEN", &self.token);
        let request = if body.is_null() { request } else { request.json(&body) };
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or(Value::Null))
    }

    /// The first page of a list.
    pub async fn list(&self, path: &str) -> Vec<Value> {
        let (status, found) = self.send(reqwest::Method::GET, path, Value::Null).await;
        assert_eq!(status, 200, "{path}: {found}");
        found.as_array().unwrap().clone()
    }

    /// Asks that the commits of a merge request become one when it is merged.
    pub async fn squash(&self, iid: u64) {
        let path = format!("/merge_requests/{iid}");
        let (status, mr) = self.send(reqwest::Method::PUT, &path, json!({"squash": true})).await;
        assert_eq!((status, &mr["squash"]), (200, &json!(true)), "{mr}");
    }

    async fn delete_branches(&self, prefix: &str) {
        let found = self.list(&format!("/repository/branches?per_page=100&search=^{prefix}/")).await;
        for branch in found.iter().filter_map(|branch| branch["name"].as_str()) {
            let name = percent_encoding::utf8_percent_encode(branch, percent_encoding::NON_ALPHANUMERIC);
            let path = format!("/repository/branches/{name}");
            let (status, answer) = self.send(reqwest::Method::DELETE, &path, Value::Null).await;
            assert_eq!(status, 204, "{branch} is still there: {answer}");
        }
    }
}

/// Secrets that are what the settings say.
pub struct Literal;

#[async_trait]
impl Secrets for Literal {
    async fn read(&self, _: &str, place: &str) -> Result<SecretString, SecretError> {
        Ok(SecretString::from(place.to_owned()))
    }
    fn forget(&self, _: &str) {}
}

/// A journal that lets every write pass.
pub struct Quiet;

#[async_trait]
impl Journal for Quiet {
    async fn intend(&self, _: &CallIntent) -> Result<CallId, IntentRefused> {
        Ok(0)
    }
    async fn settle(&self, _: CallId, _: &CallEnd) {}
    async fn note(&self, _: &CallIntent, _: &CallEnd) {}
}
