//! The buttons: which are legal and why, what the remotes say now, which calls would be made, and pressing them.

pub mod plan;
pub mod remotes;

use std::sync::Arc;

use crate::{
    engine::Core,
    flow::{Actor, Event, Step, table},
    reconcile::still,
    run::commit::first_look,
    say,
    settings::FlowOrder,
    store::{
        StoreResult,
        moves::{Moved, Transition},
        operation::Operation,
    },
    words::Sentence,
};

/// A button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Goes on from the step it stopped at.
    Resume,
    /// The approval again, under the same request id; at 10103 the robots again.
    RetryApproval,
    /// Reads every remote and agrees with it.
    Reconcile,
    /// Closes what is open and frees the relation.
    Close,
}

impl Action {
    /// In the order of the bar.
    pub const ALL: [Self; 4] = [Self::Resume, Self::RetryApproval, Self::Reconcile, Self::Close];

    /// The word of the API.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Resume => "resume",
            Self::RetryApproval => "retry-approval",
            Self::Reconcile => "reconcile",
            Self::Close => "close",
        }
    }

    /// Reads a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.word() == word)
    }

    /// The event it causes; reconcile causes none of its own.
    fn event(self) -> Option<Event> {
        match self {
            Self::Resume => Some(Event::Resume),
            Self::RetryApproval => Some(Event::RetryApproval),
            Self::Close => Some(Event::Close),
            Self::Reconcile => None,
        }
    }
}

/// May a button be pressed on a request that stands like this? The same answer that [`legal`] gives.
#[must_use]
pub fn possible(step: Step, order: FlowOrder, has_mr: bool, owner: bool, action: Action) -> bool {
    match action.event() {
        None => !step.is_terminal(),
        Some(_) if !owner && !step.is_terminal() => false,
        Some(event) => table::next(Some(step), event, order, has_mr).is_ok(),
    }
}

/// Where a button leads from here, or why it may not be pressed.
pub fn legal(operation: &Operation, action: Action) -> Result<Step, Sentence> {
    let step = operation.step;
    let Some(event) = action.event() else {
        return if step.is_terminal() { Err(ended(operation)) } else { Ok(step) };
    };
    if !operation.owner && !step.is_terminal() {
        return Err(say!("act.not_owner"));
    }
    table::next(Some(step), event, operation.flow_order, operation.has_mr()).map_err(|_| {
        if step.is_terminal() {
            ended(operation)
        } else if step.is_merged() && action == Action::Close {
            say!("act.merged")
        } else if step == Step::CloseStarted {
            say!("act.closing")
        } else if action == Action::RetryApproval {
            say!("act.no_approval_here", step = step.to_string())
        } else {
            say!("act.moving", step = step.to_string())
        }
    })
}

fn ended(operation: &Operation) -> Sentence {
    say!("act.ended", status = operation.status.word(), at = crate::words::minute(operation.entered_at))
}

/// What pressing a button came to.
pub enum Pressed {
    /// Accepted; the engine goes on from here.
    Accepted,
    /// Not legal here, and why.
    Illegal(Sentence),
    /// Somebody was first.
    Stale,
}

/// Presses a button for a person who saw `version`.
pub async fn press(
    core: &Arc<Core>,
    operation: &Operation,
    action: Action,
    version: i64,
    person: &str,
    comment: Option<String>,
) -> StoreResult<Pressed> {
    if operation.version != version {
        return Ok(Pressed::Stale);
    }
    let to = match legal(operation, action) {
        Ok(to) => to,
        Err(reason) => return Ok(Pressed::Illegal(reason)),
    };
    if operation.step == Step::CreateOverloaded && action == Action::Resume && !has_place(core).await? {
        return Ok(Pressed::Illegal(say!("act.no_place", limit = core.settings().engine.max_active)));
    }
    let reason = comment.filter(|text| !text.trim().is_empty()).map(|text| Sentence::quoted(&text));
    let mut pressed = set_going(core, operation, action, to, person);
    pressed.reason = reason;
    Ok(match core.commit(pressed).await? {
        Moved::To(_) => Pressed::Accepted,
        Moved::Conflict => Pressed::Stale,
    })
}

/// The transition of a press: a move, or a wish for a look where nothing moves yet.
fn set_going(core: &Core, operation: &Operation, action: Action, to: Step, person: &str) -> Transition {
    let at = core.now();
    let event = action.event().map_or("reconcile", Event::word);
    let mut pressed = still(operation, event, Actor::operator(person), at);
    pressed.to = to;
    if to == operation.step {
        pressed.due_at = Some(at);
        pressed.wish = Some(if action == Action::Reconcile { "reconcile" } else { "read" });
        return pressed;
    }
    pressed.new_version = true;
    pressed.new_attempt = action != Action::Close;
    pressed.error = None;
    pressed.facts.start_over();
    if operation.step == Step::HandleMrClosed && action == Action::Resume {
        pressed.facts.given_up.extend(pressed.facts.mr.take().map(|mr| mr.iid));
        pressed.facts.head = None;
    }
    pressed.due_at = first_look(to, &pressed.facts, &core.settings(), at);
    pressed
}

async fn has_place(core: &Core) -> StoreResult<bool> {
    let counts = core.store.counts().await?;
    let active: i64 = counts
        .iter()
        .filter(|(_, step, _, _)| Step::from_code(*step).is_some_and(Step::is_active))
        .map(|(_, _, _, n)| n)
        .sum();
    Ok(active < i64::from(core.settings().engine.max_active))
}

/// What pressing would do, in one sentence.
#[must_use]
pub fn consequence(operation: &Operation, action: Action, to: Step) -> Sentence {
    let iid = operation.facts.mr.as_ref().map_or(0, |mr| mr.iid);
    let target = operation.facts.target_branch.clone();
    match (action, to) {
        (Action::Reconcile, _) => say!("consequence.reconcile"),
        (Action::Close, _) if operation.has_mr() => say!("consequence.close_mr", iid = iid),
        (Action::Close, _) => say!("consequence.close_ticket"),
        (_, Step::ApprovalSending) => say!("consequence.send_ticket", id = operation.operation_id.clone()),
        (_, Step::ApprovalWaiting) => say!("consequence.read_ticket"),
        (_, Step::CreateStarted) if operation.step == Step::HandleMrClosed => {
            say!("consequence.new_mr", iid = iid, target = target)
        }
        (_, Step::CreateStarted) => say!("consequence.create", target = target),
        (_, Step::CreatePipelineRunning | Step::HandlePipelineRunning) => say!("consequence.wait_pipeline", iid = iid),
        (_, Step::HandleRebasing) => say!("consequence.wait_rebase", iid = iid),
        (_, Step::HandleStarted) => say!("consequence.handle", iid = iid, target = target),
        (_, Step::CloseStarted) => say!("consequence.close_mr", iid = iid),
        (_, step) => say!("consequence.other", step = step.to_string()),
    }
}
