//! Making the local state agree with the remotes, by listed moves only: the look of one request, and the sweep of merged ones.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use crate::{
    engine::Core,
    flow::{Actor, Event, Outlook, Step, table},
    ports::{
        error::{ErrorClass, RemoteError, RemoteResult},
        forge::{MrState, PipelineVerdict, Readiness},
        journal::Scope,
    },
    run::{
        caught,
        commit::{first_look, millis, transition},
    },
    say,
    stages::{
        self, Advance, Bench, Outcome, Pause, checks, deploy,
        outcome::told,
        remote::{self, Reading, project_of},
    },
    store::{
        StoreResult,
        moves::{Moved, Transition},
        operation::{Facts, LastError, Millis, Operation},
    },
};

/// A reconcile look: reads everything, writes to no remote.
pub async fn look(core: &Arc<Core>, bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let outcome = match operation.step {
        Step::ApprovalSending | Step::ApprovalWaiting => stages::approval::read(bench, operation).await,
        Step::HandleRebasing | Step::HandleRebasePending => stages::handle::rebase::run(bench, operation).await,
        Step::HandleMerged | Step::DeployFailed => merged(core, bench, operation).await,
        step if checks::waits_in(step) => checks::run(bench, operation).await,
        _ => match observe(bench, operation).await {
            Ok(outcome) => outcome,
            Err(error) => Pause {
                facts: operation.facts.clone(),
                after: None,
                error: Some((error.class, told(&error))),
                spends_look: false,
                verdicts: Vec::new(),
            }
            .into(),
        },
    };
    listed(operation, outcome)
}

/// Only listed moves: an exhausted ladder is no finding, and what the table does not list is told in words.
fn listed(operation: &Operation, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Move(advance)
            if advance.event == Event::WaitExhausted || !table::lists(operation.step, advance.event) =>
        {
            let mut facts = advance.facts;
            facts.seen = advance.reason.or(facts.seen);
            Pause { facts, after: None, error: None, spends_look: false, verdicts: Vec::new() }.into()
        }
        other => other,
    }
}

/// Reads the merge request, its pipeline and approvals where no stage waits for them.
async fn observe(bench: &Bench<'_>, operation: &Operation) -> RemoteResult<Outcome> {
    let mut facts = operation.facts.clone();
    let pause =
        |facts| Outcome::from(Pause { facts, after: None, error: None, spends_look: false, verdicts: Vec::new() });
    if facts.mr.is_none() {
        let ticket = bench.desk.by_request(&bench.scope, &operation.operation_id).await?;
        facts.seen = Some(match ticket {
            Some(ticket) => say!("reconcile.ticket_only", ticket = ticket.id, state = ticket.state.word()),
            None => say!("reconcile.nothing_there"),
        });
        return Ok(pause(facts));
    }
    let mr = match remote::read(bench, operation, &mut facts).await? {
        Reading::Ended(outcome) => return Ok(outcome),
        Reading::Ours(mr) | Reading::Locked(mr) => mr,
        Reading::Absent => {
            return Ok(pause(facts));
        }
    };
    if operation.step == Step::HandleMergePending
        && let Readiness::Blocked(word) = &mr.readiness
    {
        let message = stages::handle::merge::blocked(mr.iid, word);
        return Ok(Advance::with(Event::MergeFailed, Actor::system(), facts)
            .failing(ErrorClass::Terminal, message)
            .into());
    }
    let project = project_of(&facts);
    let approved = bench.forge.approvals(&bench.scope, &project, mr.iid).await?;
    facts.believed.approved_by.clone_from(&approved);
    let pipelines = bench.forge.pipelines(&bench.scope, &project, mr.iid).await?;
    let newest = pipelines.iter().filter(|p| Some(&p.sha) == mr.head_sha.as_ref()).max_by_key(|p| p.id);
    let pipeline = newest.map_or_else(|| "-".to_owned(), |p| format!("#{} {}", p.id, p.status));
    let green = newest.is_some_and(|p| p.verdict == PipelineVerdict::Passed);
    let state = if mr.state == MrState::Opened { mr.readiness_word.clone() } else { mr.state.word().to_owned() };
    facts.seen = Some(say!("reconcile.open", iid = mr.iid, state = state, pipeline = pipeline, approved = approved));
    tracing::debug!(green, "reconcile look");
    Ok(pause(facts))
}

