//! Being told to stop.

use tokio::sync::mpsc;

/// Stop signals of the system: SIGTERM, SIGINT, Ctrl-C.
pub struct StopSignals(mpsc::UnboundedReceiver<()>);

impl StopSignals {
    /// Listens from now on. The second signal ends the process at once, whatever it does.
    pub fn listen() -> std::io::Result<Self> {
        let (tell, told) = mpsc::unbounded_channel();
        let mut source = Source::listen()?;
        tokio::spawn(async move {
            let mut first = true;
            while source.next().await {
                if !first {
                    tracing::warn!("Told to stop for the second time: ending at once.");
                    std::process::exit(1);
                }
                first = false;
                let _ = tell.send(());
            }
        });
        Ok(Self(told))
    }

    /// Waits for the first signal.
    pub async fn first(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
struct Source {
    term: tokio::signal::unix::Signal,
    int: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Source {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { term: signal(SignalKind::terminate())?, int: signal(SignalKind::interrupt())? })
    }
    async fn next(&mut self) -> bool {
        tokio::select! { got = self.term.recv() => got.is_some(), got = self.int.recv() => got.is_some() }
    }
}

#[cfg(not(unix))]
struct Source;

#[cfg(not(unix))]
impl Source {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
    }
    async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}
