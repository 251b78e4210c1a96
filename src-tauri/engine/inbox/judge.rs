//! What a callback is about, and whether anybody waits for it (workflow.md, section 5).

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::{
    engine::Core,
    ports::journal::Scope,
    say,
    store::{
        StoreResult,
        inbox::{Verdict, not_awaited},
        operation::Operation,
    },
    words::Sentence,
};

/// Names its request by id; a desk that keeps only its own ticket id is understood as well.
#[derive(Debug, Deserialize)]
struct ApprovalData {
    #[serde(default)]
    request_id: Option<String>,
    #[serde(default)]
    operation_id: Option<String>,
    decision: String,
    #[serde(default)]
    approval_id: Value,
}

#[derive(Debug, Deserialize)]
struct DeployData {
    project: Value,
    mr_iid: u64,
    status: String,
    #[serde(default)]
    operation_id: Option<String>,
    #[serde(default)]
    sha: Option<String>,
}

impl ApprovalData {
    /// The id of the ticket, digit by digit; None where it is not told.
    fn ticket(&self) -> Option<String> {
        match &self.approval_id {
            Value::Null => None,
            Value::String(id) => Some(id.clone()),
            other => Some(other.to_string()),
        }
    }
}

/// What was thought of a callback before it is stored.
pub(super) struct Judged {
    pub(super) operation_id: Option<String>,
    pub(super) says: String,
    pub(super) verdict: Verdict,
    pub(super) reason: Sentence,
    pub(super) mark: Option<(String, u64, Option<String>)>,
}

/// Why it could not be judged.
pub(super) enum Trouble {
    Body(String),
    Store(crate::store::StoreError),
}

impl From<crate::store::StoreError> for Trouble {
    fn from(error: crate::store::StoreError) -> Self {
        Self::Store(error)
    }
}

/// The data of a delivery of this type, or the type that it has instead. Some senders leave the envelope's `data` out.
fn read<T: for<'de> Deserialize<'de>>(body: &Value, kind: &str) -> Result<Result<T, String>, Trouble> {
    let Some(told) = body.get("type").and_then(Value::as_str) else {
        return Err(Trouble::Body("the body cannot be read: it has no type".into()));
    };
    if told != kind {
        return Ok(Err(told.to_owned()));
    }
    let data = T::deserialize(body.get("data").unwrap_or(body));
    data.map(Ok).map_err(|error| Trouble::Body(format!("the body cannot be read: {error}")))
}

/// News of another sort is taken and told, never refused: senders switch a receiver off that refuses too often.
fn of_other_type(told: &str) -> Judged {
    let reason = say!("event.other_type", type = told);
    Judged { operation_id: None, says: told.to_owned(), verdict: Verdict::IgnoredForeign, reason, mark: None }
}

pub(super) async fn approval(core: &Arc<Core>, body: &Value) -> Result<Judged, Trouble> {
    let data: ApprovalData = match read(body, "approval.changed")? {
        Ok(data) => data,
        Err(told) => return Ok(of_other_type(&told)),
    };
    let judged = |operation_id, verdict, reason| {
        Ok(Judged { operation_id, says: data.decision.clone(), verdict, reason, mark: None })
    };
    let named = data.operation_id.clone().or_else(|| data.request_id.clone());
    let Some(named) = named else {
        let Some(ticket) = data.ticket() else {
            return Err(Trouble::Body("the body cannot be read: it names neither a request nor a ticket".into()));
        };
        return match core.store.operation_of_ticket(&ticket).await? {
            Some(operation) => {
                let (verdict, reason) = approval_verdict(&operation, &data);
                judged(Some(operation.operation_id), verdict, reason)
            }
            // The answer to our own create call may still be on its way: it is matched when that has come.
            None => judged(None, Verdict::Parked, say!("event.ticket_unknown", ticket = ticket)),
        };
    };
    let same = data.request_id.as_ref().is_none_or(|request| *request == named);
    let operation = core.store.operation(&named).await?.filter(|_| same);
    match operation {
        Some(operation) => {
            let (verdict, reason) = approval_verdict(&operation, &data);
            judged(Some(operation.operation_id), verdict, reason)
        }
        None => judged(None, Verdict::IgnoredForeign, say!("event.foreign", id = named)),
    }
}

/// Ownership and waiting: the second guard of section 5.
fn approval_verdict(operation: &Operation, data: &ApprovalData) -> (Verdict, Sentence) {
    if !operation.owner {
        return (Verdict::IgnoredStale, say!("event.not_owner"));
    }
    if let Some(late) = not_awaited("approval", operation.step, operation.status) {
        return (Verdict::IgnoredStale, late);
    }
    let known = operation.facts.ticket.as_ref().map(|ticket| ticket.id.as_str());
    if let (Some(known), Some(named)) = (known, data.ticket())
        && known != named
    {
        return (Verdict::IgnoredStale, say!("event.other_ticket", named = named, known = known));
    }
    (Verdict::Parked, say!("event.to_be_confirmed", says = data.decision.clone()))
}

