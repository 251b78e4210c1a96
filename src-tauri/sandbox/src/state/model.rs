//! The stored facts: merge requests, pipelines, tickets, jobs. Branches and commits are in git, not here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::Millis;

/// The whole state of the sandbox beside its git repositories.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) ports: Ports,
    /// Switches that differ from their default.
    pub(crate) switches: BTreeMap<String, u64>,
    /// How often each switch had an effect and each kind of act took place.
    pub(crate) happened: BTreeMap<String, u64>,
    pub(crate) projects: BTreeMap<u64, Project>,
    pub(crate) tickets: BTreeMap<u64, Ticket>,
    pub(crate) jobs: BTreeMap<u64, Job>,
    /// Scheme, host and port of the newest ticket's callback URL.
    pub(crate) callback_origin: Option<String>,
    /// The last number given to a merge request, pipeline, ticket or job; one sequence for all.
    pub(crate) last_id: u64,
}

impl State {
    pub(crate) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub(crate) fn count(&mut self, what: &str) {
        *self.happened.entry(what.to_owned()).or_default() += 1;
    }

    pub(crate) fn schedule(&mut self, due: Millis, work: Work) {
        let id = self.next_id();
        self.jobs.insert(id, Job { id, due, work });
    }
}

/// The ports of the last run, used again where they are free.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ports {
    pub(crate) gitlab: u16,
    pub(crate) desk: u16,
    pub(crate) panel: u16,
}

/// A project: its merge requests and pipelines. The repository stands beside it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Project {
    pub(crate) merge_requests: BTreeMap<u64, MergeRequest>,
    pub(crate) pipelines: BTreeMap<u64, Pipeline>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MrState {
    Opened,
    Closed,
    Merged,
}

impl MrState {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Closed => "closed",
            Self::Merged => "merged",
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct MergeRequest {
    pub(crate) id: u64,
    pub(crate) iid: u64,
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) author: String,
    pub(crate) created: Millis,
    pub(crate) updated: Millis,
    pub(crate) prepared: Millis,
    pub(crate) state: MrState,
    pub(crate) head: String,
    pub(crate) base: String,
    /// Identity of what head changes since base.
    pub(crate) patch: String,
    /// The test for conflicts that was started last.
    pub(crate) check: Option<Check>,
    pub(crate) approvals: Vec<Approval>,
    /// When the approvals are looked through after a push.
    pub(crate) approvals_due: Option<Millis>,
    pub(crate) rebase: Option<Rebase>,
    pub(crate) merge_error: Option<String>,
    pub(crate) merge_commit: Option<String>,
    pub(crate) squash_commit: Option<String>,
    /// The head of the target branch right after the merge.
    pub(crate) result: Option<String>,
    pub(crate) merged_by: Option<String>,
    pub(crate) merged_at: Option<Millis>,
    pub(crate) closed_by: Option<String>,
    pub(crate) closed_at: Option<Millis>,
    pub(crate) squash: bool,
    pub(crate) remove_source: bool,
    /// Who armed the merge for when the pipeline succeeds.
    pub(crate) armed_by: Option<String>,
    /// How the last deploy of it ended; `None` while there was none.
    pub(crate) deployed: Option<Deployed>,
    pub(crate) labels: Vec<String>,
    pub(crate) notes: Vec<Note>,
}

/// How a deploy ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Deployed {
    Effective,
    Failed,
}

impl Deployed {
    /// The word of the callback.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Effective => "effective",
            Self::Failed => "failed",
        }
    }
}

/// A test for conflicts of one head against one target head; it answers at `ready`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) head: String,
    pub(crate) target: String,
    pub(crate) ready: Millis,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Approval {
    pub(crate) user: String,
    pub(crate) at: Millis,
    pub(crate) sha: String,
    pub(crate) patch: String,
}

/// A rebase that was asked for and has not ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Rebase {
    pub(crate) by: String,
    pub(crate) skip_ci: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) id: u64,
    pub(crate) author: String,
    pub(crate) at: Millis,
    pub(crate) body: String,
    pub(crate) system: bool,
}

/// How a pipeline ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Success,
    Failed,
    Canceled,
    Skipped,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::Skipped => "skipped",
        }
    }
}

/// A pipeline whose status follows from the wall clock.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Pipeline {
    pub(crate) id: u64,
    pub(crate) iid: u64,
    pub(crate) sha: String,
    pub(crate) reference: String,
    pub(crate) source: String,
    pub(crate) mr_iid: Option<u64>,
    /// Nobody sees it before this moment.
    pub(crate) created: Millis,
    pub(crate) running: Millis,
    pub(crate) finished: Millis,
    pub(crate) verdict: Verdict,
}

impl Pipeline {
    /// The word of the API at a moment; `None` before the pipeline can be seen.
    pub(crate) fn status(&self, now: Millis) -> Option<&'static str> {
        if now < self.created {
            None
        } else if now < self.running {
            Some("pending")
        } else if now < self.finished {
            Some("running")
        } else {
            Some(self.verdict.word())
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TicketState {
    Pending,
    Approved,
    Rejected,
    Withdrawn,
}

impl TicketState {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A request for approval as it lies on the desk.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Ticket {
    pub(crate) number: u64,
    pub(crate) request_id: String,
    pub(crate) operation_id: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) fields: Value,
    pub(crate) requested_by: String,
    pub(crate) callback_url: String,
    pub(crate) ext: Map<String, Value>,
    pub(crate) state: TicketState,
    pub(crate) decided_by: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) created: Millis,
    pub(crate) decided: Option<Millis>,
}

impl Ticket {
    pub(crate) fn approval_id(&self) -> String {
        format!("AP-{}", self.number)
    }
}

/// Which of the two senders a callback comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    Approval,
    Deploy,
}

impl Source {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Deploy => "deploy",
        }
    }
}

/// A callback on its way: the same id and body at every attempt.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    pub(crate) id: String,
    pub(crate) source: Source,
    /// What it is about, for the log.
    pub(crate) about: String,
    /// Where to; `None` where the address has still to be learnt.
    pub(crate) url: Option<String>,
    pub(crate) body: String,
    pub(crate) attempt: u32,
    /// Waits for a later callback to overtake it.
    pub(crate) held: bool,
}

/// Something to do at a moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) id: u64,
    pub(crate) due: Millis,
    pub(crate) work: Work,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "snake_case")]
pub(crate) enum Work {
    Rebase { project: u64, iid: u64 },
    MergeWhenGreen { project: u64, iid: u64 },
    RemoveBranch { project: u64, branch: String, sha: String },
    Deploy { project: u64, iid: u64 },
    ApproveTicket { number: u64 },
    Send { delivery: Delivery },
}
