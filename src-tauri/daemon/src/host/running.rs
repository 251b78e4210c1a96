//! A Signalbox that is open.

use std::{net::SocketAddr, time::Duration};

use axum::Router;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// What answers may still take once the engine has stopped.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// The listener while it serves.
pub(super) struct Listening {
    stop: CancellationToken,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Listening {
    /// Serves until `stop`; then nothing new is taken, and what is being answered is answered.
    pub(super) fn start(listener: TcpListener, router: Router, stop: CancellationToken) -> Self {
        let stopped = stop.clone().cancelled_owned();
        let serving = tokio::spawn(async move { axum::serve(listener, router).with_graceful_shutdown(stopped).await });
        Self { stop, serving }
    }

    /// Takes nothing new from now on, and ends the streams.
    pub(super) fn close(&self) {
        self.stop.cancel();
    }

    /// Waits a moment for the last answers.
    pub(super) async fn end(mut self) {
        if tokio::time::timeout(LAST_ANSWERS, &mut self.serving).await.is_err() {
            self.serving.abort();
        }
    }
}

/// Where a listener can be reached from this machine.
pub(super) fn url(at: SocketAddr) -> String {
    let ip = match at {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => std::net::Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
        other => other.ip(),
    };
    format!("http://{}", SocketAddr::new(ip, at.port()))
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn a_listener_on_every_address_is_reached_by_loopback() {
        let table = [
            ("127.0.0.1:80", "http://127.0.0.1:80"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080"),
            ("[::]:8080", "http://[::1]:8080"),
            ("192.168.1.4:1", "http://192.168.1.4:1"),
        ];
        for (at, want) in table {
            assert_eq!(url(at.parse().expect("an address")), want);
        }
    }
}
