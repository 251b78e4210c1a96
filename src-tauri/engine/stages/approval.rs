//! The ticket: made once under the request's own id, then read until somebody has decided.

use serde_json::json;

use crate::{
    flow::{Actor, ActorKind, Event, Step, table},
    ports::{
        approval::{NewTicket, Ticket, TicketState},
        error::{ErrorClass, RemoteError, RemoteResult},
    },
    say,
    store::{
        compensations::{CLOSE_MR, NewCompensation},
        operation::{Facts, Operation, TicketFacts},
    },
    words::Sentence,
};

use super::{
    Advance, Bench, Outcome, Pause,
    outcome::{backoff, told},
    remote::{self, Reading},
};

/// 10401: finds the ticket by the request id, and makes it where there is none.
pub async fn send(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let facts = operation.facts.clone();
    match find_or_make(bench, operation, &facts).await {
        Ok(ticket) => {
            let facts = Facts { ticket: Some(ticket_facts(&ticket)), stumbles: 0, seen: None, ..facts };
            Advance::with(Event::ApprovalSent, Actor::system(), facts)
                .because(say!("approval.sent", ticket = ticket.id))
                .into()
        }
        Err(error) => unsent(bench, operation, facts, &error),
    }
}

async fn find_or_make(bench: &Bench<'_>, operation: &Operation, facts: &Facts) -> RemoteResult<Ticket> {
    if let Some(ticket) = bench.desk.by_request(&bench.scope, &operation.operation_id).await? {
        return Ok(ticket);
    }
    let ext = facts.mr.as_ref().map_or_else(|| json!({}), |mr| json!({"mrId": mr.iid.to_string()}));
    let new = NewTicket {
        request_id: operation.operation_id.clone(),
        operation_id: operation.operation_id.clone(),
        kind: operation.kind.clone(),
        title: facts.title.clone(),
        summary: format!("{} -> {}", operation.subject_id, operation.target_key),
        fields: operation.fields.clone(),
        requested_by: operation.requested_by.clone(),
        callback_url: bench.approval_callback.clone(),
        ext,
    };
    bench.desk.create(&bench.scope.attempt(facts.stumbles + 1), &new).await
}

fn unsent(bench: &Bench<'_>, operation: &Operation, mut facts: Facts, error: &RemoteError) -> Outcome {
    if error.class == ErrorClass::Superseded {
        return Outcome::Drop;
    }
    let retries = u32::try_from(bench.settings.approval.max_retries.max(0)).unwrap_or(u32::MAX);
    let tries = facts.stumbles + 1;
    let message = told(error);
    if !error.class.passes() || tries > retries {
        facts.stumbles = 0;
        return Advance::with(Event::ApprovalSendFailed, Actor::system(), facts)
            .failing(error.class, say!("approval.not_sent", tries = tries, why = message))
            .into();
    }
    let pause = backoff(bench.settings.approval.backoff.get(), tries).max(error.retry_after.unwrap_or_default());
    facts.stumbles = tries;
    facts.seen = Some(say!("approval.retrying", tries = tries, of = retries.saturating_add(1)));
    let _ = operation;
    Pause { facts, after: Some(pause), error: Some((error.class, message)), spends_look: true, verdicts: Vec::new() }
        .into()
}

/// 10402: reads the ticket, and the merge request where there is one.
pub async fn read(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    match look(bench, operation, &mut facts).await {
        Ok(outcome) => outcome,
        Err(error) if error.class == ErrorClass::Superseded => Outcome::Drop,
        Err(error) => {
            let message = told(&error);
            facts.stumbles += 1;
            facts.seen = Some(message.clone());
            let soon =
                backoff(bench.settings.approval.backoff.get(), facts.stumbles).min(std::time::Duration::from_secs(60));
            let after = soon.max(error.retry_after.unwrap_or_default());
            Pause {
                facts,
                after: Some(after),
                error: Some((error.class, message)),
                spends_look: true,
                verdicts: Vec::new(),
            }
            .into()
        }
    }
}