pub(super) async fn deploy(core: &Arc<Core>, body: &Value) -> Result<Judged, Trouble> {
    let data: DeployData = match read(body, "deploy.finished")? {
        Ok(data) => data,
        Err(told) => return Ok(of_other_type(&told)),
    };
    let named = data.project.as_str().map_or_else(|| data.project.to_string(), str::to_owned);
    let mut project = core.store.project_path(&named).await?.unwrap_or_else(|| named.clone());
    let of_mr = core.store.operation_of_mr(&project, data.mr_iid).await?;
    let operation = match &data.operation_id {
        Some(id) => core.store.operation(id).await?.or(of_mr),
        None => of_mr,
    };
    if let Some(operation) = &operation
        && operation.facts.project != project
        && was_renamed(core, operation, &named).await?
    {
        project.clone_from(&operation.facts.project);
    }
    let is_result = matches!(data.status.as_str(), "effective" | "failed");
    // A failed deploy never raises the watermark.
    let mark = (data.status == "effective").then(|| (project.clone(), data.mr_iid, data.sha.clone()));
    let Some(operation) = operation else {
        let reason = say!("event.foreign_mr", project = project, iid = data.mr_iid);
        return Ok(Judged { operation_id: None, says: data.status, verdict: Verdict::IgnoredForeign, reason, mark });
    };
    let (verdict, reason) = match deploy_verdict(&operation, &project, data.mr_iid) {
        (Verdict::Parked, _) if !is_result => {
            (Verdict::IgnoredStale, say!("event.no_result", says = data.status.clone()))
        }
        other => other,
    };
    let mark = if verdict == Verdict::IgnoredForeign { None } else { mark };
    Ok(Judged { operation_id: Some(operation.operation_id), says: data.status, verdict, reason, mark })
}

/// Is this another name of the project of this request? A rename changes the path and keeps the number. GitLab is asked only
/// about a request of ours that was named by its id.
async fn was_renamed(core: &Arc<Core>, operation: &Operation, named: &str) -> StoreResult<bool> {
    let Some(ours) = operation.facts.project_id else { return Ok(false) };
    let known = match named.parse() {
        Ok(number) => Some(number),
        Err(_) => core.store.project_number(named).await?,
    };
    let number = match known {
        Some(number) => Some(number),
        None => core.forge.project(&Scope::unrecorded(), named).await.ok().flatten().map(|project| project.id),
    };
    Ok(number == Some(ours))
}

fn deploy_verdict(operation: &Operation, project: &str, iid: u64) -> (Verdict, Sentence) {
    let ours = operation.facts.mr.as_ref().map(|mr| mr.iid);
    if operation.facts.project != project || ours.is_some_and(|ours| ours != iid) {
        return (Verdict::IgnoredForeign, say!("event.foreign_mr", project = project, iid = iid));
    }
    match not_awaited("deploy", operation.step, operation.status) {
        Some(late) => (Verdict::IgnoredStale, late),
        None => (Verdict::Parked, say!("event.deploy_parked")),
    }
}

/// GitLab's hooks prove nothing: they only bring the next look forward.
pub(super) async fn gitlab(core: &Arc<Core>, body: &Value) -> Result<Judged, Trouble> {
    let project = body.pointer("/project/id").and_then(Value::as_u64).map(|id| id.to_string());
    let iid = body
        .pointer("/merge_request/iid")
        .or_else(|| body.pointer("/object_attributes/iid").filter(|_| body["object_kind"] == "merge_request"))
        .and_then(Value::as_u64);
    let says = body["object_kind"].as_str().unwrap_or("hook").to_owned();
    let operation = match (project, iid) {
        (Some(project), Some(iid)) => core.store.operation_of_mr(&project, iid).await?,
        _ => None,
    };
    let Some(operation) = operation else {
        let reason = say!("event.hook_foreign");
        return Ok(Judged { operation_id: None, says, verdict: Verdict::IgnoredForeign, reason, mark: None });
    };
    if let Some(reason) = not_awaited("gitlab", operation.step, operation.status) {
        let operation_id = Some(operation.operation_id);
        return Ok(Judged { operation_id, says, verdict: Verdict::IgnoredStale, reason, mark: None });
    }
    let (verdict, reason) = match core.store.hurry(&operation.operation_id, core.now()).await? {
        true => (Verdict::Applied, say!("event.hook")),
        false => (Verdict::IgnoredStale, say!("event.hook_resting", step = operation.step.to_string())),
    };
    Ok(Judged { operation_id: Some(operation.operation_id), says, verdict, reason, mark: None })
}
