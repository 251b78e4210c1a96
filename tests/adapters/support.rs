//! A server that does what a test says, byte by byte, and a journal that remembers.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::{Value, json};
use signalbox_engine::{
    adapters::gitlab::GitLabForge,
    ports::{
        journal::{CallEnd, CallId, CallIntent, IntentRefused, Journal, Scope},
        secrets::{SecretError, Secrets},
    },
    settings::{ApproveApi, GitLab, Settings},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

pub const BOT_TOKEN: &str = "glpat-bot-0123456789";

/// One request as the server saw it.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub connection: usize,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// What the server does with a request.
#[derive(Clone)]
pub enum Act {
    Answer(Answer),
    /// Closes the connection after the whole request was read.
    Close,
    /// Says nothing.
    Hang,
    /// Sends so many bytes of the body and closes.
    Cut(Answer, usize),
    /// Sends these bytes and closes.
    Raw(String),
    /// Answers and closes the kept connection a moment later, without having said so.
    ThenClose(Answer),
}

#[derive(Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

pub fn json_answer(status: u16, body: Value) -> Act {
    Act::Answer(answer(status, "application/json", body.to_string()))
}

pub fn answer(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Answer {
    let headers = vec![("Content-Type".into(), kind.into()), ("X-Request-Id".into(), "01REQUEST".into())];
    Answer { status, headers, body: body.into() }
}

pub fn page(status: u16) -> Act {
    let html = "<!DOCTYPE html><html><head><title>Oops</title></head><body>secret page text</body></html>";
    Act::Answer(answer(status, "text/html; charset=utf-8", html))
}

impl Answer {
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

impl Act {
    pub fn with(self, name: &str, value: &str) -> Self {
        match self {
            Self::Answer(a) => Self::Answer(a.with(name, value)),
            other => other,
        }
    }
}

/// A server on the loopback interface.
pub struct Stub {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Stub {
    /// Answers the n-th request with the n-th act, and says 500 afterwards.
    pub async fn script(acts: impl IntoIterator<Item = Act>) -> Self {
        let queue = Mutex::new(acts.into_iter().collect::<VecDeque<_>>());
        Self::routes(move |_| {
            let next = queue.lock().unwrap().pop_front();
            next.unwrap_or_else(|| json_answer(500, json!({"message": "the script has ended"})))
        })
        .await
    }

    pub async fn routes(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let act = Arc::new(act);
        let connections = AtomicUsize::new(0);
        tokio::spawn({
            let seen = seen.clone();
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let n = connections.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(serve(stream, n, seen.clone(), act.clone()));
                }
            }
        });
        Self { url, seen }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Methods and targets, in order.
    pub fn calls(&self) -> Vec<String> {
        self.seen().iter().map(|s| format!("{} {}", s.method, s.target)).collect()
    }

    pub fn counter(&self) -> Arc<Mutex<Vec<Seen>>> {
        self.seen.clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    connection: usize,
    seen: Arc<Mutex<Vec<Seen>>>,
    act: Arc<impl Fn(&Seen) -> Act + Send + Sync + 'static>,
) {
    let mut buffer = Vec::new();
    while let Some(request) = read_request(&mut stream, &mut buffer, connection).await {
        let act = act(&request);
        seen.lock().unwrap().push(request);
        match act {
            Act::Answer(answer) => write(&mut stream, &answer, answer.body.len()).await,
            Act::Cut(answer, keep) => {
                write(&mut stream, &answer, keep).await;
                return;
            }
            Act::ThenClose(answer) => {
                write(&mut stream, &answer, answer.body.len()).await;
                return;
            }
            Act::Raw(text) => {
                let _ = stream.write_all(text.as_bytes()).await;
                let _ = stream.flush().await;
                return;
            }
            Act::Close => return,
            Act::Hang => tokio::time::sleep(Duration::from_secs(60)).await,
        }
    }
}

async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>, connection: usize) -> Option<Seen> {
    let end = loop {
        if let Some(at) = buffer.windows(4).position(|w| w == b"\r\n\r\n") {
            break at + 4;
        }
        let mut part = [0; 8192];
        match stream.read(&mut part).await {
            Ok(n) if n > 0 => buffer.extend_from_slice(&part[..n]),
            _ => return None,
        }
    };
    let head = String::from_utf8(buffer[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: usize = length.map_or(0, |(_, value)| value.parse().unwrap());
    while buffer.len() < end + length {
        let mut part = [0; 8192];
        match stream.read(&mut part).await {
            Ok(n) if n > 0 => buffer.extend_from_slice(&part[..n]),
            _ => return None,
        }
    }
    let body = String::from_utf8(buffer[end..end + length].to_vec()).unwrap();
    buffer.drain(..end + length);
    Some(Seen { method, target, headers, body, connection })
}

async fn write(stream: &mut TcpStream, answer: &Answer, keep: usize) {
    let mut head = format!("HTTP/1.1 {} Status\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if !matches!(answer.status, 204 | 304) {
        head.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(&answer.body[..keep.min(answer.body.len())]);
    let _ = stream.write_all(&bytes).await;
    let _ = stream.flush().await;
}

/// One row of the journal.
#[derive(Clone, Debug)]
pub struct Row {
    pub intent: CallIntent,
    pub end: Option<CallEnd>,
    /// How many requests the server had seen when the intent was stored.
    pub sent_before: usize,
}

impl Row {
    pub fn class(&self) -> Option<&'static str> {
        self.end.as_ref()?.error.as_ref().map(|(class, _)| class.word())
    }
    pub fn status(&self) -> Option<u16> {
        self.end.as_ref()?.status
    }
}

/// A journal in memory.
#[derive(Default)]
pub struct Recorder {
    rows: Mutex<Vec<Row>>,
    watched: Mutex<Option<Arc<Mutex<Vec<Seen>>>>>,
    refusal: Mutex<Option<IntentRefused>>,
}

impl Recorder {
    pub fn rows(&self) -> Vec<Row> {
        self.rows.lock().unwrap().clone()
    }
    pub fn watch(&self, stub: &Stub) {
        *self.watched.lock().unwrap() = Some(stub.counter());
    }
    pub fn refuse(&self, how: IntentRefused) {
        *self.refusal.lock().unwrap() = Some(how);
    }
}

#[async_trait]
impl Journal for Recorder {
    async fn intend(&self, intent: &CallIntent) -> Result<CallId, IntentRefused> {
        // Something slow on the way to the disk must not let the call leave early.
        tokio::time::sleep(Duration::from_millis(20)).await;
        if let Some(refusal) = self.refusal.lock().unwrap().clone() {
            return Err(refusal);
        }
        let sent_before = self.watched.lock().unwrap().as_ref().map_or(0, |seen| seen.lock().unwrap().len());
        let mut rows = self.rows.lock().unwrap();
        rows.push(Row { intent: intent.clone(), end: None, sent_before });
        Ok(rows.len() as CallId - 1)
    }
    async fn settle(&self, id: CallId, end: &CallEnd) {
        self.rows.lock().unwrap()[usize::try_from(id).unwrap()].end = Some(end.clone());
    }
    async fn note(&self, intent: &CallIntent, end: &CallEnd) {
        self.rows.lock().unwrap().push(Row { intent: intent.clone(), end: Some(end.clone()), sent_before: 0 });
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

/// A forge, its journal and a scope for it.
pub struct Bench {
    pub forge: GitLabForge,
    pub journal: Arc<Recorder>,
    pub scope: Scope,
}

pub fn settings(url: &str) -> Settings {
    let text = format!(
        r#"
        [gitlab]
        url = "{url}"
        bot_token = "{BOT_TOKEN}"
        reviewer_tokens = ["glpat-rev-a-000001", "glpat-rev-b-000002"]
        timeout = "2s"
        [approval]
        url = "{url}"
        token = "desk-token-77"
        callback_secret = "whsec_c2VjcmV0"
        timeout = "2s"
        [deploy]
        callback_secret = "whsec_c2VjcmV0"
        "#
    );
    Settings::parse("signalbox.toml".as_ref(), &text).unwrap()
}

pub fn bench(stub: &Stub) -> Bench {
    let bench = bench_with(settings(&stub.url).gitlab, Arc::new(Literal), ApproveApi::Classic);
    bench.journal.watch(stub);
    bench
}

pub fn bench_with(gitlab: GitLab, secrets: Arc<dyn Secrets>, api: ApproveApi) -> Bench {
    let journal = Arc::new(Recorder::default());
    let scope = Scope::new(journal.clone());
    let forge = GitLabForge::new(&gitlab, secrets, Arc::new(move || api)).unwrap();
    Bench { forge, journal, scope }
}

pub fn fixture(name: &str) -> Value {
    serde_json::from_str(&fixture_text(name)).unwrap()
}

pub fn fixture_text(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/fixtures/gitlab/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A merge request as the server shows it, with some fields replaced.
pub fn merge_request(changes: Value) -> Value {
    let mut mr = fixture("mr_get_opened_mergeable.json");
    for (name, value) in changes.as_object().unwrap() {
        mr[name] = value.clone();
    }
    mr
}

pub fn commit(sha: &str, parent: &str) -> Value {
    json!({"id": sha, "parent_ids": [parent], "message": format!("commit {sha}"), "title": "t"})
}
