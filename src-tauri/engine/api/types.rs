//! The shapes of answers (contract.md, section 4). The UI's types are made from these.

use serde::Serialize;
use serde_json::Value;

use crate::{
    engine::Core,
    flow::{Outlook, Step},
    sentence,
    settings::{FlowOrder, Ladder},
    store::operation::{Millis, Operation},
    words::{Lang, Sentence},
};

use super::time;

/// A step.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct StepView {
    /// Public code.
    #[ts(type = "number")]
    pub code: i64,
    /// Public name.
    pub name: &'static str,
}

impl StepView {
    pub(super) fn of(code: i64) -> Self {
        Self { code, name: Step::from_code(code).map_or("?", Step::name) }
    }
}

/// What a request waits for.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct WaitingView {
    /// `pipeline`, `rebase`, `merge`, `approval`, `deploy` or `retry`.
    pub what: &'static str,
    /// The last look.
    pub look: u32,
    /// The last look there will be; null where looking has no end.
    pub max_looks: Option<u32>,
    /// When the next look comes; null where only an event helps.
    pub next_look_at: Option<String>,
}

/// A merge request.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct MrView {
    /// Project path.
    pub project: String,
    /// Number in the project.
    #[ts(type = "number")]
    pub iid: u64,
    /// Page for people.
    pub web_url: String,
    /// The head this request made.
    pub head_sha: Option<String>,
}

/// A ticket.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct TicketView {
    /// Id at the approval system.
    pub id: String,
    /// Page for people.
    pub url: Option<String>,
    /// The state last read.
    pub state: Option<String>,
}

/// What went wrong last.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct ErrorView {
    /// Error class.
    pub class: String,
    /// What happened.
    pub message: String,
    /// When.
    pub at: String,
}

/// A request.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
#[allow(missing_docs, reason = "the names are the contract's")]
pub struct OperationView {
    pub operation_id: String,
    pub kind: String,
    pub title: String,
    pub subject_id: String,
    pub target_key: String,
    pub status: &'static str,
    pub step: StepView,
    pub outlook: Outlook,
    pub sentence: String,
    pub hint: String,
    #[ts(type = "number")]
    pub version: i64,
    pub flow_order: FlowOrder,
    #[ts(type = "{ [key: string]: JsonValue }")]
    pub fields: Value,
    pub comment: Option<String>,
    pub owner: bool,
    pub attempts: u32,
    pub rebases: u32,
    pub waiting: Option<WaitingView>,
    pub mr: Option<MrView>,
    pub ticket: Option<TicketView>,
    pub project: String,
    pub branch: String,
    pub target_branch: String,
    pub merged_sha: Option<String>,
    pub requested_by: String,
    pub created_at: String,
    pub updated_at: String,
    pub entered_at: String,
    #[ts(type = "number | null")]
    pub usual_ms: Option<i64>,
    pub last_error: Option<ErrorView>,
    pub stalled: bool,
}

/// A request as the API shows it, in a language.
pub(crate) fn view(core: &Core, operation: &Operation, usual: &[(i64, i64)], lang: Lang) -> OperationView {
    let facts = &operation.facts;
    let render = |sentence: &Sentence| sentence.render(lang);
    let code = i64::from(operation.step.code());
    OperationView {
        operation_id: operation.operation_id.clone(),
        kind: operation.kind.clone(),
        title: core
            .catalogue
            .get(&operation.kind)
            .map_or_else(|| operation.kind.clone(), |kind| kind.title.in_language(lang.tag()).to_owned()),
        subject_id: operation.subject_id.clone(),
        target_key: operation.target_key.clone(),
        status: operation.status.word(),
        step: StepView::of(code),
        outlook: operation.step.outlook(),
        sentence: render(&sentence::of(operation)),
        hint: render(&sentence::hint(operation)),
        version: operation.version,
        flow_order: operation.flow_order,
        fields: operation.fields.clone(),
        comment: operation.comment.clone(),
        owner: operation.owner,
        attempts: operation.attempts,
        rebases: facts.rebases,
        waiting: waiting(core, operation),
        mr: facts.mr.as_ref().map(|mr| MrView {
            project: facts.project.clone(),
            iid: mr.iid,
            web_url: mr.web_url.clone(),
            head_sha: facts.head.clone(),
        }),
        ticket: facts.ticket.as_ref().map(|ticket| TicketView {
            id: ticket.id.clone(),
            url: ticket.url.clone(),
            state: ticket.state.clone(),
        }),
        project: facts.project.clone(),
        branch: facts.branch.clone(),
        target_branch: facts.target_branch.clone(),
        merged_sha: facts.merged_sha.clone(),
        requested_by: operation.requested_by.clone(),
        created_at: time(operation.created_at),
        updated_at: time(operation.updated_at),
        entered_at: time(operation.entered_at),
        usual_ms: usual.iter().find(|(step, _)| *step == code).map(|(_, ms)| *ms),
        last_error: operation.error.as_ref().map(|error| ErrorView {
            class: error.class.clone(),
            message: render(&error.message),
            at: time(error.at),
        }),
        stalled: stalled(core, operation),
    }
}

fn waiting(core: &Core, operation: &Operation) -> Option<WaitingView> {
    let settings = core.settings();
    let wait = &settings.gitlab.wait;
    let of = |what, ladder: Ladder| (what, Some(ladder.max_looks));
    let (what, max_looks) = match operation.step {
        Step::CreatePipelineRunning | Step::HandlePipelineRunning => of("pipeline", wait.ladder(&wait.pipeline)),
        Step::HandleRebasing => of("rebase", wait.ladder(&wait.rebase)),
        Step::ApprovalWaiting => ("approval", None),
        Step::HandleMerged => ("deploy", None),
        Step::HandleApproved if operation.look > 0 => of("merge", wait.ladder(&wait.merge)),
        step if step.outlook() == Outlook::Running && operation.look > 0 => ("retry", None),
        _ => return None,
    };
    Some(WaitingView { what, look: operation.look, max_looks, next_look_at: operation.due_at.map(time) })
}

/// Overdue although nobody works on it: this should be impossible, and is shown where it happens all the same.
fn stalled(core: &Core, operation: &Operation) -> bool {
    const GRACE_MS: Millis = 60_000;
    let active = operation.step.is_active();
    active && operation.due_at.is_none_or(|due| due < core.now() - GRACE_MS) && !operation.leased
}
