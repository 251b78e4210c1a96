//! Headers on the way in and out: the name we are called by, and what a browser may do with the answer.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::Response,
};

use super::{Front, refusal::Refusal};

/// What a browser may load for the UI: its own files, and inline styles, which the component library needs.
const CSP: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                   font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; \
                   frame-ancestors 'none'";

/// The names a listener answers to. A page of another site that has its name resolved to this machine carries that name.
#[derive(Debug, Clone)]
pub struct Hosts {
    listen: IpAddr,
    known: Vec<String>,
}

impl Hosts {
    /// Loopback names, the address listened on, and the host of each URL in `urls`.
    #[must_use]
    pub fn new(listen: IpAddr, urls: &[&str]) -> Self {
        let known = urls.iter().filter_map(|url| name_of(url.split_once("://")?.1.split('/').next()?)).collect();
        Self { listen, known }
    }

    fn answers_to(&self, host: &str) -> bool {
        let Some(name) = name_of(host) else { return false };
        if name == "localhost" || name.ends_with(".localhost") || self.known.contains(&name) {
            return true;
        }
        // A bare address is no name that somebody else could point at us.
        name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || self.listen.is_unspecified() || ip == self.listen)
    }
}

/// The host in lower case, without port and brackets.
fn name_of(host: &str) -> Option<String> {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None => host.split(':').next()?,
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    (!name.is_empty()).then_some(name)
}

/// Turns away requests for another host. Callbacks carry a signature and may come through a proxy under any name.
pub(super) async fn check_host(State(front): State<Arc<Front>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or_default();
    if request.uri().path().starts_with("/callbacks/") || front.hosts.answers_to(host) {
        return next.run(request).await;
    }
    let host = host.to_owned();
    Refusal::WrongHost(host).answer(&request.into_parts().0)
}

/// Adds what every answer carries. No other site may read, frame or guess at anything.
pub(super) async fn add_headers(request: Request, next: Next) -> Response {
    let of_ui = !["/api", "/callbacks", "/metrics", "/healthz", "/readyz"]
        .iter()
        .any(|start| request.uri().path().starts_with(start));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    if !of_ui {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[test]
    fn a_listener_answers_to_its_own_names_only() {
        let local = Hosts::new("127.0.0.1".parse().expect("an address"), &["https://signalbox.example.com/in"]);
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:43211", "[::1]:80", "signalbox.example.com", "a.localhost"]
        {
            assert!(local.answers_to(host), "{host}");
        }
        for host in ["", "evil.example.com", "192.168.1.4", "localhost.evil.com", "127.0.0.1.nip.io", "[::1"] {
            assert!(!local.answers_to(host), "{host}");
        }
        let everywhere = Hosts::new("0.0.0.0".parse().expect("an address"), &[]);
        assert!(everywhere.answers_to("192.168.1.4:8080"));
        assert!(!everywhere.answers_to("evil.example.com"));
    }
}
