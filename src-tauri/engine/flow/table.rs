//! THE transition table (workflow.md, section 4). Every write of a step goes through it; legality, chart and the
//! database's own check are derived from it.

use super::{event::Event, status::Step};
use crate::settings::FlowOrder;

/// Who can cause a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A person at the console.
    Operator,
    /// The engine, by what it did or read.
    Engine,
    /// A decision in the approval system.
    Approval,
    /// Something in GitLab: a pipeline, a person.
    Gitlab,
    /// The deploy pipeline, by callback or sweep.
    Deploy,
}

impl Cause {
    /// The word of the chart.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Engine => "engine",
            Self::Approval => "approval",
            Self::Gitlab => "gitlab",
            Self::Deploy => "deploy",
        }
    }
}

/// What must hold of the request for a row to apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Nothing.
    Always,
    /// It began approval-first.
    ApprovalFirst,
    /// It began mr-first.
    MrFirst,
    /// It has no merge request.
    NoMr,
    /// It has a merge request.
    HasMr,
}

impl Guard {
    /// True when the request satisfies it.
    #[must_use]
    pub fn holds(self, order: FlowOrder, has_mr: bool) -> bool {
        match self {
            Self::Always => true,
            Self::ApprovalFirst => order == FlowOrder::ApprovalFirst,
            Self::MrFirst => order == FlowOrder::MrFirst,
            Self::NoMr => !has_mr,
            Self::HasMr => has_mr,
        }
    }

    /// The words of the chart; empty for no guard.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Always => "",
            Self::ApprovalFirst => "approval-first",
            Self::MrFirst => "mr-first",
            Self::NoMr => "no MR yet",
            Self::HasMr => "has an MR",
        }
    }
}

/// One row of the table, for one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The step it leaves; None for a new request.
    pub from: Option<Step>,
    /// What happened.
    pub event: Event,
    /// The step it enters. The same step means: something is done, nothing moves.
    pub to: Step,
    /// When the row applies.
    pub guard: Guard,
    /// Who can cause it.
    pub by: Cause,
}

/// A row as it is written below: several origins share a line.
struct Row {
    from: &'static [Option<Step>],
    event: Event,
    to: Step,
    guard: Guard,
    by: Cause,
}

macro_rules! origins {
    (new) => { &[None] };
    ($($step:ident)+) => { &[$(Some(Step::$step)),+] };
}

macro_rules! rows {
    ($($from:tt $event:ident => $to:ident, $guard:ident, $by:ident;)+) => {
        &[$(Row { from: rows!(@from $from), event: Event::$event, to: Step::$to, guard: Guard::$guard, by: Cause::$by }),+]
    };
    (@from [$($step:ident)+]) => { origins!($($step)+) };
    (@from ($set:ident)) => { $set };
}

/// A pair of step and event that the table does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{event}` is not a legal move from {from}; nothing was changed", event = .event.word(), from = origin(*.from))]
pub struct Illegal {
    /// The step it stood at.
    pub from: Option<Step>,
    /// The event that was refused.
    pub event: Event,
}

fn origin(from: Option<Step>) -> String {
    from.map_or_else(|| "the start".into(), |step| step.to_string())
}

/// Steps that may have an open merge request and are not merged: somebody may merge or close it there.
const WITH_OPEN_MR: &[Option<Step>] = origins![
    CreateStarted CreateSucceeded CreateFailed CreatePipelineFailed CreatePipelineRunning CreateConflict
    HandleStarted HandleApproved HandleApproveFailed HandleMergeFailed HandleRebaseConflict HandlePipelineFailed
    HandleRebasing HandlePipelineRunning HandleHeadMoved ApprovalSending ApprovalWaiting ApprovalSendFailed
    HandlePipelinePending CreatePipelinePending HandleRebasePending HandleMergePending
];

/// Steps that are neither done nor merged nor closing already.
const CLOSABLE: &[Option<Step>] = origins![
    CreateStarted CreateSucceeded CreateFailed CreatePipelineFailed CreatePipelineRunning CreateOverloaded CreateConflict
    HandleStarted HandleApproved HandleApproveFailed HandleMergeFailed HandleRebaseConflict HandlePipelineFailed
    HandleRebasing HandlePipelineRunning HandleHeadMoved HandleMrClosed CloseFailed
    ApprovalSending ApprovalWaiting ApprovalSendFailed
    HandlePipelinePending CreatePipelinePending HandleRebasePending HandleMergePending
];