async fn look(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Outcome> {
    if facts.mr.is_some()
        && let Reading::Ended(outcome) = remote::read(bench, operation, facts).await?
    {
        return Ok(outcome);
    }
    let found = match facts.ticket.as_ref() {
        Some(ticket) => bench.desk.ticket(&bench.scope, &ticket.id).await?,
        None => bench.desk.by_request(&bench.scope, &operation.operation_id).await?,
    };
    facts.stumbles = 0;
    let Some(ticket) = found else {
        facts.seen = Some(match operation.step {
            Step::ApprovalSending => say!("reconcile.nothing_there"),
            _ => say!("approval.ticket_gone"),
        });
        return Ok(wait(bench, facts));
    };
    facts.ticket = Some(TicketFacts { url: ticket.url.clone().or_else(|| url(facts)), ..ticket_facts(&ticket) });
    Ok(decided(bench, operation, facts, &ticket))
}

fn url(facts: &Facts) -> Option<String> {
    facts.ticket.as_ref().and_then(|ticket| ticket.url.clone())
}

fn decided(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, ticket: &Ticket) -> Outcome {
    let who = ticket.decided_by.clone().unwrap_or_else(|| "approval".into());
    let (event, reason) = match &ticket.state {
        TicketState::Approved => (Event::ApprovalGranted, say!("approval.granted")),
        TicketState::Rejected => (Event::ApprovalDenied, say!("approval.denied")),
        TicketState::Withdrawn => (Event::ApprovalWithdrawn, say!("approval.withdrawn")),
        TicketState::Pending => {
            facts.seen = None;
            return wait(bench, facts);
        }
        TicketState::Other(word) => {
            facts.seen = Some(say!("approval.unknown_state", ticket = ticket.id.clone(), state = word.clone()));
            return wait(bench, facts);
        }
    };
    if !table::lists(operation.step, event) {
        return Outcome::rest(operation);
    }
    let why = ticket.reason.clone().unwrap_or_default();
    let reason = if why.is_empty() { reason } else { Sentence::new(&format!("{}_because", reason.code)) };
    let reason = reason.with("who", who.clone()).with("ticket", ticket.id.clone()).with("why", why);
    facts.seen = None;
    let mut advance = Advance::with(event, Actor::new(ActorKind::Approval, who), facts.clone()).because(reason);
    advance.verdicts = verdicts(bench, ticket.state.word());
    if event != Event::ApprovalGranted
        && let Some(mr) = &facts.mr
    {
        advance.compensation = Some(NewCompensation {
            kind: CLOSE_MR,
            operation_id: operation.operation_id.clone(),
            step: operation.step.code(),
            content: json!({"project": remote::project_of(facts), "iid": mr.iid}),
            max_retries: 10,
        });
    }
    advance.into()
}

/// The first parked delivery that says what the desk says is the one that was applied; the others are told why not.
fn verdicts(bench: &Bench<'_>, state: &str) -> Vec<(i64, &'static str, Sentence)> {
    let mut applied = false;
    bench
        .parked
        .iter()
        .filter(|event| event.source == "approval")
        .map(|event| {
            if event.says == state && !applied {
                applied = true;
                (event.id, "applied", say!("event.confirmed", state = state))
            } else if event.says == state {
                (event.id, "ignored_stale", say!("event.same_again", state = state))
            } else {
                (event.id, "ignored_stale", say!("event.overruled", said = event.says.clone(), state = state))
            }
        })
        .collect()
}

/// Waits for the next poll; an unconfirmed callback and an open merge request are looked at sooner.
fn wait(bench: &Bench<'_>, facts: &Facts) -> Outcome {
    let poll = bench.settings.approval.poll;
    let mut after = (!poll.is_off()).then(|| poll.get());
    if facts.mr.is_some() || !bench.parked.is_empty() {
        let long = bench.ladder().long.get();
        after = Some(after.map_or(long, |poll| poll.min(long)));
    }
    Pause { facts: facts.clone(), after, error: None, spends_look: true, verdicts: Vec::new() }.into()
}

fn ticket_facts(ticket: &Ticket) -> TicketFacts {
    TicketFacts { id: ticket.id.clone(), url: ticket.url.clone(), state: Some(ticket.state.word().into()) }
}
