//! Approvals: who has approved, and the approve call in its two shapes.

use serde_json::{Value, json};

use super::{GitLabForge, projects::any_object, wire::WireApprovals};
use crate::{
    adapters::{
        ask::{Ask, Credential},
        classify::Route,
        http::Answer,
        path::short,
    },
    ports::{error::RemoteResult, journal::Scope},
    settings::ApproveApi,
};

impl GitLabForge {
    pub(super) async fn list_approvers(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<String>> {
        let tail = format!("/merge_requests/{iid}/approvals");
        let read = |answer: &Answer| {
            let wire: WireApprovals = answer.json()?;
            Ok(wire.approved_by.into_iter().map(|approval| approval.user.username).collect())
        };
        self.act(scope, project, |id| self.get(id, &tail), read).await
    }

    /// Approves in the shape that is set at this moment.
    pub(super) async fn approve_as(
        &self,
        scope: &Scope,
        project: &str,
        iid: u64,
        sha: &str,
        reviewer: usize,
    ) -> RemoteResult<()> {
        let credential = self.reviewer(reviewer).ok_or_else(|| self.no_reviewer(reviewer))?;
        match (self.approve_api)() {
            ApproveApi::Classic => self.send_approval(scope, project, iid, &credential, json!({"sha": sha})).await,
            ApproveApi::Checklist => self.approve_with_items(scope, project, iid, sha, &credential).await,
        }
    }

    async fn approve_with_items(
        &self,
        scope: &Scope,
        project: &str,
        iid: u64,
        sha: &str,
        credential: &Credential,
    ) -> RemoteResult<()> {
        let id = self.number(scope, project).await?;
        let remembered = self.remembered().items.get(&id).cloned();
        let items = match remembered {
            Some(items) => items,
            None => self.read_items(scope, project, id, credential).await?,
        };
        let refused = match self.send_approval(scope, project, iid, credential, ticked(sha, &items)).await {
            Err(error) if error.is(422) => error,
            other => return other,
        };
        // The refusal carries the list in force.
        let Some(items) = refused.body.as_ref().and_then(items_in) else { return Err(refused) };
        self.remembered().items.insert(id, items.clone());
        self.send_approval(scope, project, iid, credential, ticked(sha, &items)).await
    }

    async fn read_items(
        &self,
        scope: &Scope,
        project: &str,
        id: u64,
        credential: &Credential,
    ) -> RemoteResult<Vec<Value>> {
        let ask = |id: u64| Ask::get(credential, self.checklist_path.replace("{project}", &id.to_string()));
        let read =
            |answer: &Answer| items_in(&answer.json()?).ok_or_else(|| "answered without the check items".to_owned());
        // No list at all: the approve call goes out with an empty one, and a refusal would say what is wanted.
        let Some(items) = self.look(scope, project, ask, read).await? else { return Ok(Vec::new()) };
        self.remembered().items.insert(id, items.clone());
        Ok(items)
    }

    async fn send_approval(
        &self,
        scope: &Scope,
        project: &str,
        iid: u64,
        credential: &Credential,
        body: Value,
    ) -> RemoteResult<()> {
        let detail = body["sha"].as_str().map(|sha| format!("sha {}", short(sha))).unwrap_or_default();
        let ask = |id: u64| {
            let path = format!("/api/v4/projects/{id}/merge_requests/{iid}/approve");
            Ask::write(credential, "POST", path, body.clone())
                .on(Route::Approve)
                .detail(detail.clone())
                .accepting(&[304])
        };
        // 304: this account has approved already, and there is no body.
        let read = |answer: &Answer| if answer.status == 304 { Ok(()) } else { any_object(answer) };
        self.act(scope, project, ask, read).await
    }
}

fn items_in(body: &Value) -> Option<Vec<Value>> {
    let items = body.get("items")?.as_array()?;
    items.iter().map(|item| item.get("key").cloned()).collect()
}

fn ticked(sha: &str, keys: &[Value]) -> Value {
    let checklist: Vec<_> = keys.iter().map(|key| json!({"key": key, "checked": true})).collect();
    json!({"sha": sha, "checklist": checklist})
}
