//! The way out: bytes to one remote and bytes back. Every call is sent once; nothing here tries again.

use std::{
    error::Error as _,
    net::IpAddr,
    sync::Once,
    time::{Duration, SystemTime},
};

use chrono::{DateTime, Utc};
use reqwest::{Certificate, Client, ClientBuilder, Method, Response, Url, header::HeaderMap, redirect, retry};
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::ports::journal::Effect;

/// The largest answer that is read, in bytes. Repository files come inside JSON, so this is far above any we edit.
const LARGEST_ANSWER: usize = 32 * 1024 * 1024;

/// How long an idle connection for reads is kept. Short, because a machine that slept holds dead ones.
const KEEP_IDLE: Duration = Duration::from_secs(15);

/// An address in the settings that no call can be made to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("The setting `{setting}` cannot be used: {why}. Correct it and start again.")]
pub struct UnusableRemote {
    /// The setting, such as `gitlab.url`.
    pub setting: &'static str,
    /// What is wrong with it, without any secret it may hold.
    pub why: String,
}

/// One request, ready to leave.
pub(crate) struct Outgoing<'a> {
    pub(crate) effect: Effect,
    pub(crate) method: Method,
    pub(crate) path: &'a str,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
}

/// One complete answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Why there is no complete answer.
pub(crate) enum Broken {
    /// Nothing was sent.
    NotSent(String),
    /// Something was sent, and the answer did not come or did not end.
    Lost { status: Option<u16>, request_id: Option<String>, why: String },
    /// The answer is larger than `LARGEST_ANSWER`.
    TooLarge { status: u16, request_id: Option<String> },
}

impl Answer {
    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim)
    }

    /// The correlation id that the remote wrote into its own log.
    pub(crate) fn request_id(&self) -> Option<String> {
        request_id(&self.headers)
    }

    /// True for a page made for people: a proxy, a login or a maintenance page.
    pub(crate) fn is_page(&self) -> bool {
        let declared = self.header("content-type").is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
        declared || self.body.trim_ascii_start().first() == Some(&b'<')
    }

    /// The body as JSON of the wanted shape, or what it was instead.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, String> {
        if self.body.trim_ascii().is_empty() {
            return Err("answered with an empty body instead of data".into());
        }
        if self.is_page() {
            return Err("answered with a web page instead of data".into());
        }
        serde_json::from_slice(&self.body).map_err(|e| match e.classify() {
            serde_json::error::Category::Data => format!("answered with data of another shape than expected ({e})"),
            _ => "answered with something that is not JSON".into(),
        })
    }
}

/// The connections to one remote.
pub(crate) struct Transport {
    base: Url,
    timeout: Duration,
    reads: Client,
    writes: Client,
}

