//! Starting and stopping.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::accounts::PLACES;
use crate::error::SandboxError;
use crate::git::{Repo, check_version};
use crate::options::Options;
use crate::secrets::{APPROVAL_SECRET, DEPLOY_SECRET, DESK_TOKEN, Secrets};
use crate::serve::{listen, serve};
use crate::state::{Keeper, Ports, load};
use crate::switches::Switches;
use crate::world::{Urls, World};
use crate::{agenda, desk, forge, panel, seed};

/// The practice remotes, running until `stop` is called or the value is dropped.
pub struct Sandbox {
    /// Base URL of the GitLab look-alike, without `/api`.
    pub gitlab_url: String,
    /// Base URL of the approval desk; the page for people is at its root.
    pub desk_url: String,
    /// Base URL of the control panel and the control API.
    pub panel_url: String,
    /// Token of the robot that opens and merges.
    pub bot_token: String,
    /// Tokens of the two reviewing robots.
    pub reviewer_tokens: [String; 2],
    /// Token of Hanna, a person who works in the same projects.
    pub hanna_token: String,
    /// Bearer token of the approval desk.
    pub desk_token: String,
    /// Secret that approval callbacks are signed with.
    pub approval_secret: String,
    /// Secret that deploy callbacks are signed with.
    pub deploy_secret: String,
    /// The settings file for `serve --config`.
    pub config_path: PathBuf,
    world: Arc<World>,
    tasks: Vec<JoinHandle<()>>,
    saving: JoinHandle<()>,
    _lock: File,
}

/// Starts the practice remotes in a data directory, which is filled on the first start and gone on with afterwards.
///
/// # Errors
/// A sentence for the person who started it: a port that is taken, a git that is missing or too old, a directory that cannot be
/// written or that another sandbox uses, a stored state that cannot be read.
pub async fn start(dir: &Path, options: Options) -> Result<Sandbox, SandboxError> {
    check_version().await?;
    let dir = std::path::absolute(dir).map_err(|source| SandboxError::ReadOnly { path: dir.to_owned(), source })?;
    let home = dir.join("sandbox");
    std::fs::create_dir_all(&home).map_err(|source| SandboxError::ReadOnly { path: home.clone(), source })?;
    let lock = lock(&dir, &home)?;
    let secrets = Secrets::open(&dir)?;
    let state = load(&home.join("state.json"))?;
    let remembered = state.ports;
    let repos: BTreeMap<u64, Repo> = PLACES
        .iter()
        .map(|place| (place.id, Repo::new(home.join("repos").join(format!("{}.git", place.path)))))
        .collect();
    for repo in repos.values() {
        std::fs::create_dir_all(&repo.dir)
            .map_err(|source| SandboxError::ReadOnly { path: repo.dir.clone(), source })?;
    }
    seed::repositories(&repos).await?;
    seed::kinds(&dir)?;

    let ip = options.listen;
    let (gitlab, gitlab_port) = listen("the GitLab look-alike", ip, options.gitlab_port, remembered.gitlab).await?;
    let (desk_listener, desk_port) = listen("the approval desk", ip, options.desk_port, remembered.desk).await?;
    let (panel_listener, panel_port) = listen("the control panel", ip, options.panel_port, remembered.panel).await?;
    let ports = Ports { gitlab: gitlab_port, desk: desk_port, panel: panel_port };
    let (urls, before) = (urls(&options, ports), urls(&options, remembered));
    let config_path = seed::settings(&dir, &secrets, &urls, &before)?;
    write_urls(&home, &urls)?;

    let world = Arc::new(World {
        switches: Switches::new(&options),
        options,
        keeper: Keeper::new(home.join("state.json"), state),
        repos,
        secrets,
        urls: OnceLock::from(urls.clone()),
        journal: crate::journal::Journal::default(),
        agenda: tokio::sync::Notify::new(),
        busy: std::sync::Mutex::default(),
        stop: CancellationToken::new(),
        client: client()?,
    });
    for place in PLACES {
        forge::catch_up(&world, place.id).await?;
    }
    world.write(|state| state.ports = ports);
    let failed = |source| SandboxError::ReadOnly { path: home.join("state.json"), source };
    world.keeper.save().await.map_err(failed)?;

    let stop = || world.stop.clone();
    let tasks = vec![
        tokio::spawn(serve(gitlab, forge::router(Arc::clone(&world)), stop())),
        tokio::spawn(serve(desk_listener, desk::router(Arc::clone(&world)), stop())),
        tokio::spawn(serve(panel_listener, panel::router(Arc::clone(&world)), stop())),
        tokio::spawn(agenda::run(Arc::clone(&world))),
        tokio::spawn(agenda::watch_repositories(Arc::clone(&world))),
    ];
    let keeping = Arc::clone(&world);
    let saving = tokio::spawn(async move { keeping.keeper.run().await });
    let secret = |name: &str| world.secrets.value(name).to_owned();
    Ok(Sandbox {
        gitlab_url: urls.gitlab,
        desk_url: urls.desk,
        panel_url: urls.panel,
        bot_token: secret("gitlab-bot"),
        reviewer_tokens: [secret("gitlab-reviewer-a"), secret("gitlab-reviewer-b")],
        hanna_token: secret("gitlab-hanna"),
        desk_token: secret(DESK_TOKEN),
        approval_secret: secret(APPROVAL_SECRET),
        deploy_secret: secret(DEPLOY_SECRET),
        config_path,
        tasks,
        saving,
        _lock: lock,
        world,
    })
}

