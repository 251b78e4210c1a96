//! An approval system in memory.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::Value;
use signalbox_engine::ports::{
    approval::{ApprovalDesk, Cancelled, NewTicket, Ticket, TicketState},
    error::RemoteResult,
    journal::Scope,
};

use super::wire::{Ask, Said, Wire};

/// A ticket, and what was sent along.
#[derive(Debug, Clone)]
pub struct Held {
    pub ticket: Ticket,
    pub fields: Value,
}

/// The desk. Cheap to clone; every clone is the same desk.
#[derive(Clone)]
pub struct FakeDesk {
    pub wire: Wire,
    tickets: Arc<Mutex<Vec<Held>>>,
    /// The number of the first ticket, for desks that count; else `T-1`.
    first: Arc<Mutex<Option<u64>>>,
}

impl FakeDesk {
    pub fn new(wire: Wire) -> Self {
        Self { wire, tickets: Arc::default(), first: Arc::default() }
    }

    /// All tickets, in the order they were made.
    pub fn tickets(&self) -> Vec<Held> {
        self.tickets.lock().unwrap().clone()
    }

    /// The ticket of a request.
    pub fn of(&self, request_id: &str) -> Option<Ticket> {
        let held = self.tickets();
        held.into_iter().map(|held| held.ticket).find(|ticket| ticket.request_id.as_deref() == Some(request_id))
    }

    /// Somebody decides at the desk: `approved`, `rejected`, `withdrawn`, or any other word. Tells nobody.
    pub fn decide(&self, request_id: &str, word: &str, who: &str, reason: Option<&str>) {
        let mut tickets = self.tickets.lock().unwrap();
        let ours = |held: &&mut Held| held.ticket.request_id.as_deref() == Some(request_id);
        let held = tickets.iter_mut().find(ours).unwrap_or_else(|| panic!("no ticket of {request_id}"));
        held.ticket.state = TicketState::from_word(word);
        held.ticket.decided_by = Some(who.into());
        held.ticket.reason = reason.map(str::to_owned);
    }

    /// From now on tickets are numbered from here.
    pub fn number_from(&self, first: u64) {
        *self.first.lock().unwrap() = Some(first);
    }

    /// The tickets are lost.
    pub fn forget(&self, request_id: &str) {
        self.tickets.lock().unwrap().retain(|held| held.ticket.request_id.as_deref() != Some(request_id));
    }

    async fn run<T: Send + 'static>(
        &self,
        scope: &Scope,
        (name, method, path, about): (&'static str, &'static str, String, String),
        act: impl FnOnce(&mut Vec<Held>) -> Said<T> + Send + 'static,
    ) -> RemoteResult<T> {
        let write = method != "GET";
        let account = "bot".into();
        let ask = Ask { remote: "approval", name, account, method, path, write, sha: None, about };
        let tickets = self.tickets.clone();
        self.wire.call(scope, ask, move || act(&mut tickets.lock().unwrap())).await
    }
}

#[async_trait]
impl ApprovalDesk for FakeDesk {
    async fn create(&self, scope: &Scope, new: &NewTicket) -> RemoteResult<Ticket> {
        let new = new.clone();
        let call = ("create", "POST", "/approvals".to_owned(), new.request_id.clone());
        let first = *self.first.lock().unwrap();
        self.run(scope, call, move |tickets| {
            if let Some(held) = tickets.iter().find(|held| held.ticket.request_id.as_ref() == Some(&new.request_id)) {
                return Said { result: Ok(held.ticket.clone()), applied: false };
            }
            let made = tickets.len() as u64;
            let id = first.map_or_else(|| format!("T-{}", made + 1), |first| (first + made).to_string());
            let ticket = Ticket {
                url: Some(format!("http://desk.test/{id}")),
                id,
                request_id: Some(new.request_id),
                state: TicketState::Pending,
                decided_by: None,
                reason: None,
                ext: new.ext,
            };
            tickets.push(Held { ticket: ticket.clone(), fields: new.fields });
            Said { result: Ok(ticket), applied: true }
        })
        .await
    }

    async fn ticket(&self, scope: &Scope, id: &str) -> RemoteResult<Option<Ticket>> {
        let id = id.to_owned();
        let call = ("ticket", "GET", format!("/approvals/{id}"), id.clone());
        self.run(scope, call, move |tickets| Said {
            result: Ok(tickets.iter().find(|held| held.ticket.id == id).map(|held| held.ticket.clone())),
            applied: false,
        })
        .await
    }

    async fn by_request(&self, scope: &Scope, request_id: &str) -> RemoteResult<Option<Ticket>> {
        let id = request_id.to_owned();
        let call = ("by_request", "GET", format!("/approvals/by-request/{id}"), id.clone());
        self.run(scope, call, move |tickets| {
            let ours = |held: &&Held| held.ticket.request_id.as_ref() == Some(&id);
            Said { result: Ok(tickets.iter().find(ours).map(|held| held.ticket.clone())), applied: false }
        })
        .await
    }

    async fn cancel(&self, scope: &Scope, id: &str, reason: &str) -> RemoteResult<Cancelled> {
        let (id, reason) = (id.to_owned(), reason.to_owned());
        let call = ("cancel", "POST", format!("/approvals/{id}/cancel"), id.clone());
        self.run(scope, call, move |tickets| {
            let held = tickets.iter_mut().find(|held| held.ticket.id == id);
            let decided = |state: &TicketState| !matches!(state, TicketState::Pending | TicketState::Other(_));
            match held {
                Some(held) if !decided(&held.ticket.state) => {
                    held.ticket.state = TicketState::Withdrawn;
                    held.ticket.reason = Some(reason);
                    Said { result: Ok(Cancelled::Done), applied: true }
                }
                _ => Said { result: Ok(Cancelled::DecidedAlready), applied: false },
            }
        })
        .await
    }

    async fn probe(&self, _: &Scope) -> RemoteResult<()> {
        Ok(())
    }
}