/// What the remotes show of a merged request. Nothing of it can move the request; it is what is believed from now on.
async fn glance(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<()> {
    let Some(iid) = facts.mr.as_ref().map(|mr| mr.iid) else { return Ok(()) };
    let project = project_of(facts);
    if let Some(mr) = bench.forge.merge_request(&bench.scope, &project, iid).await? {
        remote::believe(bench, facts, &mr);
    }
    bench.forge.pipelines(&bench.scope, &project, iid).await?;
    facts.believed.approved_by = bench.forge.approvals(&bench.scope, &project, iid).await?;
    bench.desk.by_request(&bench.scope, &operation.operation_id).await.map(drop)
}

/// A merged request: a deploy result that came in, else the watermark of its project. A remote that does not answer keeps
/// neither from counting.
async fn merged(core: &Arc<Core>, bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    let silent = glance(bench, operation, &mut facts).await.err();
    if let Outcome::Move(advance) = deploy::run(bench, operation).await {
        return Outcome::Move(advance);
    }
    let iid = operation.facts.mr.as_ref().map_or(u64::MAX, |mr| mr.iid);
    let found = effective(core, &bench.scope, operation).await;
    if let Ok(Some(advance)) = found {
        return advance.into();
    }
    let marks = core.store.watermarks().await.unwrap_or_default();
    let highest = marks.iter().find(|(project, _)| *project == operation.facts.project).map(|(_, iid)| *iid);
    facts.seen = Some(say!("reconcile.not_effective", iid = iid, highest = highest.unwrap_or(0)));
    let silent = silent.or(match found {
        Err(Trouble::Remote(error)) => Some(error),
        _ => None,
    });
    let error = silent.map(|error| (error.class, told(&error)));
    Pause { facts, after: None, error, spends_look: false, verdicts: Vec::new() }.into()
}

/// Why it is not known whether a request is effective.
enum Trouble {
    Store(crate::store::StoreError),
    Remote(RemoteError),
}

/// The move that the deploys called back so far bring to a merged request.
async fn effective(core: &Core, scope: &Scope, operation: &Operation) -> Result<Option<Advance>, Trouble> {
    let iid = operation.facts.mr.as_ref().map_or(u64::MAX, |mr| mr.iid);
    let marks = core.store.deploys_from(&operation.facts.project, iid).await.map_err(Trouble::Store)?;
    deploy::by_marks(core.forge.as_ref(), scope, operation, &marks).await.map_err(Trouble::Remote)
}

/// Says in the history what a reconcile look found although nothing moved.
pub async fn note(core: &Arc<Core>, operation: &Operation, pause: Pause, at: Millis) -> StoreResult<()> {
    let settings = core.settings();
    let found = match (&pause.error, &pause.facts.seen) {
        (Some((_, message)), _) => message.clone(),
        (None, Some(seen)) => say!("reconcile.in_line", seen = seen.clone()),
        (None, None) => say!("reconcile.agrees"),
    };
    // Where the ladder has ended nobody looks by himself any more; a look on demand begins no new one. And a step that
    // acts goes on acting soon, however long the pause between two looks is.
    let after = pause.after.filter(|_| !matches!(operation.step.outlook(), Outlook::Unknown | Outlook::Running));
    let due_at = after.map(|after| at + millis(after)).or_else(|| {
        first_look(
            operation.step,
            &pause.facts,
            &settings,
            at + millis(settings.gitlab.wait.ladder(&crate::settings::LadderPart::default()).short.get()),
        )
    });
    let error = match pause.error {
        Some((class, message)) => Some(LastError { class: class.word().into(), message, at }),
        None => operation.error.clone(),
    };
    let mut note = still(operation, "reconcile_found", Actor::system(), at);
    note.reason = Some(found);
    note.due_at = due_at;
    note.facts = pause.facts;
    note.facts.seen.clone_from(&operation.facts.seen);
    note.error = error;
    note.releases = true;
    note.fulfils = Some("reconcile");
    note.verdicts = pause.verdicts.into_iter().map(|(id, verdict, why)| (id, verdict.word(), why)).collect();
    core.store.commit(note).await.map(drop)
}

/// A row of history that moves nothing.
#[must_use]
pub fn still(operation: &Operation, event: &str, actor: Actor, at: Millis) -> Transition {
    Transition {
        operation_id: operation.operation_id.clone(),
        version: operation.version,
        from: operation.step,
        from_status: operation.status,
        to: operation.step,
        event: event.into(),
        actor,
        reason: None,
        evidence: None,
        at,
        entered_at: operation.entered_at,
        due_at: operation.due_at,
        facts: operation.facts.clone(),
        error: operation.error.clone(),
        wish: None,
        fulfils: None,
        releases: false,
        new_version: false,
        new_attempt: false,
        verdicts: Vec::new(),
        compensation: None,
        text: None,
    }
}

/// What a sweep came to (contract.md, section 4).
#[derive(Debug, Default, Serialize, ts_rs::TS)]
pub struct Swept {
    /// Merged requests looked at.
    pub scanned: usize,
    /// Those that are effective, and by which evidence.
    pub advanced: Vec<AdvancedBySweep>,
    /// Those that go on waiting.
    pub waiting: Vec<WaitingForDeploy>,
    /// The highest merge request number called back, for each project.
    pub highest_mr_iid: BTreeMap<String, u64>,
}

/// A request that a sweep found effective.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct AdvancedBySweep {
    /// Which request.
    pub operation_id: String,
    /// By which evidence.
    pub evidence: &'static str,
    /// Its project.
    pub project: String,
    /// Its merge request.
    pub mr_iid: u64,
}

