//! Looks at GitLab without writing anything: GET only, no retries, no redirects.

use std::{error::Error as _, sync::Once, time::Duration};

use reqwest::{Certificate, Client, Url, header, redirect};
use serde_json::Value;

/// A remote and a credential for it.
pub(super) struct Reader {
    client: Client,
    base: String,
    token: String,
}

/// Why a look gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// No answer came.
    Silent(String),
    /// An answer came, and it was no.
    Refused(u16),
    /// An answer came that is not the data asked for.
    Odd(String),
}

impl Trouble {
    /// True for this HTTP status.
    pub(super) fn is(&self, status: u16) -> bool {
        *self == Self::Refused(status)
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Silent(why) => write!(f, "no answer came ({why})"),
            Self::Refused(status) => write!(f, "the answer was {status}"),
            Self::Odd(what) => write!(f, "the answer was {what}"),
        }
    }
}

impl Reader {
    /// Prepares a connection. Err when none can be prepared.
    pub(super) fn new(base: &str, token: &str, limit: Duration) -> Result<Self, String> {
        static RING: Once = Once::new();
        RING.call_once(|| {
            // An error only says that a provider is there already.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let mut builder = Client::builder()
            .user_agent(concat!("signalboxd/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .timeout(limit);
        let address = Url::parse(base).map_err(|e| format!("it is no address ({e})"))?;
        if address.scheme() == "http" {
            // No certificate will be looked at: a machine without any must not be an obstacle.
            builder = builder.tls_certs_only(std::iter::empty::<Certificate>());
        }
        if address.host_str().is_some_and(|host| host == "localhost" || host.starts_with("127.") || host == "[::1]") {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|e| innermost(&e))?;
        Ok(Self { client, base: base.trim_end_matches('/').to_owned(), token: token.trim().to_owned() })
    }

    /// Reads `path`, which begins with a slash.
    pub(super) async fn get(&self, path: &str) -> Result<Value, Trouble> {
        let request = self.client.get(format!("{}{path}", self.base)).header("private-token", &self.token);
        let answer = request.send().await.map_err(|e| Trouble::Silent(innermost(&e)))?;
        let status = answer.status();
        if status.is_redirection() {
            let to = answer.headers().get(header::LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("elsewhere");
            return Err(Trouble::Odd(format!("a redirect to {}", to.split('?').next().unwrap_or_default())));
        }
        if !status.is_success() {
            return Err(Trouble::Refused(status.as_u16()));
        }
        answer.json().await.map_err(|_| Trouble::Odd("no JSON: another program may answer at this address".into()))
    }
}

fn innermost(error: &reqwest::Error) -> String {
    let mut text = if error.is_timeout() { "the time limit passed".to_owned() } else { "unknown reason".to_owned() };
    let mut next = error.source();
    while let Some(source) = next {
        text = source.to_string();
        next = source.source();
    }
    text
}
