//! Something between us and a remote that loses, repeats and delays. It speaks HTTP/1.1, one call for each connection.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// How long after an answered call it arrives a second time.
const LATER: Duration = Duration::from_millis(100);

/// What happens to a call on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// It never arrives, and nobody says so.
    RequestLost,
    /// It arrives and is obeyed; the answer is lost.
    AnswerLost,
    /// It arrives twice, and the answer to the second is told.
    Doubled,
    /// It arrives, is answered, and arrives once more a moment later.
    RepeatedLater,
    /// It arrives and is obeyed at once; the answer comes when nobody waits for it any more.
    AnswerLate,
    /// It arrives when nobody waits for the answer any more.
    ArrivesLate,
}

pub const FAULTS: [Fault; 6] = [
    Fault::RequestLost,
    Fault::AnswerLost,
    Fault::Doubled,
    Fault::RepeatedLater,
    Fault::AnswerLate,
    Fault::ArrivesLate,
];

impl Fault {
    pub fn word(self) -> &'static str {
        match self {
            Self::RequestLost => "request-lost",
            Self::AnswerLost => "answer-lost",
            Self::Doubled => "doubled",
            Self::RepeatedLater => "repeated-later",
            Self::AnswerLate => "answer-late",
            Self::ArrivesLate => "arrives-late",
        }
    }
}

/// One call as it came.
#[derive(Debug, Clone)]
pub struct Call {
    pub method: String,
    /// Path and query.
    pub target: String,
    pub token: String,
    pub body: Value,
}

/// Who decides what happens to which call.
pub trait Rules: Send + Sync + 'static {
    fn fault(&self, call: &Call) -> Option<Fault>;
    /// Told of every answer, even of one that is lost afterwards.
    fn answered(&self, _call: &Call, _answer: &Value) {}
    /// The path and query that the call goes on with.
    fn target(&self, target: &str) -> String {
        target.to_owned()
    }
}

pub struct Proxy {
    pub url: String,
}

impl Proxy {
    /// `late` is how long a delayed call or answer is held: longer than the caller's limit.
    pub async fn before(upstream: &str, rules: Arc<dyn Rules>, late: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let upstream = upstream.trim_start_matches("http://").to_owned();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, upstream.clone(), rules.clone(), late));
            }
        });
        Self { url }
    }
}

async fn serve(mut client: TcpStream, upstream: String, rules: Arc<dyn Rules>, late: Duration) {
    let Some((call, bytes)) = read_call(&mut client, rules.as_ref()).await else { return };
    let forward = async || {
        let answer = exchange(&upstream, &bytes).await;
        rules.answered(&call, &body_of(&answer));
        answer
    };
    let answer = match rules.fault(&call) {
        None => forward().await,
        Some(Fault::RequestLost) => return,
        Some(Fault::AnswerLost) => {
            forward().await;
            return;
        }
        Some(Fault::Doubled) => {
            forward().await;
            forward().await
        }
        Some(Fault::RepeatedLater) => {
            let answer = forward().await;
            let _ = client.write_all(&answer).await;
            let _ = client.shutdown().await;
            tokio::time::sleep(LATER).await;
            forward().await;
            return;
        }
        Some(Fault::AnswerLate) => {
            let answer = forward().await;
            tokio::time::sleep(late).await;
            answer
        }
        Some(Fault::ArrivesLate) => {
            tokio::time::sleep(late).await;
            forward().await
        }
    };
    let _ = client.write_all(&answer).await;
    let _ = client.shutdown().await;
}

/// Reads one call and the bytes that it goes on with: they ask for a connection of its own.
async fn read_call(client: &mut TcpStream, rules: &dyn Rules) -> Option<(Call, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        read_more(client, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim()))
        .collect();
    let header = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let length: usize = header("content-length").map_or(0, |value| value.parse().unwrap_or(0));
    while bytes.len() < end + length {
        read_more(client, &mut bytes).await?;
    }
    let body = bytes[end..end + length].to_vec();
    let token = header("private-token").or(header("authorization")).unwrap_or_default().to_owned();
    let mut onward = format!("{method} {} HTTP/1.1\r\nconnection: close\r\n", rules.target(&target));
    for (name, value) in headers.iter().filter(|(name, _)| name != "connection") {
        onward.push_str(&format!("{name}: {value}\r\n"));
    }
    onward.push_str("\r\n");
    let call = Call { method, target, token, body: serde_json::from_slice(&body).unwrap_or(Value::Null) };
    Some((call, [onward.into_bytes(), body].concat()))
}

async fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut part = [0; 16 * 1024];
    let read = stream.read(&mut part).await.ok().filter(|read| *read > 0)?;
    bytes.extend_from_slice(&part[..read]);
    Some(())
}

/// Sends the bytes and reads until the remote hangs up.
async fn exchange(upstream: &str, bytes: &[u8]) -> Vec<u8> {
    let mut remote = TcpStream::connect(upstream).await.unwrap();
    remote.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    let _ = remote.read_to_end(&mut answer).await;
    answer
}

fn body_of(answer: &[u8]) -> Value {
    let begin = answer.windows(4).position(|window| window == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    serde_json::from_slice(&answer[begin..]).unwrap_or(Value::Null)
}
