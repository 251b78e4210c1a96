//! A gate before GitLab: everything passes, but a merge is held.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    response::Response,
};

/// How long the merge is held: longer than anybody waits for a program to end.
pub(crate) const HELD: Duration = Duration::from_secs(20);

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// The call does not reach GitLab; a client that goes away takes it along.
    Call,
    /// GitLab has merged, and its answer is held.
    Answer,
}

struct Inside {
    hold: Hold,
    to: Mutex<String>,
    passes: AtomicBool,
    held: AtomicUsize,
    merged: AtomicUsize,
    client: reqwest::Client,
}

/// The gate, until the runtime ends.
pub(crate) struct Gate {
    pub(crate) url: String,
    inside: Arc<Inside>,
}

impl Gate {
    pub(crate) fn open(runtime: &tokio::runtime::Runtime, hold: Hold) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let inside = Arc::new(Inside {
            hold,
            to: Mutex::default(),
            passes: AtomicBool::new(false),
            held: AtomicUsize::new(0),
            merged: AtomicUsize::new(0),
            client: reqwest::Client::builder().no_proxy().build().expect("a client"),
        });
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(pass).with_state(inside.clone());
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { url, inside }
    }

    pub(crate) fn leads_to(&self, url: &str) {
        url.clone_into(&mut self.inside.to.lock().expect("no panic"));
    }

    pub(crate) fn waits_for_a_merge(&self, limit: Duration) {
        let began = Instant::now();
        while self.inside.held.load(Ordering::SeqCst) == 0 {
            assert!(began.elapsed() < limit, "no merge came");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn lets_everything_pass(&self) {
        self.inside.passes.store(true, Ordering::SeqCst);
    }

    /// How many merges GitLab has answered with success.
    pub(crate) fn merged(&self) -> usize {
        self.inside.merged.load(Ordering::SeqCst)
    }
}

async fn pass(State(gate): State<Arc<Inside>>, request: Request) -> Response {
    let is_merge = request.method() == "PUT" && request.uri().path().ends_with("/merge");
    let holds = |hold| is_merge && gate.hold == hold && !gate.passes.load(Ordering::SeqCst);
    if holds(Hold::Call) {
        gate.held.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(HELD).await;
    }
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body");
    let url = format!("{}{}", gate.to.lock().expect("no panic"), head.uri);
    let mut headers = head.headers;
    headers.remove("host");
    let sent = gate.client.request(head.method, url).headers(headers).body(body).send().await;
    let Ok(answer) = sent else {
        return Response::builder().status(StatusCode::BAD_GATEWAY).body(Body::empty()).expect("an answer");
    };
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove("transfer-encoding");
    let bytes = answer.bytes().await.expect("an answer");
    if is_merge && status.is_success() {
        gate.merged.fetch_add(1, Ordering::SeqCst);
    }
    if holds(Hold::Answer) {
        gate.held.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(HELD).await;
    }
    let mut response = Response::builder().status(status).body(Body::from(bytes)).expect("an answer");
    *response.headers_mut() = headers;
    response
}
