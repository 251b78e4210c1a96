//! What arrives after its request has ended. A call that got no answer may still be under way: a merge request that it opens
//! then, or a ticket that it makes, belongs to nobody. Nothing can keep it from arriving, so it is looked for and ended.

use std::{sync::Arc, time::Duration};

use crate::{
    engine::Core,
    flow::Step,
    ports::{
        approval::{Cancelled, TicketState},
        error::RemoteError,
        forge::MrState,
        journal::Scope,
    },
    stages::remote::{carries_mark, project_of},
    store::{
        compensations::Compensation,
        operation::{Millis, Operation},
    },
};

use super::close_merge_request;

/// Looks before it is taken for granted that nothing will come.
const LOOKS: i64 = 3;

/// The pause before the next look, each as long again as all before it three times; None when it was the last.
pub(super) fn next_look(record: &Compensation, now: Millis) -> Option<Duration> {
    let waited = u64::try_from(now - record.created_at).unwrap_or(0);
    (record.retry_count + 1 < LOOKS).then(|| Duration::from_millis(waited.saturating_mul(3).max(1000)))
}

/// One look: closes merge requests and cancels a ticket that came late.
pub(super) async fn close(core: &Arc<Core>, scope: &Scope, operation: &Operation) -> Result<&'static str, RemoteError> {
    if !operation.step.is_merged() && !operation.step.is_terminal() {
        return Ok("none");
    }
    let mut effect = close_merge_requests(core, scope, operation).await?;
    if operation.step == Step::CloseSucceeded
        && let Some(ticket) = core.desk.by_request(scope, &operation.operation_id).await?
        && ticket.state == TicketState::Pending
        && core.desk.cancel(scope, &ticket.id, "its request was closed before it arrived").await? == Cancelled::Done
    {
        effect = "applied";
    }
    Ok(effect)
}

async fn close_merge_requests(
    core: &Arc<Core>,
    scope: &Scope,
    operation: &Operation,
) -> Result<&'static str, RemoteError> {
    let facts = &operation.facts;
    if facts.branch.is_empty() {
        return Ok("none");
    }
    let mut project = project_of(facts);
    if facts.project_id.is_none() {
        let Some(known) = core.forge.project(scope, &project).await? else { return Ok("none") };
        project = known.id.to_string();
    }
    let mut effect = "none";
    for mr in core.forge.merge_requests_of(scope, &project, &facts.branch).await? {
        // The one that was merged or closed is the one that the request knows.
        let known = facts.mr.as_ref().is_some_and(|ours| ours.iid == mr.iid);
        if mr.state == MrState::Opened && !known && carries_mark(&mr.description, &operation.operation_id) {
            effect = close_merge_request(core, scope, &project, mr.iid).await?;
        }
    }
    Ok(effect)
}
