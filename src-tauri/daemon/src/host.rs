//! Opens a Signalbox: data directory, settings, change kinds, secrets, listener, engine. For the daemon and the desktop shell.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use signalbox_engine::{
    adapters::secrets::LocalSecrets,
    engine::{Engine, Parts},
    ports::{
        chance::{Chance, SystemChance},
        clock::SystemClock,
        secrets::Secrets,
    },
    settings::Settings,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    folder,
    http::{Front, Hosts, built_in, router},
    lock::DataDir,
};

mod error;
pub(crate) mod files;
pub(crate) mod remotes;
mod running;
mod secrets;

pub use error::{DamagedStore, StartError};
use files::Files;
use running::Listening;

/// How long running remote calls may take once an engine is told to stop, in the window and without one. Ten seconds at most
/// (contract.md, section 1), and nobody waits that long for a program to end: a call that is given up is found at the next
/// start by what the remotes say.
pub const LAST_CALLS: Duration = Duration::from_secs(3);

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A Signalbox that is open.
pub struct Running {
    /// Base URL of the listener.
    pub url: String,
    /// The token of this start, which acts as the operator of the settings.
    pub api_token: String,
    /// Who that is.
    pub operator: String,
    /// The engine.
    pub engine: Engine,
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

/// How a Signalbox is opened.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Directory of the store, made when missing.
    pub data_dir: PathBuf,
    /// Settings file; None takes `signalbox.toml` in the data directory.
    pub config: Option<PathBuf>,
    /// Address to listen on; port 0 takes any free one.
    pub listen: SocketAddr,
}

/// Opens everything, or nothing: on an error no listener, engine or lock is left.
pub async fn open(how: Opening) -> Result<Running, StartError> {
    let dir = DataDir::own(&how.data_dir).await?;
    folder::warnings(dir.path()).iter().for_each(|warning| tracing::warn!("{warning}"));
    let files = Files::of(&how.data_dir, how.config.as_deref());
    let settings = Settings::load(&files.settings).map_err(|error| StartError::unusable(vec![error.to_string()]))?;
    let catalogue = files.catalogue().map_err(StartError::unusable)?;
    if catalogue.is_empty() {
        tracing::warn!("There is no change kind in {}, so nothing can be asked for.", files.kinds.display());
    }
    let secrets: Arc<dyn Secrets> = Arc::new(LocalSecrets::new(&files.folder));
    let mut secured = secrets::read_all(&settings, &*secrets).await.map_err(StartError::unusable)?;
    let api_token = SystemChance.token();
    // 32 random bytes are nobody else's token.
    let _ = secured.people.add(&settings.operator.name, &api_token);
    let listener = TcpListener::bind(how.listen).await.map_err(|error| StartError::listen(how.listen, &error))?;
    let at = listener.local_addr().map_err(|error| StartError::listen(how.listen, &error))?;
    let hosts = Hosts::new(at.ip(), &[&settings.http.callback_url]);
    let operator = settings.operator.name.clone();
    let callback_base = settings.http.callback_url.replace("{port}", &at.port().to_string());
    let sandbox = remotes::practice(&settings, &files.folder);
    let settings = Arc::new(ArcSwap::from_pointee(settings));
    let parts = Parts {
        forge: remotes::forge(&settings, &secrets).map_err(StartError::one)?,
        desk: remotes::approval(&settings.load(), &secrets).map_err(StartError::one)?,
        settings,
        catalogue,
        clock: Arc::new(SystemClock),
        chance: Arc::new(SystemChance),
        callback_base: callback_base.trim_end_matches('/').to_owned(),
        approval_secret: secured.secret("approval.callback_secret"),
        deploy_secret: secured.secret("deploy.callback_secret"),
        gitlab_secret: secured.optional("gitlab.webhook_secret"),
        sandbox,
    };
    let engine = Engine::open(dir.path(), parts).await?;
    let stop = CancellationToken::new();
    let front =
        Front { engine: Arc::new(engine.clone()), tokens: secured.people, hosts, pages: built_in, stop: stop.clone() };
    let listening = Listening::start(listener, router(front), stop);
    let url = running::url(at);
    let running = Running { url, api_token, operator, engine, listening, dir };
    if let Err(error) = running.dir.announce(&running.url) {
        running.stop(Duration::ZERO).await;
        return Err(error.into());
    }
    tracing::info!("Signalbox {VERSION} answers at {} and keeps its store in {}.", running.url, how.data_dir.display());
    if !at.ip().is_loopback() {
        tracing::warn!("{at} can be reached from other machines, without encryption. Put a proxy with TLS before it.");
    }
    Ok(running)
}
