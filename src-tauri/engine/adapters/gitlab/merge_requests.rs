//! Merge requests, their pipelines, and what is asked of them.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{
    GitLabForge,
    projects::{any_object, fact},
    wire::{WireMergeRequest, WirePipeline},
};
use crate::{
    adapters::{
        ask::Ask,
        classify::Route,
        path::{short, with_query},
    },
    ports::{
        error::RemoteResult,
        forge::{MergeRequest, NewMergeRequest, Pipeline},
        journal::Scope,
    },
};

impl GitLabForge {
    pub(super) async fn list_merge_requests(
        &self,
        scope: &Scope,
        project: &str,
        source_branch: &str,
    ) -> RemoteResult<Vec<MergeRequest>> {
        let query = [("state", "all"), ("source_branch", source_branch), ("order_by", "created_at"), ("sort", "desc")];
        let found: Vec<WireMergeRequest> = self.list(scope, project, "/merge_requests", &query).await?;
        // One that is opened between two pages pushes another onto the next page a second time.
        let mut seen = HashSet::new();
        Ok(found.into_iter().map(MergeRequest::from).filter(|mr| seen.insert(mr.iid)).collect())
    }

    pub(super) async fn create_merge_request(
        &self,
        scope: &Scope,
        project: &str,
        new: &NewMergeRequest,
    ) -> RemoteResult<MergeRequest> {
        let body = json!({
            "source_branch": new.source_branch,
            "target_branch": new.target_branch,
            "title": new.title,
            "description": new.description,
        });
        let ask = |id: u64| {
            Ask::write(&self.bot, "POST", format!("/api/v4/projects/{id}/merge_requests"), body.clone())
                .on(Route::OpenMergeRequest)
                .detail(format!("{} into {}", new.source_branch, new.target_branch))
        };
        self.act(scope, project, ask, fact::<WireMergeRequest, _>).await
    }

    pub(super) async fn read_merge_request(
        &self,
        scope: &Scope,
        project: &str,
        iid: u64,
        counted: bool,
    ) -> RemoteResult<Option<MergeRequest>> {
        let flags = [("include_rebase_in_progress", "true"), ("include_diverged_commits_count", "true")];
        let flags = if counted { &flags[..] } else { &flags[..1] };
        let tail = with_query(&format!("/merge_requests/{iid}"), flags);
        self.look(scope, project, |id| self.get(id, &tail), fact::<WireMergeRequest, _>).await
    }

    pub(super) async fn list_pipelines(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<Pipeline>> {
        let tail = format!("/merge_requests/{iid}/pipelines");
        let found: Vec<WirePipeline> = self.list(scope, project, &tail, &[]).await?;
        let mut seen = HashSet::new();
        Ok(found.into_iter().map(Pipeline::from).filter(|pipeline| seen.insert(pipeline.id)).collect())
    }

    pub(super) async fn ask_for_rebase(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()> {
        let ask = |id: u64| self.put(id, iid, "/rebase", json!({})).on(Route::Rebase);
        self.act(scope, project, ask, any_object).await
    }

    pub(super) async fn ask_for_merge(&self, scope: &Scope, project: &str, iid: u64, sha: &str) -> RemoteResult<()> {
        let ask = |id: u64| {
            let detail = format!("sha {}", short(sha));
            self.put(id, iid, "/merge", json!({"sha": sha})).on(Route::Merge).detail(detail)
        };
        self.act(scope, project, ask, any_object).await
    }

    pub(super) async fn ask_for_close(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()> {
        let ask = |id: u64| self.put(id, iid, "", json!({"state_event": "close"})).detail("close".into());
        self.act(scope, project, ask, any_object).await
    }

    fn put(&self, id: u64, iid: u64, tail: &str, body: Value) -> Ask<'_> {
        Ask::write(&self.bot, "PUT", format!("/api/v4/projects/{id}/merge_requests/{iid}{tail}"), body)
    }
}
