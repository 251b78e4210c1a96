//! One leased request: run its stage, commit what it says, give the lease back.

use std::{panic::AssertUnwindSafe, sync::Arc};

use async_trait::async_trait;
use futures::FutureExt as _;
use tracing::{Instrument as _, error, info, info_span, warn};

use crate::{
    engine::Core,
    flow::{Actor, Event, Outlook, table},
    ports::{error::ErrorClass, journal::Scope},
    reconcile, say,
    stages::{self, Advance, Bench, Outcome, Pause, bench::Asked},
    store::{
        Store, StoreResult,
        calls::{OperationJournal, Writes},
        inbox::EventRow,
        leases::Look,
        moves::Moved,
        operation::{LastError, Millis, Operation},
    },
};

use super::commit::{millis, transition};

/// One request in the hands of one worker.
struct Held {
    operation: Operation,
    /// Under which name the lease is held.
    owner: String,
    /// The newest parked event that the stage was given.
    newest_event: i64,
}

/// Works on one request from lease to release.
pub async fn work(core: Arc<Core>, operation: Operation, owner: String) {
    let span = info_span!("work", operation = %operation.operation_id, step = operation.step.code());
    async {
        let parked = match core.store.parked(&operation.operation_id).await {
            Ok(parked) => parked,
            Err(failed) => {
                // Giving the lease back would bring the request up again at once, as often as the store fails.
                warn!(error = %failed, "parked events could not be read; the request is taken up again when its lease runs out");
                return;
            }
        };
        let newest_event = parked.iter().map(|event| event.id).max().unwrap_or(0);
        let held = Held { operation, owner, newest_event };
        let outcome = run_stage(&core, &held, parked).await;
        if let Err(failed) = settle(&core, &held, outcome).await {
            error!(error = %failed, "what the stage found could not be written; the request is taken up again when its lease runs out");
        }
        core.wake();
    }
    .instrument(span)
    .await;
}

/// Runs the stage, keeps the lease alive meanwhile, and turns a panic into a failure of this request only.
async fn run_stage(core: &Arc<Core>, held: &Held, parked: Vec<EventRow>) -> Outcome {
    let (operation, owner) = (&held.operation, held.owner.as_str());
    let settings = core.settings();
    let journal = OperationJournal::new(
        core.store.clone(),
        core.clock.clone(),
        &operation.operation_id,
        operation.version,
        owner,
    );
    let asked = OnRecord { store: core.store.clone(), operation };
    let reconciling = operation.wish.as_deref() == Some("reconcile");
    let bench = Bench {
        forge: core.forge.as_ref(),
        desk: core.desk.as_ref(),
        scope: Scope::new(Arc::new(journal)),
        settings: &settings,
        kind: core.catalogue.get(&operation.kind).cloned(),
        now: core.now(),
        approval_callback: core.approval_callback(),
        asked: &asked,
        read_only: reconciling,
        parked,
    };
    let lease = settings.engine.lease.get();
    let stage = async {
        if reconciling { reconcile::look(core, &bench, operation).await } else { stages::run(&bench, operation).await }
    };
    let mut stage = Box::pin(AssertUnwindSafe(stage).catch_unwind());
    loop {
        tokio::select! {
            done = &mut stage => return done.unwrap_or_else(|_| panicked(operation)),
            () = core.clock.sleep(lease / 3) => {
                let until = core.now() + millis(lease);
                if let Err(failed) = core.store.extend_lease(&operation.operation_id, owner, until).await {
                    warn!(error = %failed, "a lease could not be extended");
                }
            }
        }
    }
}

/// The safety net: an unforeseen error lands in the failed step that the stage declares, and nowhere else.
fn panicked(operation: &Operation) -> Outcome {
    error!("the stage panicked; this is a bug, and only this request is affected");
    let message = say!("engine.panicked", step = operation.step.name());
    if table::lists(operation.step, Event::StepFailed) {
        return Advance::new(Event::StepFailed, Actor::system(), operation)
            .failing(ErrorClass::Terminal, message)
            .into();
    }
    Pause {
        facts: operation.facts.clone(),
        after: Some(std::time::Duration::from_secs(60)),
        error: Some((ErrorClass::Terminal, message)),
        spends_look: true,
        verdicts: Vec::new(),
    }
    .into()
}

async fn settle(core: &Arc<Core>, held: &Held, outcome: Outcome) -> StoreResult<()> {
    let (operation, now) = (&held.operation, core.now());
    match outcome {
        Outcome::Drop => release(core, held).await,
        Outcome::Pause(pause) if operation.wish.as_deref() == Some("reconcile") => {
            reconcile::note(core, operation, *pause, now).await?;
            release(core, held).await
        }
        Outcome::Pause(pause) => look(core, held, *pause, now).await,
        Outcome::Move(advance) => {
            let event = advance.event;
            match transition(operation, *advance, &core.settings(), now) {
                Ok(transition) => {
                    let to = transition.to;
                    match core.store.commit(transition).await? {
                        Moved::To(version) => info!(event = event.word(), to = %to, version, "moved"),
                        Moved::Conflict => release(core, held).await?,
                    }
                    Ok(())
                }
                Err(illegal) => {
                    error!(%illegal, "a stage asked for a move that the table does not list");
                    match panicked(operation) {
                        Outcome::Pause(pause) => look(core, held, *pause, now).await,
                        Outcome::Move(advance) if advance.event != event => {
                            Box::pin(settle(core, held, Outcome::Move(advance))).await
                        }
                        _ => release(core, held).await,
                    }
                }
            }
        }
    }
}

async fn release(core: &Arc<Core>, held: &Held) -> StoreResult<()> {
    core.store.release(&held.operation.operation_id, &held.owner).await
}

async fn look(core: &Arc<Core>, held: &Held, pause: Pause, now: Millis) -> StoreResult<()> {
    let operation = &held.operation;
    let error = match pause.error {
        Some((class, message)) => Some(LastError { class: class.word().into(), message, at: now }),
        // A look that finds nothing new does not take away why the request has failed.
        None if operation.step.outlook() == Outlook::Failed => operation.error.clone(),
        None => None,
    };
    let look = Look {
        operation_id: operation.operation_id.clone(),
        version: operation.version,
        owner: held.owner.clone(),
        look: operation.look + u32::from(pause.spends_look),
        due_at: pause.after.map(|after| now + millis(after)),
        facts: pause.facts,
        error,
        wish: operation.wish.clone(),
        newest_event: held.newest_event,
        at: now,
    };
    core.store.looked(look).await?;
    for (event, verdict, reason) in pause.verdicts {
        core.store.settle_event(event, verdict, reason).await?;
    }
    Ok(())
}

/// Reads the journal for what was meant to be sent during this stay.
struct OnRecord<'a> {
    store: Store,
    operation: &'a Operation,
}

#[async_trait]
impl Asked for OnRecord<'_> {
    async fn writes(&self, suffix: &str) -> Writes {
        self.count(suffix, None).await
    }

    async fn writes_by(&self, suffix: &str, account: &str) -> Writes {
        self.count(suffix, Some(account)).await
    }
}

impl OnRecord<'_> {
    async fn count(&self, suffix: &str, account: Option<&str>) -> Writes {
        // A journal that cannot be read must not lead to a second call: count as many as forbid one.
        let unread = Writes { sent: u32::MAX, answered: u32::MAX };
        self.store.writes_in_stay(&self.operation.operation_id, suffix, account).await.unwrap_or(unread)
    }
}