/// A request that a sweep left waiting.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct WaitingForDeploy {
    /// Which request.
    pub operation_id: String,
    /// Its project.
    pub project: String,
    /// Its merge request.
    pub mr_iid: u64,
}

/// One sweep: `mr_iid <= highest` is effective, else it waits. A dry run moves nothing.
pub async fn sweep(core: &Arc<Core>, dry_run: bool) -> StoreResult<Swept> {
    let settings = core.settings();
    let now = core.now();
    let (oldest, newest) = (now - millis(settings.deploy.max_age.get()), now - millis(settings.deploy.min_age.get()));
    let highest: BTreeMap<String, u64> = core.store.watermarks().await?.into_iter().collect();
    let mut swept = Swept { highest_mr_iid: highest.clone(), ..Swept::default() };
    for operation in core.store.merged_between(oldest, newest, now).await? {
        swept.scanned += 1;
        let (operation_id, project) = (operation.operation_id.clone(), operation.facts.project.clone());
        let mr_iid = operation.facts.mr.as_ref().map_or(u64::MAX, |mr| mr.iid);
        let advance = match caught(effective(core, &Scope::unrecorded(), &operation)).await {
            Some(Ok(advance)) => advance,
            Some(Err(Trouble::Store(error))) => return Err(error),
            None => {
                tracing::error!(
                    operation = operation_id,
                    "the sweep panicked; this is a bug, and only this request is affected"
                );
                None
            }
            Some(Err(Trouble::Remote(error))) => {
                tracing::warn!(operation = operation_id, %error, "GitLab could not say whether a deploy holds a merge; the next sweep asks again");
                None
            }
        };
        let Some(advance) = advance else {
            swept.waiting.push(WaitingForDeploy { operation_id, project, mr_iid });
            continue;
        };
        let evidence = advance.evidence.unwrap_or("watermark");
        if dry_run || flip(core, &operation, advance).await? {
            swept.advanced.push(AdvancedBySweep { operation_id, evidence, project, mr_iid });
        }
    }
    Ok(swept)
}

/// The one function that makes a request effective: exactly one caller wins the row.
async fn flip(core: &Arc<Core>, operation: &Operation, advance: Advance) -> StoreResult<bool> {
    let Ok(mut transition) = transition(operation, advance, &core.settings(), core.now()) else { return Ok(false) };
    transition.releases = false;
    let moved = core.commit(transition).await?;
    Ok(matches!(moved, Moved::To(_)))
}
