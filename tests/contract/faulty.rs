//! Writes by their names, and rules that let one of them meet one fault: the one that its request is named after.

use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
};

use serde_json::Value;

use crate::proxy::{Call, FAULTS, Fault, Rules};

/// Every write that we send to a remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Write {
    Ticket,
    Cancel,
    Commit,
    Open,
    Approve,
    Rebase,
    Merge,
    Close,
}

impl Write {
    pub fn word(self) -> &'static str {
        match self {
            Self::Ticket => "ticket",
            Self::Cancel => "cancel",
            Self::Commit => "commit",
            Self::Open => "open",
            Self::Approve => "approve",
            Self::Rebase => "rebase",
            Self::Merge => "merge",
            Self::Close => "close",
        }
    }

    /// What a call writes; None for a read.
    fn of(call: &Call) -> Option<Self> {
        let parts: Vec<&str> = call.target.split('?').next()?.trim_matches('/').split('/').collect();
        match (call.method.as_str(), parts.as_slice()) {
            ("POST", ["approvals"]) => Some(Self::Ticket),
            ("POST", ["approvals", _, "cancel"]) => Some(Self::Cancel),
            ("POST", [.., "repository", "commits"]) => Some(Self::Commit),
            ("POST", [.., "merge_requests"]) => Some(Self::Open),
            ("POST", [.., "merge_requests", _, "approve"]) => Some(Self::Approve),
            ("PUT", [.., "merge_requests", _, "rebase"]) => Some(Self::Rebase),
            ("PUT", [.., "merge_requests", _, "merge"]) => Some(Self::Merge),
            ("PUT", [.., "merge_requests", _]) => Some(Self::Close),
            _ => None,
        }
    }
}

/// The name of a request whose write `write` meets `fault`.
pub fn name(write: Write, fault: Fault) -> String {
    format!("{}-{}", write.word(), fault.word())
}

/// Lets each request meet the fault that it is named after, once for each account.
#[derive(Default)]
pub struct ByName {
    /// Requests by what is in the path of later calls: `merge_requests/7`, `approvals/AP-3`.
    known: Mutex<HashMap<String, String>>,
    met: Mutex<HashSet<String>>,
}

impl ByName {
    /// Names of requests whose fault has been met.
    pub fn met(&self) -> HashSet<String> {
        self.met.lock().unwrap().iter().filter_map(|met| met.split(' ').next().map(str::to_owned)).collect()
    }

    /// Says which request a later path belongs to, where the call that made it went another way.
    pub fn know(&self, place: &str, name: &str) {
        self.known.lock().unwrap().insert(place.to_owned(), name.to_owned());
    }

    fn name(&self, call: &Call) -> Option<String> {
        let said = ["title", "commit_message"].iter().find_map(|key| call.body[*key].as_str());
        if let Some(name) = said.and_then(|text| text.lines().next()) {
            return Some(name.to_owned());
        }
        let known = self.known.lock().unwrap();
        let place = place_in(&call.target)?;
        known.get(&place).cloned()
    }
}

/// The part of a path that names a merge request of a project, or a ticket.
fn place_in(target: &str) -> Option<String> {
    let parts: Vec<&str> = target.split('?').next()?.trim_matches('/').split('/').collect();
    match parts.as_slice() {
        ["approvals", id, ..] => Some(format!("approvals/{id}")),
        [.., project, "merge_requests", iid] | [.., project, "merge_requests", iid, _] => {
            Some(format!("{project}/merge_requests/{iid}"))
        }
        _ => None,
    }
}

impl Rules for ByName {
    fn fault(&self, call: &Call) -> Option<Fault> {
        let write = Write::of(call)?;
        let request = self.name(call)?;
        let fault = FAULTS.into_iter().find(|fault| request == name(write, *fault))?;
        let once = format!("{request} {} {}", call.target, call.token);
        self.met.lock().unwrap().insert(once).then_some(fault)
    }

    fn answered(&self, call: &Call, answer: &Value) {
        let place = match Write::of(call) {
            Some(Write::Open) => answer["iid"].as_u64().map(|iid| {
                let project = answer["project_id"].as_u64().unwrap_or_default();
                format!("{project}/merge_requests/{iid}")
            }),
            Some(Write::Ticket) => answer["approval_id"].as_str().map(|id| format!("approvals/{id}")),
            _ => None,
        };
        if let (Some(place), Some(name)) = (place, self.name(call)) {
            self.know(&place, &name);
        }
    }
}
