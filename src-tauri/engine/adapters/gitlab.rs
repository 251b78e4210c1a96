//! GitLab's REST API v4 behind the forge port. Wire types stay in here; what crosses the port are facts.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::Value;

use super::{
    ask::{Credential, TokenHeader},
    http::{Transport, UnusableRemote},
    remote::Remote,
};
use crate::{
    ports::{
        error::RemoteResult,
        forge::{Account, Commit, Forge, MergeRequest, NewCommit, NewMergeRequest, Pipeline, Project, RepoFile, Who},
        journal::Scope,
        secrets::Secrets,
    },
    settings::{self, ApproveApi},
};

mod accounts;
mod approve;
mod lists;
mod merge_requests;
mod projects;
mod readiness;
mod repository;
mod wire;

/// GitLab, seen through one bot and its reviewers.
pub struct GitLabForge {
    remote: Remote,
    bot: Credential,
    reviewers: Vec<(String, String)>,
    checklist_path: String,
    approve_api: Arc<dyn Fn() -> ApproveApi + Send + Sync>,
    remembered: Mutex<Remembered>,
}

/// What was read once and holds until a remote says otherwise.
#[derive(Default)]
struct Remembered {
    /// Project paths and the numbers that survive a rename.
    projects: HashMap<String, u64>,
    /// The user name of each reviewer, with the secret it was read with.
    names: HashMap<usize, (SecretString, String)>,
    /// Check items by project.
    items: HashMap<u64, Vec<Value>>,
}

impl GitLabForge {
    /// Prepares the connections; nothing is sent yet. `approve_api` is asked at each approve call.
    pub fn new(
        settings: &settings::GitLab,
        secrets: Arc<dyn Secrets>,
        approve_api: Arc<dyn Fn() -> ApproveApi + Send + Sync>,
    ) -> Result<Self, UnusableRemote> {
        let transport = Transport::new("gitlab.url", &settings.url, settings.timeout.get())?;
        let place = |n: usize| format!("gitlab.reviewer_tokens[{n}]");
        let bot =
            Credential { account: "bot".into(), key: "gitlab.bot_token".into(), place: settings.bot_token.clone() };
        Ok(Self {
            remote: Remote::new("gitlab", TokenHeader::Private, transport, secrets),
            bot,
            reviewers: settings.reviewer_tokens.iter().enumerate().map(|(n, p)| (place(n), p.clone())).collect(),
            checklist_path: settings.checklist_path.clone(),
            approve_api,
            remembered: Mutex::default(),
        })
    }

    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Forge for GitLabForge {
    async fn project(&self, scope: &Scope, project: &str) -> RemoteResult<Option<Project>> {
        self.read_project(scope, project).await
    }

    async fn account(&self, scope: &Scope, who: Who) -> RemoteResult<Account> {
        self.read_account(scope, who).await
    }

    async fn reviewers(&self, scope: &Scope) -> RemoteResult<Vec<String>> {
        self.reviewer_names(scope).await
    }

    async fn file(&self, scope: &Scope, project: &str, path: &str, at: &str) -> RemoteResult<Option<RepoFile>> {
        self.read_file(scope, project, path, at).await
    }

    async fn branch(&self, scope: &Scope, project: &str, branch: &str) -> RemoteResult<Option<Commit>> {
        self.read_branch(scope, project, branch).await
    }

    async fn commit(&self, scope: &Scope, project: &str, sha: &str) -> RemoteResult<Option<Commit>> {
        self.read_commit(scope, project, sha).await
    }

    async fn commits_between(&self, scope: &Scope, project: &str, from: &str, to: &str) -> RemoteResult<Vec<Commit>> {
        self.list_commits(scope, project, from, to).await
    }

    async fn contains(&self, scope: &Scope, project: &str, sha: &str, ancestor: &str) -> RemoteResult<Option<bool>> {
        self.look_for_ancestor(scope, project, sha, ancestor).await
    }

    async fn commit_files(&self, scope: &Scope, project: &str, commit: &NewCommit) -> RemoteResult<Commit> {
        self.commit_on_new_branch(scope, project, commit).await
    }

    async fn commit_onto(&self, scope: &Scope, project: &str, commit: &NewCommit) -> RemoteResult<Commit> {
        self.commit_on_branch(scope, project, commit).await
    }

    async fn merge_requests_of(
        &self,
        scope: &Scope,
        project: &str,
        source_branch: &str,
    ) -> RemoteResult<Vec<MergeRequest>> {
        self.list_merge_requests(scope, project, source_branch).await
    }

    async fn open_merge_request(
        &self,
        scope: &Scope,
        project: &str,
        new: &NewMergeRequest,
    ) -> RemoteResult<MergeRequest> {
        self.create_merge_request(scope, project, new).await
    }

    async fn merge_request(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Option<MergeRequest>> {
        self.read_merge_request(scope, project, iid, false).await
    }

    async fn merge_request_behind(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Option<MergeRequest>> {
        self.read_merge_request(scope, project, iid, true).await
    }

    async fn pipelines(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<Pipeline>> {
        self.list_pipelines(scope, project, iid).await
    }

    async fn approvals(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<String>> {
        self.list_approvers(scope, project, iid).await
    }

    async fn approve(&self, scope: &Scope, project: &str, iid: u64, sha: &str, reviewer: usize) -> RemoteResult<()> {
        self.approve_as(scope, project, iid, sha, reviewer).await
    }

    async fn rebase(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()> {
        self.ask_for_rebase(scope, project, iid).await
    }

    async fn merge(&self, scope: &Scope, project: &str, iid: u64, sha: &str) -> RemoteResult<()> {
        self.ask_for_merge(scope, project, iid, sha).await
    }

    async fn close(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()> {
        self.ask_for_close(scope, project, iid).await
    }
}