impl Transport {
    /// Checks the address and prepares connections. `timeout` is the limit of one whole call; half of it goes to connecting,
    /// so that "nobody there" (nothing was sent) is told apart from "no answer" (something was).
    pub(crate) fn new(setting: &'static str, address: &str, timeout: Duration) -> Result<Self, UnusableRemote> {
        let wrong = |why: &str| UnusableRemote { setting, why: why.into() };
        let base = Url::parse(address.trim()).map_err(|e| wrong(&format!("it is no address ({e})")))?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(wrong("it must begin with http:// or https:// and name a host"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(wrong("it carries a user name or a password, and credentials never stand in an address"));
        }
        if base.query().is_some() || base.fragment().is_some() {
            return Err(wrong("it must end with its path, without `?` and `#`"));
        }
        let build = |builder: ClientBuilder| {
            builder.build().map_err(|e| wrong(&format!("no connection can be prepared for it ({})", innermost(&e))))
        };
        // HTTP/1.1 only: a call that timed out closes its connection, so a dead one is never met twice.
        let reads = build(basic(&base, timeout).pool_idle_timeout(KEEP_IDLE))?;
        // A write always opens its own connection. On a kept one the other side may have hung up already, which leaves it
        // unknown whether the write arrived, and the pool would send an unstarted request again on its own.
        let writes = build(basic(&base, timeout).pool_max_idle_per_host(0))?;
        Ok(Self { base, timeout, reads, writes })
    }

    /// The path that stands before every path of the remote, without a slash at its end.
    pub(crate) fn prefix(&self) -> &str {
        self.base.path().trim_end_matches('/')
    }

    /// Where a redirect leads, as path and query, when that is the same scheme, host and port.
    pub(crate) fn same_origin(&self, from: &str, location: &str) -> Option<String> {
        let here = self.url(from)?;
        let there = here.join(location).ok()?;
        (there.origin() == here.origin()).then(|| match there.query() {
            Some(query) => format!("{}?{query}", there.path()),
            None => there.path().to_owned(),
        })
    }

    fn url(&self, path: &str) -> Option<Url> {
        Url::parse(&format!("{}{path}", self.base.origin().ascii_serialization())).ok()
    }

    /// Sends once and reads the answer to its end.
    pub(crate) async fn send(&self, out: Outgoing<'_>) -> Result<Answer, Broken> {
        let client = match out.effect {
            Effect::Read => &self.reads,
            Effect::Write => &self.writes,
        };
        let url = self.url(out.path).ok_or_else(|| Broken::NotSent("the path makes no valid address".into()))?;
        let mut request = client.request(out.method, url).headers(out.headers);
        if let Some(body) = out.body {
            request = request.body(body);
        }
        let response = request.send().await.map_err(|e| self.before_the_answer(&e))?;
        self.read(response).await
    }

    async fn read(&self, mut response: Response) -> Result<Answer, Broken> {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(part)) if body.len() + part.len() > LARGEST_ANSWER => {
                    return Err(Broken::TooLarge { status, request_id: request_id(&headers) });
                }
                Ok(Some(part)) => body.extend_from_slice(&part),
                Ok(None) => return Ok(Answer { status, headers, body }),
                Err(e) => {
                    let why = match e.is_timeout() {
                        true => format!("the answer began with {status} and did not end within {:?}", self.timeout),
                        false => format!("the answer began with {status} and broke off in the middle"),
                    };
                    return Err(Broken::Lost { status: Some(status), request_id: request_id(&headers), why });
                }
            }
        }
    }

    fn before_the_answer(&self, e: &reqwest::Error) -> Broken {
        let host = self.base.host_str().unwrap_or_default();
        if e.is_builder() {
            return Broken::NotSent(format!("the request could not be put together ({})", innermost(e)));
        }
        if e.is_connect() {
            return Broken::NotSent(match (e.is_dns(), e.is_timeout()) {
                (true, _) => format!("the name {host} cannot be resolved"),
                (_, true) => format!("{host} did not accept a connection within {:?}", self.timeout / 2),
                _ => format!("no connection to {host} ({})", innermost(e)),
            });
        }
        let why = match e.is_timeout() {
            true => format!("no answer within {:?}", self.timeout),
            false => format!("the connection broke before an answer came ({})", innermost(e)),
        };
        Broken::Lost { status: None, request_id: None, why }
    }
}

fn basic(base: &Url, timeout: Duration) -> ClientBuilder {
    static RING: Once = Once::new();
    RING.call_once(|| {
        // An error only says that a provider is there already.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = Client::builder()
        .user_agent(concat!("signalbox/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .http1_only()
        .timeout(timeout)
        .connect_timeout(timeout / 2);
    if base.scheme() == "http" {
        // No certificate will be looked at: a machine without any must not be an obstacle.
        builder = builder.tls_certs_only(std::iter::empty::<Certificate>());
    }
    if is_loopback(base) {
        builder = builder.no_proxy();
    }
    builder
}

fn is_loopback(base: &Url) -> bool {
    base.host_str().is_some_and(|host| {
        host == "localhost" || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    })
}

fn innermost(e: &reqwest::Error) -> String {
    let mut text = "unknown reason".to_owned();
    let mut next = e.source();
    while let Some(source) = next {
        text = source.to_string();
        next = source.source();
    }
    text
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    let plain = headers.get("x-request-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let id = plain.or_else(|| {
        let meta: serde_json::Value = serde_json::from_slice(headers.get("x-gitlab-meta")?.as_bytes()).ok()?;
        meta.get("correlation_id")?.as_str().map(str::to_owned)
    })?;
    (!id.is_empty() && id.len() <= 128).then_some(id)
}

/// The time on the remote's clock, else on ours: its deadlines are given on its own clock.
pub(crate) fn remote_time(headers: &HeaderMap) -> DateTime<Utc> {
    let date = headers.get("date").and_then(|value| value.to_str().ok());
    let told = date.and_then(|text| DateTime::parse_from_rfc2822(text).ok());
    told.map_or_else(|| SystemTime::now().into(), |time| time.with_timezone(&Utc))
}
