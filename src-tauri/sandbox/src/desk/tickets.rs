//! What can happen to a ticket.

use serde_json::{Value, json};

use crate::callbacks;
use crate::clock::now;
use crate::state::{Source, Ticket, TicketState};
use crate::world::World;

/// A decision of a person, or of the desk itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    Approve,
    Reject,
    Withdraw,
}

impl Decision {
    pub(crate) fn read(word: &str) -> Option<Self> {
        match word {
            "approve" => Some(Self::Approve),
            "reject" => Some(Self::Reject),
            "withdraw" => Some(Self::Withdraw),
            _ => None,
        }
    }

    fn state(self) -> TicketState {
        match self {
            Self::Approve => TicketState::Approved,
            Self::Reject => TicketState::Rejected,
            Self::Withdraw => TicketState::Withdrawn,
        }
    }
}

/// The ticket behind an id such as `AP-7`.
pub(super) fn find(world: &World, id: &str) -> Option<Ticket> {
    let number: u64 = id.strip_prefix("AP-")?.parse().ok()?;
    world.read(|state| state.tickets.get(&number).cloned())
}

/// Decides a pending ticket and calls back. The error is a sentence.
pub(crate) fn decide(world: &World, id: &str, decision: Decision, actor: &str, reason: &str) -> Result<Ticket, String> {
    let number = find(world, id).map(|ticket| ticket.number).ok_or_else(|| format!("There is no ticket {id}."))?;
    let reason = Some(reason.trim()).filter(|reason| !reason.is_empty()).map(str::to_owned);
    if decision == Decision::Reject && reason.is_none() {
        return Err("A rejection needs a reason.".to_owned());
    }
    let ticket = settle(world, number, decision.state(), actor, reason)?;
    call_back(world, &ticket);
    Ok(ticket)
}

/// Gives a pending ticket its final state without calling back.
pub(super) fn settle(
    world: &World,
    number: u64,
    to: TicketState,
    actor: &str,
    reason: Option<String>,
) -> Result<Ticket, String> {
    world.write(|state| {
        let ticket = state.tickets.get_mut(&number).ok_or_else(|| "There is no such ticket.".to_owned())?;
        if ticket.state != TicketState::Pending {
            let who = ticket.decided_by.as_deref().unwrap_or("somebody");
            return Err(format!("{} is {} already, by {who}.", ticket.approval_id(), ticket.state.word()));
        }
        (ticket.state, ticket.decided, ticket.reason) = (to, Some(now()), reason);
        ticket.decided_by = Some(actor.to_owned());
        let ticket = ticket.clone();
        state.count(&format!("tickets {}", to.word()));
        Ok(ticket)
    })
}

fn call_back(world: &World, ticket: &Ticket) {
    let data = json!({
        "request_id": ticket.request_id, "approval_id": ticket.approval_id(), "operation_id": ticket.operation_id,
        "decision": ticket.state.word(), "actor": ticket.decided_by, "reason": ticket.reason,
        "ext": Value::Object(ticket.ext.clone()),
    });
    let about = format!("{} {}", ticket.approval_id(), ticket.state.word());
    let url = Some(ticket.callback_url.clone()).filter(|url| !url.is_empty());
    callbacks::queue(world, Source::Approval, &about, url, "approval.changed", &data);
}

/// The desk approves a ticket whose time has come, where it is still told to.
pub(crate) fn approve_by_itself(world: &World, number: u64) {
    if !world.on("desk.auto") {
        return;
    }
    if let Ok(ticket) = settle(world, number, TicketState::Approved, "the desk itself", None) {
        call_back(world, &ticket);
    }
}