static ROWS: &[Row] = rows! {
    // from                                    event                 to                       guard          by
    // -- submission
    [new]                                      Submit             => ApprovalSending,         ApprovalFirst, Operator;
    [new]                                      Submit             => CreateStarted,           MrFirst,       Operator;
    [new]                                      SubmitOverloaded   => CreateOverloaded,        Always,        Operator;
    [CreateOverloaded]                         Resume             => ApprovalSending,         ApprovalFirst, Operator;
    [CreateOverloaded]                         Resume             => CreateStarted,           MrFirst,       Operator;
    // -- approval
    [ApprovalSending]                          ApprovalSent       => ApprovalWaiting,         Always,        Engine;
    [ApprovalSending]                          ApprovalSendFailed => ApprovalSendFailed,      Always,        Engine;
    [ApprovalSendFailed]                       Resume             => ApprovalSending,         Always,        Operator;
    [ApprovalSendFailed]                       RetryApproval      => ApprovalSending,         Always,        Operator;
    [ApprovalSending ApprovalWaiting]          ApprovalGranted    => CreateStarted,           NoMr,          Approval;
    [ApprovalSending ApprovalWaiting]          ApprovalGranted    => HandleStarted,           HasMr,         Approval;
    [ApprovalSending ApprovalWaiting]          ApprovalDenied     => ApprovalRejected,        Always,        Approval;
    [ApprovalSending ApprovalWaiting]          ApprovalWithdrawn  => ApprovalWithdrawn,       Always,        Approval;
    [ApprovalWaiting]                          RetryApproval      => ApprovalWaiting,         Always,        Operator;
    // -- create
    [CreateStarted]                            MrOpened           => CreatePipelineRunning,   Always,        Engine;
    [CreateStarted]                            CreateFailed       => CreateFailed,            Always,        Engine;
    [CreateStarted]                            CreateConflict     => CreateConflict,          Always,        Engine;
    [CreateFailed CreatePipelineFailed]        Resume             => CreateStarted,           Always,        Operator;
    [CreateConflict]                           Resume             => CreateStarted,           Always,        Operator;
    // -- checks
    [CreatePipelineRunning]                    PipelinePassed     => CreateSucceeded,         Always,        Gitlab;
    [CreatePipelineRunning]                    PipelineFailed     => CreatePipelineFailed,    Always,        Gitlab;
    [CreatePipelineRunning]                    WaitExhausted      => CreatePipelinePending,   Always,        Engine;
    [CreatePipelinePending]                    PipelinePassed     => CreateSucceeded,         Always,        Gitlab;
    [CreatePipelinePending]                    PipelineFailed     => CreatePipelineFailed,    Always,        Gitlab;
    [CreatePipelinePending]                    Resume             => CreatePipelineRunning,   Always,        Operator;
    [CreateSucceeded]                          Handle             => HandleStarted,           ApprovalFirst, Engine;
    [CreateSucceeded]                          SendApproval       => ApprovalSending,         MrFirst,       Engine;
    // -- robot approvals
    [HandleStarted]                            Approved           => HandleApproved,          Always,        Engine;
    [HandleStarted]                            ApproveFailed      => HandleApproveFailed,     Always,        Engine;
    [HandleApproveFailed]                      Resume             => HandleStarted,           Always,        Operator;
    [HandleApproveFailed]                      RetryApproval      => HandleStarted,           Always,        Operator;
    // -- merge
    [HandleApproved]                           Merged             => HandleMerged,            Always,        Engine;
    [HandleApproved]                           NeedsRebase        => HandleRebasing,          Always,        Engine;
    [HandleApproved]                           RebaseConflict     => HandleRebaseConflict,    Always,        Gitlab;
    [HandleApproved]                           ApprovalLost       => HandleStarted,           Always,        Gitlab;
    [HandleApproved]                           MergeFailed        => HandleMergeFailed,       Always,        Engine;
    [HandleApproved]                           WaitExhausted      => HandleMergePending,      Always,        Engine;
    [HandleMergePending]                       Merged             => HandleMerged,            Always,        Engine;
    [HandleMergePending]                       MergeFailed        => HandleMergeFailed,       Always,        Engine;
    [HandleMergePending]                       Resume             => HandleStarted,           Always,        Operator;
    // -- the rebase loop
    [HandleRebasing]                           Rebased            => HandlePipelineRunning,   Always,        Gitlab;
    [HandleRebasing]                           RebaseConflict     => HandleRebaseConflict,    Always,        Gitlab;
    [HandleRebasing]                           WaitExhausted      => HandleRebasePending,     Always,        Engine;
    [HandleRebasePending]                      Rebased            => HandlePipelineRunning,   Always,        Gitlab;
    [HandleRebasePending]                      RebaseConflict     => HandleRebaseConflict,    Always,        Gitlab;
    [HandleRebasePending]                      Resume             => HandleRebasing,          Always,        Operator;
    [HandlePipelineRunning]                    PipelinePassed     => HandleStarted,           Always,        Gitlab;
    [HandlePipelineRunning]                    PipelineFailed     => HandlePipelineFailed,    Always,        Gitlab;
    [HandlePipelineRunning]                    WaitExhausted      => HandlePipelinePending,   Always,        Engine;
    [HandlePipelinePending]                    PipelinePassed     => HandleStarted,           Always,        Gitlab;
    [HandlePipelinePending]                    PipelineFailed     => HandlePipelineFailed,    Always,        Gitlab;
    [HandlePipelinePending]                    Resume             => HandlePipelineRunning,   Always,        Operator;
    [HandleMergeFailed HandleRebaseConflict]   Resume             => HandleStarted,           Always,        Operator;
    [HandlePipelineFailed HandleHeadMoved]     Resume             => HandleStarted,           Always,        Operator;
    [HandleMrClosed]                           Resume             => CreateStarted,           Always,        Operator;
    // -- people in GitLab
    (WITH_OPEN_MR)                             RemoteMerged       => HandleMerged,            Always,        Gitlab;
    [HandleMrClosed CloseStarted CloseFailed]  RemoteMerged       => HandleMerged,            Always,        Gitlab;
    (WITH_OPEN_MR)                             RemoteClosed       => HandleMrClosed,          Always,        Gitlab;
    [CreateSucceeded CreatePipelineRunning]    HeadMoved          => HandleHeadMoved,         Always,        Gitlab;
    [HandleStarted HandleApproved]             HeadMoved          => HandleHeadMoved,         Always,        Gitlab;
    [HandleRebasing HandlePipelineRunning]     HeadMoved          => HandleHeadMoved,         Always,        Gitlab;
    [ApprovalWaiting]                          HeadMoved          => HandleHeadMoved,         HasMr,         Gitlab;
    // -- the safety net of the running steps
    [CreateStarted CreateSucceeded]            StepFailed         => CreateFailed,            Always,        Engine;
    [HandleStarted]                            StepFailed         => HandleApproveFailed,     Always,        Engine;
    [HandleApproved]                           StepFailed         => HandleMergeFailed,       Always,        Engine;
    [CloseStarted]                             StepFailed         => CloseFailed,             Always,        Engine;
    [ApprovalSending]                          StepFailed         => ApprovalSendFailed,      Always,        Engine;
    // -- effective
    [HandleMerged DeployFailed]                Deployed           => CalledBack,              Always,        Deploy;
    [HandleMerged DeployFailed]                Reconciled         => CalledBack,              Always,        Deploy;
    [HandleMerged]                             DeployFailed       => DeployFailed,            Always,        Deploy;
    // -- closing
    (CLOSABLE)                                 Close              => CloseStarted,            Always,        Operator;
    [CloseStarted]                             Closed             => CloseSucceeded,          Always,        Engine;
    [CloseStarted]                             CloseFailed        => CloseFailed,             Always,        Engine;
    [CloseFailed]                              Resume             => CloseStarted,            Always,        Operator;
};

/// Every move, one for each origin.
pub fn moves() -> impl Iterator<Item = Move> {
    ROWS.iter().flat_map(|row| {
        row.from.iter().map(move |&from| Move { from, event: row.event, to: row.to, guard: row.guard, by: row.by })
    })
}

/// Where an event leads from a step, or the refusal that names both.
pub fn next(from: Option<Step>, event: Event, order: FlowOrder, has_mr: bool) -> Result<Step, Illegal> {
    moves()
        .find(|row| row.from == from && row.event == event && row.guard.holds(order, has_mr))
        .map(|row| row.to)
        .ok_or(Illegal { from, event })
}

/// True when the table has a row for this step and event under some guard.
#[must_use]
pub fn lists(from: Step, event: Event) -> bool {
    moves().any(|row| row.from == Some(from) && row.event == event)
}

/// The failed step that a running step declares for unforeseen errors.
#[must_use]
pub fn failed_step_of(step: Step) -> Option<Step> {
    moves().find(|row| row.from == Some(step) && row.event == Event::StepFailed).map(|row| row.to)
}
