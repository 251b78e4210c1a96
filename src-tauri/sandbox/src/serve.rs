//! Serving a router, with one ability that a good server lacks: losing an answer after its effect.

use std::convert::Infallible;
use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_service::Service as _;

use crate::error::SandboxError;

/// Marks an answer that is not to be sent: the connection is closed instead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lost;

/// Listens on the port that was asked for, else on the one remembered where it is free, else on any.
pub(crate) async fn listen(
    what: &'static str,
    ip: std::net::IpAddr,
    asked: Option<u16>,
    remembered: u16,
) -> Result<(TcpListener, u16), SandboxError> {
    let address = SocketAddr::new(ip, asked.unwrap_or(remembered));
    let failed = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::AddrInUse => SandboxError::PortTaken { what, address },
        _ => SandboxError::Listen { what, address, source },
    };
    let listener = match TcpListener::bind(address).await {
        Err(_) if asked.is_none() => TcpListener::bind(SocketAddr::new(ip, 0)).await,
        other => other,
    };
    let listener = listener.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    Ok((listener, port))
}

/// Serves until told to stop; answers that are under way are finished.
pub(crate) async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let connections = TaskTracker::new();
    loop {
        let stream = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let _ = stream.set_nodelay(true);
        let (router, stop) = (router.clone(), stop.clone());
        connections.spawn(async move {
            let service = service_fn(move |request| answer(router.clone(), request));
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new());
            let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
            tokio::select! {
                // a broken connection is the caller's matter, and often our own doing
                _ = connection.as_mut() => {}
                () = stop.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(std::time::Duration::from_secs(5), connection).await;
                }
            }
        });
    }
    connections.close();
    let _ = tokio::time::timeout(std::time::Duration::from_secs(6), connections.wait()).await;
}

async fn answer(mut router: Router, request: Request<hyper::body::Incoming>) -> Result<Response<Body>, std::io::Error> {
    let answered: Result<Response<Body>, Infallible> = router.call(request.map(Body::new)).await;
    let Ok(response) = answered;
    if response.extensions().get::<Lost>().is_some() {
        return Err(std::io::Error::other("the answer is lost on purpose"));
    }
    Ok(response)
}
