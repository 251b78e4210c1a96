//! Opens a Signalbox: data directory, settings, change kinds, secrets, listener, engine. For the daemon and the desktop shell.

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use signalbox_engine::{
    adapters::secrets::LocalSecrets,
    ports::chance::{Chance, SystemChance},
    settings::Settings,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    http::{Front, Hosts, built_in, router},
    lock::DataDir,
    port::EnginePort,
};

mod error;
mod running;
mod secrets;

pub use error::StartError;
use running::Listening;

/// A Signalbox that is open.
pub struct Running {
    /// Base URL of the listener.
    pub url: String,
    /// The token of this start, which acts as the operator of the settings.
    pub api_token: String,
    /// Who that is.
    pub operator: String,
    /// The engine.
    pub engine: Arc<dyn EnginePort>,
    listening: Listening,
    dir: DataDir,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Running {
    /// Takes nothing new, lets running remote calls end within `limit`, and gives the data directory free.
    pub async fn stop(self, limit: Duration) {
        self.listening.close();
        self.engine.stop(limit).await;
        self.listening.end().await;
        drop(self.dir);
    }
}

/// Opens everything, or nothing: on an error no listener, engine or lock is left. `config` is DIR/signalbox.toml unless named.
pub async fn open(data_dir: &Path, config: Option<&Path>, listen: SocketAddr) -> Result<Running, StartError> {
    let dir = DataDir::own(data_dir).await?;
    let config = config.map_or_else(|| data_dir.join("signalbox.toml"), Path::to_path_buf);
    let settings = Settings::load(&config).map_err(|error| StartError::unusable(vec![error.to_string()]))?;
    let beside = config.parent().unwrap_or(data_dir);
    let secrets = LocalSecrets::new(beside);
    let mut tokens = secrets::read_all(&settings, &secrets).await.map_err(StartError::unusable)?;
    let api_token = SystemChance.token();
    // A token of 32 random bytes is nobody else's.
    let _ = tokens.add(&settings.operator.name, &api_token);
    let listener = TcpListener::bind(listen).await.map_err(|error| StartError::listen(listen, &error))?;
    let at = listener.local_addr().map_err(|error| StartError::listen(listen, &error))?;
    let engine: Arc<dyn EnginePort> = Arc::new(crate::port::Silent);
    let stop = CancellationToken::new();
    let front = Front {
        engine: Arc::clone(&engine),
        tokens,
        hosts: Hosts::new(at.ip(), &[&settings.http.callback_url]),
        pages: built_in,
        stop: stop.clone(),
    };
    let listening = Listening::start(listener, router(front), stop);
    let url = running::url(at);
    dir.announce(&url)?;
    tracing::info!("Signalbox answers at {url} and keeps its store in {}.", data_dir.display());
    if !at.ip().is_loopback() {
        tracing::warn!(
            "{at} can be reached from other machines, without encryption. Put a proxy with TLS in front of it."
        );
    }
    Ok(Running { url, api_token, operator: settings.operator.name, engine, listening, dir })
}
