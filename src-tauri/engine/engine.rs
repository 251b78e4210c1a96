//! The engine as a whole: what it is made of, how it starts, and how it stops.

use std::{path::Path, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use serde_json::Value;
use tokio::{
    sync::{Notify, broadcast},
    task::Id,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{info, warn};

use crate::{
    documents::kinds::Catalogue,
    health::Health,
    ports::{approval::ApprovalDesk, chance::Chance, clock::Clock, forge::Forge},
    run::{backups, keep_going, scheduler, timers},
    settings::{Flow, Settings},
    store::{
        Store, StoreError, StoreResult,
        moves::{Moved, Transition},
        operation::Millis,
        outbox::Change,
    },
};

/// Changes that a listener may lag behind before it has to read them from the store.
const CHANGES: usize = 1024;

/// What an engine is made of.
pub struct Parts {
    /// Settings of the file; switches that were turned while running are laid over them.
    pub settings: Arc<ArcSwap<Settings>>,
    /// Change kinds.
    pub catalogue: Catalogue,
    /// The forge.
    pub forge: Arc<dyn Forge>,
    /// The approval system.
    pub desk: Arc<dyn ApprovalDesk>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Ids and randomness.
    pub chance: Arc<dyn Chance>,
    /// How remotes reach us, without a trailing slash: `http://127.0.0.1:43211`.
    pub callback_base: String,
    /// Secret of approval callbacks.
    pub approval_secret: secrecy::SecretString,
    /// Secret of deploy callbacks.
    pub deploy_secret: secrecy::SecretString,
    /// Secret of GitLab's own hooks.
    pub gitlab_secret: Option<secrecy::SecretString>,
    /// Where the practice remotes are, when the settings lead to them; shown by the status call.
    pub sandbox: Option<Value>,
}

/// What all parts of a running engine share.
pub struct Core {
    pub(crate) store: Store,
    pub(crate) settings: Arc<ArcSwap<Settings>>,
    pub(crate) catalogue: Catalogue,
    pub(crate) forge: Arc<dyn Forge>,
    pub(crate) desk: Arc<dyn ApprovalDesk>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chance: Arc<dyn Chance>,
    pub(crate) callback_base: String,
    pub(crate) secrets: CallbackSecrets,
    pub(crate) sandbox: Option<Value>,
    pub(crate) health: Health,
    pub(crate) scheduler: Notify,
    pub(crate) timers: Notify,
    pub(crate) run_id: String,
    committed: Notify,
    changes: broadcast::Sender<Change>,
}

/// Secrets that callbacks are checked with.
pub(crate) struct CallbackSecrets {
    pub(crate) approval: secrecy::SecretString,
    pub(crate) deploy: secrecy::SecretString,
    pub(crate) gitlab: Option<secrecy::SecretString>,
}

impl Core {
    /// Now, in milliseconds since 1970.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now().timestamp_millis()
    }

    /// Settings as they are now.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        self.settings.load_full()
    }

    /// Where tickets send their callbacks.
    pub(crate) fn approval_callback(&self) -> String {
        format!("{}/callbacks/approval", self.callback_base)
    }

    /// Wakes whoever sleeps until something is committed.
    pub(crate) fn wake(&self) {
        self.scheduler.notify_one();
        self.timers.notify_one();
        self.committed.notify_one();
    }

    /// Commits a transition and wakes whoever waits for one.
    pub(crate) async fn commit(&self, transition: Transition) -> StoreResult<Moved> {
        let moved = self.store.commit(transition).await?;
        self.wake();
        Ok(moved)
    }
}

/// A running engine. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    pub(crate) core: Arc<Core>,
    tasks: TaskTracker,
    loops: TaskTracker,
    loop_tasks: [Id; 3],
    stop: CancellationToken,
}

