//! 10201: closes the merge request where it is open, takes back the ticket where it is undecided, and gives way to a merge.

use crate::{
    flow::{Actor, Event},
    ports::{
        approval::{Cancelled, TicketState},
        error::RemoteResult,
        forge::{MergeRequest, MrState},
    },
    say,
    store::operation::{Facts, MrFacts, Operation, TicketFacts},
    words::Sentence,
};

use super::{
    Advance, Bench, Outcome,
    outcome::told,
    remote::{self, project_of},
};

/// Closes what is open.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    match close(bench, operation, &mut facts).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let message = told(&error);
            Outcome::stumble(operation, &bench.ladder(), facts, &error, |facts| {
                Advance::with(Event::CloseFailed, Actor::system(), facts).failing(error.class, message)
            })
        }
    }
}

async fn close(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Outcome> {
    let known = facts.mr.as_ref().map(|mr| mr.iid);
    let closing = match (find(bench, operation, facts).await?, known) {
        (Some(mr), _) => close_merge_request(bench, operation, facts, mr).await?,
        (None, Some(iid)) => absent(bench, operation, facts, iid).await?,
        (None, None) => Closing::Done(say!("close.nothing_open")),
    };
    let mut done = match closing {
        Closing::Over(outcome) => return Ok(outcome),
        Closing::Done(sentence) => sentence,
    };
    let ticket = match facts.ticket.clone() {
        Some(known) => match bench.desk.ticket(&bench.scope, &known.id).await? {
            None if !is_last_look(bench, operation) => {
                return Ok(wait(bench, operation, facts, say!("close.ticket_absent", ticket = known.id)));
            }
            read => read,
        },
        None => bench.desk.by_request(&bench.scope, &operation.operation_id).await?,
    };
    if let Some(ticket) = ticket {
        let open = matches!(ticket.state, TicketState::Pending | TicketState::Other(_));
        if open
            && bench.desk.cancel(&bench.scope, &ticket.id, "closed by the requester's team").await? == Cancelled::Done
        {
            done = say!("close.ticket_cancelled", ticket = ticket.id.clone());
        }
        facts.ticket = Some(TicketFacts {
            id: ticket.id,
            url: ticket.url.or_else(|| facts.ticket.as_ref().and_then(|ticket| ticket.url.clone())),
            state: Some(ticket.state.word().into()),
        });
    }
    facts.seen = None;
    Ok(Advance::with(Event::Closed, Actor::system(), facts.clone()).because(done).into())
}

enum Closing {
    Done(Sentence),
    Over(Outcome),
}

/// The merge request of this request, even one that was made by a call whose answer was lost.
async fn find(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Option<MergeRequest>> {
    if let Some(iid) = facts.mr.as_ref().map(|mr| mr.iid) {
        return bench.forge.merge_request(&bench.scope, &project_of(facts), iid).await;
    }
    if facts.branch.is_empty() {
        return Ok(None);
    }
    if facts.project_id.is_none() {
        // Its number was not known at submission, and the create stage may have learned it in vain: the press came first.
        let Some(project) = bench.forge.project(&bench.scope, &facts.project).await? else { return Ok(None) };
        facts.project_id = Some(project.id);
    }
    let found = bench.forge.merge_requests_of(&bench.scope, &project_of(facts), &facts.branch).await?;
    // One that was given up and is still closed is not the one that is to be closed now.
    let is_over = |mr: &MergeRequest| mr.state == MrState::Closed && facts.given_up.contains(&mr.iid);
    let is_ours = |mr: &MergeRequest| remote::carries_mark(&mr.description, &operation.operation_id) && !is_over(mr);
    let ours = found.into_iter().find(is_ours);
    if let Some(mr) = &ours {
        facts.mr = Some(MrFacts { iid: mr.iid, web_url: mr.web_url.clone() });
    }
    Ok(ours)
}

/// A merge request that we know and GitLab does not show. One 404 ends nothing; one at every look of the ladder, in a project
/// that is there, means that it was deleted.
async fn absent(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, iid: u64) -> RemoteResult<Closing> {
    let deleted =
        is_last_look(bench, operation) && bench.forge.project(&bench.scope, &project_of(facts)).await?.is_some();
    Ok(match deleted {
        true => Closing::Done(say!("close.deleted", iid = iid)),
        false => Closing::Over(wait(bench, operation, facts, say!("merge.absent", iid = iid))),
    })
}

fn is_last_look(bench: &Bench<'_>, operation: &Operation) -> bool {
    operation.look + 1 >= bench.ladder().max_looks
}

async fn close_merge_request(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &mut Facts,
    mr: MergeRequest,
) -> RemoteResult<Closing> {
    remote::believe(bench, facts, &mr);
    let iid = mr.iid;
    match mr.state {
        MrState::Merged => Ok(Closing::Over(remote::merged(bench, operation, facts, &mr).await)),
        MrState::Closed => Ok(Closing::Done(say!("close.closed_already", iid = iid))),
        MrState::Locked | MrState::Other(_) => {
            Ok(Closing::Over(wait(bench, operation, facts, say!("merge.locked", iid = iid))))
        }
        MrState::Opened => {
            bench.forge.close(&bench.scope, &project_of(facts), iid).await?;
            let Some(read) = bench.forge.merge_request(&bench.scope, &project_of(facts), iid).await? else {
                return Ok(Closing::Over(wait(bench, operation, facts, say!("merge.absent", iid = iid))));
            };
            remote::believe(bench, facts, &read);
            match read.state {
                MrState::Merged => Ok(Closing::Over(remote::merged(bench, operation, facts, &read).await)),
                MrState::Closed => Ok(Closing::Done(say!("close.closed", iid = iid))),
                _ => Ok(Closing::Over(wait(bench, operation, facts, say!("close.sent", iid = iid)))),
            }
        }
    }
}

fn wait(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts, seen: Sentence) -> Outcome {
    facts.seen = Some(seen);
    Outcome::look_again(operation, &bench.ladder(), facts.clone(), |facts| {
        let seen = facts.seen.clone().unwrap_or_else(|| say!("close.unknown"));
        Advance::with(Event::CloseFailed, Actor::system(), facts)
            .failing(crate::ports::error::ErrorClass::Ambiguous, seen)
    })
}
