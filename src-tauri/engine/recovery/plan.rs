//! The calls that a button would make, in order, with those left out whose effect is there already.

use serde::Serialize;

use crate::{
    flow::Step,
    say,
    settings::ApproveApi,
    stages::remote::project_of,
    store::operation::Operation,
    words::{Lang, Sentence, short},
};

use super::{Action, remotes::RemoteReading};

/// A call of a plan.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct PlannedCall {
    /// `gitlab` or `approval`.
    pub remote: &'static str,
    /// HTTP method.
    pub method: &'static str,
    /// Path.
    pub path: String,
    /// `read` or `write`.
    #[ts(type = "\"read\" | \"write\"")]
    pub effect: &'static str,
    /// True where the effect is there already.
    pub skip: bool,
    /// Why it is made or left out.
    pub why: String,
    /// Whose credential, where it is not the bot's.
    pub account: Option<String>,
    /// True where an earlier call decides whether it is made.
    pub conditional: bool,
}

/// Builds a plan.
pub(super) struct Planner<'a> {
    operation: &'a Operation,
    reading: &'a RemoteReading,
    lang: Lang,
    calls: Vec<PlannedCall>,
}

/// The calls that `action` would make from here, given what the remotes say now.
#[must_use]
pub fn calls(
    operation: &Operation,
    action: Action,
    to: Step,
    reading: &RemoteReading,
    approve_api: ApproveApi,
    lang: Lang,
) -> Vec<PlannedCall> {
    let mut planner = Planner { operation, reading, lang, calls: Vec::new() };
    match (action, to) {
        (Action::Reconcile, _) => planner.look(),
        (_, Step::ApprovalSending) => planner.send_ticket(),
        (_, Step::ApprovalWaiting) => planner.read_ticket(),
        (_, Step::CreateStarted) => planner.create(),
        (_, Step::CreatePipelineRunning | Step::HandlePipelineRunning) => planner.look_at_checks(),
        (_, Step::HandleRebasing) => planner.rebase(),
        (_, Step::HandleStarted) => planner.handle(approve_api),
        (_, Step::CloseStarted) => planner.close(),
        _ => {}
    }
    planner.calls
}

