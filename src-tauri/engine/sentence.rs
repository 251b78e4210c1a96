//! The one sentence of a request: where it is, why, and what comes next; and the hint for whoever asked for it.

use crate::{
    flow::{Outlook, Step},
    say,
    store::operation::Operation,
    words::{Sentence, short},
};

/// Where it is, why, and what comes next.
#[must_use]
pub fn of(operation: &Operation) -> Sentence {
    let facts = &operation.facts;
    if operation.step.outlook() == Outlook::Failed
        && let Some(error) = &operation.error
    {
        return error.message.clone();
    }
    let iid = facts.mr.as_ref().map_or(0, |mr| mr.iid);
    let ticket = facts.ticket.as_ref().map(|ticket| ticket.id.clone()).unwrap_or_default();
    let target = facts.target_branch.clone();
    let sha = |sha: &Option<String>| sha.as_deref().map(short).unwrap_or_default().to_owned();
    if let Some(seen) = &facts.seen
        && !operation.step.is_terminal()
        && operation.step.outlook() != Outlook::Unknown
    {
        return seen.clone();
    }
    match operation.step {
        Step::ApprovalSending => say!("now.approval_sending"),
        Step::ApprovalWaiting => say!("now.approval_waiting", ticket = ticket),
        Step::ApprovalRejected => say!("now.rejected"),
        Step::ApprovalWithdrawn => say!("now.withdrawn"),
        Step::CreateStarted => say!("now.creating", branch = facts.branch.clone()),
        Step::CreatePipelineRunning | Step::HandlePipelineRunning => {
            say!("now.pipeline", iid = iid, sha = sha(&facts.head))
        }
        Step::CreatePipelinePending | Step::HandlePipelinePending => say!("now.pipeline_unknown", iid = iid),
        Step::CreateSucceeded => say!("now.checks_passed", iid = iid),
        Step::HandleStarted => say!("now.approving", iid = iid, sha = sha(&facts.head)),
        Step::HandleApproved => say!("now.merging", iid = iid, target = target),
        Step::HandleRebasing => say!("now.rebasing", iid = iid, target = target),
        Step::HandleRebasePending => say!("now.rebase_unknown", iid = iid),
        Step::HandleMergePending => say!("now.merge_unknown", iid = iid),
        Step::HandleMerged => say!("now.merged", iid = iid, sha = sha(&facts.merged_sha), target = target),
        Step::CalledBack => say!("now.effective", iid = iid),
        Step::CloseStarted => say!("now.closing"),
        Step::CloseSucceeded => say!("now.closed"),
        step => say!("now.failed", step = step.to_string()),
    }
}

/// For the requester: a definite failure says whom to turn to, an unknown result that it is safe to keep waiting.
#[must_use]
pub fn hint(operation: &Operation) -> Sentence {
    match (operation.step.outlook(), operation.step) {
        (Outlook::Running, _) => say!("hint.running"),
        (Outlook::Waiting, Step::ApprovalWaiting) => say!("hint.approval"),
        (Outlook::Waiting, Step::HandleMerged) => say!("hint.deploy"),
        (Outlook::Waiting, _) => say!("hint.waiting"),
        (Outlook::Unknown, _) => say!("hint.unknown"),
        (Outlook::Failed, Step::CreateOverloaded) => say!("hint.overloaded"),
        (Outlook::Failed, Step::DeployFailed) => say!("hint.deploy_failed"),
        (Outlook::Failed, _) => say!("hint.failed"),
        (Outlook::Done, Step::CalledBack) => say!("hint.effective"),
        (Outlook::Done, _) => say!("hint.ended"),
    }
}