impl Engine {
    /// Opens the store, takes back what a dead process held, and starts the loops.
    pub async fn open(data_dir: &Path, parts: Parts) -> StoreResult<Self> {
        let store = Store::open(data_dir).await?;
        lay_switches_over(&store, &parts.settings).await?;
        let taken_back = store.take_back_leases().await?;
        store.take_back_compensations().await?;
        if taken_back > 0 {
            info!(requests = taken_back, "requests that were being worked on are taken up again from the remote truth");
        }
        let (changes, _) = broadcast::channel(CHANGES);
        let run_id = parts.chance.operation_id();
        let core = Arc::new(Core {
            store,
            settings: parts.settings,
            catalogue: parts.catalogue,
            forge: parts.forge,
            desk: parts.desk,
            clock: parts.clock,
            chance: parts.chance,
            callback_base: parts.callback_base,
            secrets: CallbackSecrets {
                approval: parts.approval_secret,
                deploy: parts.deploy_secret,
                gitlab: parts.gitlab_secret,
            },
            sandbox: parts.sandbox,
            health: Health::default(),
            scheduler: Notify::new(),
            timers: Notify::new(),
            run_id,
            committed: Notify::new(),
            changes,
        });
        let from = core.store.last_change_seq().await?;
        if let Some(latest) = core.store.latest_moment().await? {
            scheduler::follow_clock(&core, latest).await?;
        }
        let (tasks, loops, stop) = (TaskTracker::new(), TaskTracker::new(), CancellationToken::new());
        let (working, ends) = (tasks.clone(), stop.clone());
        let schedule = move |core, stop| scheduler::run(core, working.clone(), stop);
        let loop_tasks = [
            loops.spawn(keep_going("takers of due requests", core.clone(), ends.clone(), schedule)).id(),
            loops.spawn(keep_going("timers", core.clone(), ends.clone(), timers::run)).id(),
            loops.spawn(keep_going("daily backups", core.clone(), ends.clone(), backups::run)).id(),
        ];
        loops.spawn(tell_changes(core.clone(), from, ends));
        Ok(Self { core, tasks, loops, loop_tasks, stop })
    }

    /// The tasks that take due requests, keep the timers and make the backups, in this order, as tokio numbers them.
    #[must_use]
    pub fn loop_tasks(&self) -> [Id; 3] {
        self.loop_tasks
    }

    /// Changes from now on, each after its commit.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.core.changes.subscribe()
    }

    /// Changes after a place in the order of commits, oldest first.
    pub async fn changes_since(&self, seq: i64, limit: i64) -> Result<Vec<Change>, StoreError> {
        self.core.store.changes_since(seq, limit).await
    }

    /// How many requests are being acted on or stand on a ladder.
    pub async fn in_flight(&self) -> StoreResult<i64> {
        let counts = self.core.store.counts().await?;
        Ok(counts.iter().filter(|(_, _, outlook, _)| outlook == "running" || outlook == "waiting").map(|c| c.3).sum())
    }

    /// Settings as they are now, switches included.
    #[must_use]
    pub fn settings(&self) -> Arc<Settings> {
        self.core.settings()
    }

    /// Takes no new work, lets running stages finish for at most `limit`, and closes the store. Safe at any time.
    pub async fn stop(&self, limit: Duration) {
        self.stop.cancel();
        self.loops.close();
        self.tasks.close();
        // The loops make remote calls as well: a sweep, a compensation.
        let ended = async {
            self.loops.wait().await;
            self.tasks.wait().await;
        };
        if tokio::time::timeout(limit, ended).await.is_err() {
            warn!("some remote calls did not finish in time; their requests are taken up again at the next start");
        }
        self.core.store.close().await;
    }
}

/// Switches that were turned while running win over the settings file.
async fn lay_switches_over(store: &Store, settings: &ArcSwap<Settings>) -> StoreResult<()> {
    for (name, value) in store.switches().await? {
        if name == "flow" {
            match serde_json::from_value::<Flow>(value) {
                Ok(flow) => {
                    let mut changed = settings.load().as_ref().clone();
                    changed.flow = flow;
                    settings.store(Arc::new(changed));
                }
                Err(error) => warn!(%error, "the stored flow switches cannot be read; the settings file counts"),
            }
        }
    }
    Ok(())
}

/// Reads what was committed and tells listeners, in the order of the commits.
async fn tell_changes(core: Arc<Core>, mut seq: i64, stop: CancellationToken) {
    const PAGE: i64 = 256;
    while !stop.is_cancelled() {
        let woken = core.committed.notified();
        match core.store.changes_since(seq, PAGE).await {
            Ok(changes) => {
                let full = i64::try_from(changes.len()).unwrap_or(PAGE) == PAGE;
                for change in changes {
                    seq = change.seq;
                    // Nobody listening is fine: whoever comes later reads from the store.
                    drop(core.changes.send(change));
                }
                if full {
                    continue;
                }
            }
            Err(error) => warn!(%error, "changes could not be read; listeners are told with the next commit"),
        }
        tokio::select! {
            () = stop.cancelled() => break,
            () = woken => {}
        }
    }
}