impl Planner<'_> {
    fn gitlab(&self, path: &str) -> String {
        format!("/api/v4/projects/{}{path}", project_of(&self.operation.facts))
    }

    fn mr(&self, path: &str) -> String {
        let iid = self.operation.facts.mr.as_ref().map_or(0, |mr| mr.iid);
        self.gitlab(&format!("/merge_requests/{iid}{path}"))
    }

    fn add(
        &mut self,
        remote: &'static str,
        method: &'static str,
        path: String,
        skip: bool,
        why: &Sentence,
    ) -> &mut PlannedCall {
        self.calls.push(PlannedCall {
            remote,
            method,
            path,
            effect: if method == "GET" { "read" } else { "write" },
            skip,
            why: why.render(self.lang),
            account: None,
            conditional: false,
        });
        let last = self.calls.len() - 1;
        &mut self.calls[last]
    }

    fn opened(&self) -> bool {
        self.reading.mr_state.as_deref() == Some("opened")
    }

    fn send_ticket(&mut self) {
        let id = self.operation.operation_id.clone();
        let there = self.reading.ticket.is_some();
        self.add("approval", "GET", format!("/approvals/by-request/{id}"), false, &say!("plan.find_ticket"));
        let why = if there { say!("plan.ticket_there") } else { say!("plan.make_ticket") };
        self.add("approval", "POST", "/approvals".into(), there, &why);
    }

    fn read_ticket(&mut self) {
        let id = self.operation.facts.ticket.as_ref().map_or("", |ticket| ticket.id.as_str());
        self.add("approval", "GET", format!("/approvals/{id}"), false, &say!("plan.read_ticket"));
    }

    fn create(&mut self) {
        let branch = self.operation.facts.branch.clone();
        let closed = self.operation.step == Step::HandleMrClosed;
        let open = self.opened() && !closed;
        let list = format!("/merge_requests?source_branch={branch}&state=all");
        self.add("gitlab", "GET", self.gitlab(&list), false, &say!("plan.find_mr"));
        let branch_path = format!("/repository/branches/{}", branch.replace('/', "%2F"));
        self.add("gitlab", "GET", self.gitlab(&branch_path), open, &say!("plan.find_branch"));
        let why = if open { say!("plan.commit_there") } else { say!("plan.make_commit", branch = branch) };
        self.add("gitlab", "POST", self.gitlab("/repository/commits"), open, &why).conditional = !open;
        let why = if open { say!("plan.mr_there") } else { say!("plan.make_mr") };
        self.add("gitlab", "POST", self.gitlab("/merge_requests"), open, &why);
        self.add("gitlab", "GET", self.mr("/pipelines"), false, &say!("plan.read_pipelines")).conditional = true;
    }

    fn look_at_checks(&mut self) {
        self.add("gitlab", "GET", self.mr(""), false, &say!("plan.read_mr"));
        self.add("gitlab", "GET", self.mr("/pipelines"), false, &say!("plan.read_pipelines"));
    }

    fn rebase(&mut self) {
        self.add("gitlab", "GET", self.mr(""), false, &say!("plan.read_mr"));
        self.add("gitlab", "PUT", self.mr("/rebase"), false, &say!("plan.rebase")).conditional = true;
    }

    fn handle(&mut self, approve_api: ApproveApi) {
        self.add("gitlab", "GET", self.mr(""), false, &say!("plan.read_mr"));
        self.add("gitlab", "GET", self.mr("/approvals"), false, &say!("plan.read_approvals"));
        let sha = self.reading.head_sha.as_deref().map(short).unwrap_or_default().to_owned();
        for reviewer in self.reading.reviewers.clone() {
            let there = self.reading.approved_by.contains(&reviewer);
            let why = match (there, approve_api) {
                (true, _) => say!("plan.approval_there", sha = sha.clone()),
                (false, ApproveApi::Classic) => say!("plan.approve", sha = sha.clone()),
                (false, ApproveApi::Checklist) => say!("plan.approve_checklist", sha = sha.clone()),
            };
            self.add("gitlab", "POST", self.mr("/approve"), there, &why).account = Some(reviewer);
        }
        self.add("gitlab", "GET", self.mr("/approvals"), false, &say!("plan.read_back_approvals"));
        self.add("gitlab", "PUT", self.mr("/merge"), false, &say!("plan.merge", sha = sha)).conditional = true;
        self.add("gitlab", "GET", self.mr(""), false, &say!("plan.read_back")).conditional = true;
    }

    fn close(&mut self) {
        if self.operation.has_mr() {
            let open = self.opened();
            self.add("gitlab", "GET", self.mr(""), false, &say!("plan.read_mr"));
            let why = if open { say!("plan.close_mr") } else { say!("plan.mr_not_open") };
            self.add("gitlab", "PUT", self.mr(""), !open, &why);
        }
        if let Some(ticket) = self.reading.ticket.clone() {
            let open = !matches!(ticket.state.as_str(), "approved" | "rejected" | "withdrawn");
            self.add("approval", "GET", format!("/approvals/{}", ticket.id), false, &say!("plan.read_ticket"));
            let why = if open { say!("plan.cancel_ticket") } else { say!("plan.ticket_decided", state = ticket.state) };
            self.add("approval", "POST", format!("/approvals/{}/cancel", ticket.id), !open, &why);
        }
    }

    fn look(&mut self) {
        if self.operation.has_mr() {
            self.add("gitlab", "GET", self.mr(""), false, &say!("plan.read_mr"));
            self.add("gitlab", "GET", self.mr("/pipelines"), false, &say!("plan.read_pipelines"));
            self.add("gitlab", "GET", self.mr("/approvals"), false, &say!("plan.read_approvals"));
        }
        let id = self.operation.operation_id.clone();
        self.add("approval", "GET", format!("/approvals/by-request/{id}"), false, &say!("plan.find_ticket"));
    }
}
