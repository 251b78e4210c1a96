//! The engine that this window works on, and the practice remotes when it works on those.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use signalbox_engine::api::Request;
use signalbox_engine::engine::Engine;
use signalbox_engine::store::outbox::Change;
use signalbox_engine::words::Lang;
use signalbox_sandbox::{Options, Sandbox};
use signalboxd::host::{self, DamagedStore, Opening, Running};
use tokio::sync::{Mutex, broadcast};

/// One call of the page, as under `/api/v1`.
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) body: Option<Value>,
    pub(crate) lang: String,
}

/// What the engine answered.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: String,
}

/// Why nothing was opened.
pub(crate) struct Refusal {
    /// One sentence for each finding.
    pub(crate) words: String,
    /// The store, where it cannot be read any more.
    pub(crate) damaged: Option<DamagedStore>,
}

impl From<String> for Refusal {
    fn from(words: String) -> Self {
        Self { words, damaged: None }
    }
}

impl From<host::StartError> for Refusal {
    fn from(error: host::StartError) -> Self {
        let words = match &error.damaged {
            // The way out of it is a button here, and no command.
            Some(DamagedStore { file, what }) => {
                format!("The store {} is damaged ({what}); it was left as it is. Nothing was started.", file.display())
            }
            None => error.to_string(),
        };
        Self { words, damaged: error.damaged }
    }
}

/// A running engine.
pub(crate) struct Open {
    engine: Engine,
    operator: String,
    /// What has to be stopped; empty once it has been.
    running: Mutex<Option<(Running, Option<Sandbox>)>>,
}

impl Open {
    /// Opens the engine of a data directory with the settings given. The error is one sentence for each finding.
    pub(crate) async fn with_settings(data_dir: &Path, config: &Path) -> Result<Self, Refusal> {
        let opening = Opening {
            data_dir: data_dir.to_owned(),
            config: Some(config.to_owned()),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        };
        let running = host::open(opening).await?;
        Ok(Self {
            engine: running.engine.clone(),
            operator: running.operator.clone(),
            running: Mutex::new(Some((running, None))),
        })
    }

    /// Starts the practice remotes in `dir` and opens the engine on them; on an error neither is left.
    pub(crate) async fn practice(dir: &Path) -> Result<Self, Refusal> {
        let sandbox = signalbox_sandbox::start(dir, Options::default()).await.map_err(|error| sentence(&error))?;
        let mut open = match Self::with_settings(dir, &sandbox.config_path).await {
            Ok(open) => open,
            Err(why) => {
                sandbox.stop().await;
                return Err(why);
            }
        };
        if let Some((running, remotes)) = open.running.get_mut() {
            sandbox.call_back_to(&running.url);
            *remotes = Some(sandbox);
        }
        Ok(open)
    }

    /// Hands one call to the engine, in the name of this window's operator.
    pub(crate) async fn call(&self, call: Call) -> Answer {
        let Call { method, path, query, body, lang } = call;
        let (person, lang) = (self.operator.clone(), Lang::from_header(&lang));
        let reply = self.engine.call(Request { method, path, query, person, lang, body }).await;
        Answer { status: reply.status, content_type: reply.content_type.to_owned(), body: reply.body }
    }

    /// Hears of each commit from now on.
    pub(crate) fn changes(&self) -> broadcast::Receiver<Change> {
        self.engine.changes()
    }

    /// Commits after `seq`, oldest first, at most `limit`; none when they cannot be read.
    pub(crate) async fn changes_since(&self, seq: i64, limit: i64) -> Vec<Change> {
        self.engine.changes_since(seq, limit).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "changes that were missed could not be read");
            Vec::new()
        })
    }

    /// Stops taking work, lets remote calls finish within the limit, and then ends the practice remotes.
    pub(crate) async fn stop(&self, limit: Duration) {
        let Some((running, sandbox)) = self.running.lock().await.take() else { return };
        running.stop(limit).await;
        if let Some(sandbox) = sandbox {
            sandbox.stop().await;
        }
    }
}

/// The same words as a sentence.
fn sentence(error: &impl ToString) -> String {
    let words = error.to_string();
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}. Nothing was started.", letters.as_str())
}