impl Sandbox {
    /// The one line that `signalboxd sandbox` prints when everything listens.
    #[must_use]
    pub fn ready_json(&self) -> Value {
        json!({
            "ready": true,
            "gitlab": {
                "url": self.gitlab_url, "bot_token": self.bot_token, "reviewer_tokens": self.reviewer_tokens,
                "hanna_token": self.hanna_token,
            },
            "approval": { "url": self.desk_url, "token": self.desk_token, "callback_secret": self.approval_secret },
            "deploy": { "callback_secret": self.deploy_secret },
            "panel": { "url": self.panel_url },
            "config": self.config_path,
        })
    }

    /// Learns where Signalbox takes callbacks now: a base URL. Until the first call, that of the newest ticket is used.
    pub fn call_back_to(&self, base: &str) {
        self.world.write(|state| state.callback_origin = Some(base.trim_end_matches('/').to_owned()));
    }

    /// Stops listening, lets answers under way finish, and writes the state a last time.
    pub async fn stop(mut self) {
        self.world.stop.cancel();
        for task in std::mem::take(&mut self.tasks) {
            // a task that failed has nothing left to finish
            let _ = task.await;
        }
        self.saving.abort();
        if let Err(error) = self.world.keeper.save().await {
            tracing::error!(%error, "the last state of the sandbox cannot be written");
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.world.stop.cancel();
        self.saving.abort();
    }
}

fn lock(dir: &Path, home: &Path) -> Result<File, SandboxError> {
    let path = home.join("lock");
    let failed = |source| SandboxError::ReadOnly { path: path.clone(), source };
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(SandboxError::InUse { path: dir.to_owned() }),
        Err(std::fs::TryLockError::Error(source)) => Err(failed(source)),
    }
}

fn urls(options: &Options, ports: Ports) -> Urls {
    let host = if options.listen.is_unspecified() { "127.0.0.1".to_owned() } else { options.listen.to_string() };
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    let url = |port: u16| format!("http://{host}:{port}");
    Urls { gitlab: url(ports.gitlab), desk: url(ports.desk), panel: url(ports.panel) }
}

/// Where the remotes are, for whoever else works in the same data directory. No secret is in it.
fn write_urls(home: &Path, urls: &Urls) -> Result<(), SandboxError> {
    let path = home.join("urls.json");
    let text = json!({ "gitlab_url": urls.gitlab, "desk_url": urls.desk, "panel_url": urls.panel }).to_string();
    std::fs::write(&path, text).map_err(|source| SandboxError::ReadOnly { path, source })
}

fn client() -> Result<reqwest::Client, SandboxError> {
    // whoever shares this process may have chosen a provider already, which is as good
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().map_err(SandboxError::Client)
}
