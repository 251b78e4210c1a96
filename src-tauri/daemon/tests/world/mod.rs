//! A listener over an engine that only remembers what it was asked, and a caller that sends bytes exactly as written.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its part")]

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use serde_json::{Value, json};
use signalbox_engine::{
    api::{Reply, Request},
    store::{StoreResult, outbox::Change},
    words::Lang,
};
use signalboxd::{
    http::{Front, Hosts, Page, Tokens, router},
    port::EnginePort,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::broadcast,
};
use tokio_util::sync::CancellationToken;

pub const TOKEN: &str = "token-of-the-start";
pub const ALICE: &str = "token-of-alice";

/// Answers every call by saying what it was.
pub struct Echo {
    changes: broadcast::Sender<Change>,
    stored: Mutex<Vec<Change>>,
    /// What is committed while a page is read.
    pub during_read: Mutex<Vec<Change>>,
}

impl Echo {
    pub fn new(room: usize) -> Arc<Self> {
        let changes = broadcast::channel(room).0;
        Arc::new(Self { changes, stored: Mutex::default(), during_read: Mutex::default() })
    }

    /// Commits change number `seq` and tells those who follow.
    pub fn commit(&self, seq: i64) {
        let change = change(seq);
        self.stored.lock().expect("stored").push(change.clone());
        let _ = self.changes.send(change);
    }

    /// True once somebody follows.
    pub async fn followed(&self) {
        while self.changes.receiver_count() == 0 {
            tokio::task::yield_now().await;
        }
    }
}

pub fn change(seq: i64) -> Change {
    Change { seq, operation_id: format!("op-{seq}"), version: seq, step: 10402, status: "APPROVAL_SENT".into() }
}

fn reply(body: &Value) -> Reply {
    Reply { status: 200, headers: Vec::new(), content_type: "application/json", body: body.to_string() }
}

#[async_trait]
impl EnginePort for Echo {
    async fn call(&self, r: Request) -> Reply {
        let lang = if r.lang == Lang::ZhCn { "zh" } else { "en" };
        reply(
            &json!({ "method": r.method, "path": r.path, "query": r.query, "person": r.person, "lang": lang, "body": r.body }),
        )
    }
    async fn callback(&self, source: &str, headers: &[(String, String)], raw: &[u8]) -> Reply {
        let headers: BTreeMap<_, _> = headers.iter().cloned().collect();
        reply(&json!({ "source": source, "id": headers.get("webhook-id"), "raw": String::from_utf8_lossy(raw) }))
    }
    fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
    async fn changes_since(&self, seq: i64, limit: i64) -> StoreResult<Vec<Change>> {
        let page: Vec<_> = {
            let stored = self.stored.lock().expect("stored");
            stored.iter().filter(|c| c.seq > seq).take(limit as usize).cloned().collect()
        };
        for change in std::mem::take(&mut *self.during_read.lock().expect("during_read")) {
            self.commit(change.seq);
        }
        Ok(page)
    }
    async fn metrics(&self) -> Reply {
        Reply { content_type: "text/plain; version=0.0.4", body: "signalbox_up 1\n".into(), ..reply(&Value::Null) }
    }
    async fn ready(&self) -> Reply {
        reply(&json!({ "ready": true }))
    }
}

/// A running listener.
pub struct World {
    pub at: SocketAddr,
    pub engine: Arc<Echo>,
    pub stop: CancellationToken,
}

fn some_pages(path: &str) -> Option<Page> {
    let bytes: &'static [u8] = match path {
        "index.html" => b"<!doctype html><title>Signalbox</title>",
        "assets/main-4f2a.js" => b"run()",
        _ => return None,
    };
    Some(Page { bytes: bytes.into() })
}

pub fn no_pages(_: &str) -> Option<Page> {
    None
}

pub async fn start() -> World {
    start_with(Echo::new(64), some_pages).await
}

pub async fn start_with(engine: Arc<Echo>, pages: fn(&str) -> Option<Page>) -> World {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let at = listener.local_addr().expect("an address");
    let mut tokens = Tokens::default();
    tokens.add("ops-1", TOKEN).expect("a new token");
    tokens.add("alice", ALICE).expect("a new token");
    let stop = CancellationToken::new();
    let front = Front { engine: engine.clone(), tokens, hosts: Hosts::new(at.ip(), &[]), pages, stop: stop.clone() };
    tokio::spawn(async move { axum::serve(listener, router(front)).await });
    World { at, engine, stop }
}

/// An answer, with the body put together.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

impl World {
    /// GET with the token of the start.
    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, &[("Authorization", &format!("Bearer {TOKEN}"))], b"").await
    }

    pub async fn call(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let length = body.len().to_string();
        let mut all = vec![("Host", "localhost"), ("Content-Length", length.as_str())];
        all.retain(|(name, _)| !headers.iter().any(|(own, _)| own == name));
        all.extend(headers);
        let mut wire = self.open(method, path, &all).await;
        let (mut read, mut write) = wire.split();
        let mut text = Vec::new();
        let (sent, got) = tokio::join!(write.write_all(body), read.read_to_end(&mut text));
        sent.expect("the body is taken");
        got.expect("an answer");
        parse(&text)
    }

    /// Sends a head and leaves the rest to the caller.
    pub async fn open(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> TcpStream {
        let mut wire = TcpStream::connect(self.at).await.expect("a connection");
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        wire.write_all(format!("{head}\r\n").as_bytes()).await.expect("the head is taken");
        wire
    }
}

fn parse(text: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(text);
    let (head, body) = text.split_once("\r\n\r\n").expect("a whole head");
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|l| l.split(' ').nth(1)?.parse().ok()).expect("a status");
    let headers: BTreeMap<String, String> =
        lines.filter_map(|l| l.split_once(": ")).map(|(n, v)| (n.to_ascii_lowercase(), v.to_owned())).collect();
    Answer { status, headers, body: body.to_owned() }
}
