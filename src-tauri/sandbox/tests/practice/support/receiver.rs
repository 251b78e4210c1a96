//! A small stand-in for Signalbox that takes callbacks.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;

/// One callback as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Callback {
    pub(crate) path: String,
    pub(crate) id: String,
    pub(crate) timestamp: String,
    pub(crate) signature: String,
    pub(crate) raw: String,
    pub(crate) body: Value,
}

impl Callback {
    /// Whether the signature is that of the secret over exactly these bytes.
    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(format!("{}.{}.{}", self.id, self.timestamp, self.raw).as_bytes());
        self.signature == format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

#[derive(Clone)]
struct Inside {
    taken: Arc<Mutex<Vec<Callback>>>,
    refuse: Arc<AtomicU16>,
}

pub(crate) struct Receiver {
    pub(crate) url: String,
    inside: Inside,
}

impl Receiver {
    pub(crate) async fn begin() -> Self {
        let inside = Inside { taken: Arc::default(), refuse: Arc::default() };
        let router = Router::new().fallback(post(take)).with_state(inside.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, inside }
    }

    /// The next n callbacks are answered 503.
    pub(crate) fn refuse(&self, times: u16) {
        self.inside.refuse.store(times, Ordering::SeqCst);
    }

    pub(crate) fn taken(&self) -> Vec<Callback> {
        self.inside.taken.lock().unwrap().clone()
    }

    /// Waits for so many callbacks.
    #[track_caller]
    pub(crate) fn wait(&self, count: usize) -> impl Future<Output = Vec<Callback>> + '_ {
        let at = std::panic::Location::caller();
        async move {
            for _ in 0..300 {
                let taken = self.taken();
                if taken.len() >= count {
                    return taken;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            panic!("only {} of {count} callbacks at {at}", self.taken().len());
        }
    }
}

async fn take(
    State(inside): State<Inside>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    raw: String,
) -> StatusCode {
    let left = inside.refuse.load(Ordering::SeqCst);
    if left > 0 {
        inside.refuse.store(left - 1, Ordering::SeqCst);
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    inside.taken.lock().unwrap().push(Callback {
        path: uri.path().to_owned(),
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body: serde_json::from_str(&raw).unwrap(),
        raw,
    });
    StatusCode::OK
}
