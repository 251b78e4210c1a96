//! GitLab's JSON as it is on the wire, and the facts it becomes. Fields that a version or a list leaves out are optional.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Deserialize;

use super::readiness;
use crate::ports::forge::{Commit, MergeRequest, MrState, Pipeline, PipelineVerdict, Project, RepoFile};

#[derive(Deserialize)]
pub(super) struct WireProject {
    id: u64,
    path_with_namespace: String,
    default_branch: Option<String>,
    #[serde(default)]
    archived: bool,
}

impl From<WireProject> for Project {
    fn from(wire: WireProject) -> Self {
        Self {
            id: wire.id,
            path: wire.path_with_namespace,
            default_branch: wire.default_branch,
            archived: wire.archived,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct WireUser {
    pub(super) username: String,
}

#[derive(Deserialize)]
pub(super) struct WireToken {
    pub(super) scopes: Option<Vec<String>>,
    pub(super) expires_at: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct WireCommit {
    id: String,
    #[serde(default)]
    parent_ids: Vec<String>,
    message: Option<String>,
    title: Option<String>,
}

impl From<WireCommit> for Commit {
    fn from(wire: WireCommit) -> Self {
        Self { sha: wire.id, parents: wire.parent_ids, message: wire.message.or(wire.title).unwrap_or_default() }
    }
}

#[derive(Deserialize)]
pub(super) struct WireBranch {
    pub(super) commit: WireCommit,
}

#[derive(Deserialize)]
pub(super) struct WireFile {
    encoding: String,
    content: String,
    commit_id: String,
    last_commit_id: String,
}

impl WireFile {
    /// The file with its bytes, or what is wrong with its content.
    pub(super) fn decode(self) -> Result<RepoFile, String> {
        let bytes = match self.encoding.as_str() {
            "base64" => {
                let packed: String = self.content.split_ascii_whitespace().collect();
                STANDARD.decode(packed).map_err(|_| "answered with file content that is not base64".to_owned())?
            }
            "text" => self.content.into_bytes(),
            other => return Err(format!("answered with file content in the unknown encoding `{other}`")),
        };
        Ok(RepoFile { bytes, commit_id: self.commit_id, last_commit_id: self.last_commit_id })
    }
}

#[derive(Deserialize)]
pub(super) struct WireMergeRequest {
    iid: u64,
    project_id: u64,
    source_project_id: Option<u64>,
    pub(super) state: String,
    title: String,
    description: Option<String>,
    source_branch: String,
    target_branch: String,
    sha: Option<String>,
    merge_commit_sha: Option<String>,
    squash_commit_sha: Option<String>,
    merge_user: Option<WireUser>,
    merged_by: Option<WireUser>,
    closed_by: Option<WireUser>,
    author: Option<WireUser>,
    web_url: String,
    pub(super) detailed_merge_status: Option<String>,
    pub(super) merge_status: Option<String>,
    draft: Option<bool>,
    /// The name of `draft` before 13.2; later servers send both.
    work_in_progress: Option<bool>,
    merge_error: Option<String>,
    rebase_in_progress: Option<bool>,
    diverged_commits_count: Option<u64>,
}

impl WireMergeRequest {
    pub(super) fn is_draft(&self) -> bool {
        self.draft.or(self.work_in_progress).unwrap_or(false)
    }
}

impl From<WireMergeRequest> for MergeRequest {
    fn from(wire: WireMergeRequest) -> Self {
        let (readiness, readiness_word) = readiness::of(&wire);
        let state = state(&wire.state);
        let head_sha = wire.sha.filter(|sha| !sha.is_empty());
        let merged_sha = match state {
            MrState::Merged => wire.merge_commit_sha.or(wire.squash_commit_sha).or_else(|| head_sha.clone()),
            _ => None,
        };
        let ended_by = match state {
            // While a merge request is open, `merge_user` is who armed the automatic merge.
            MrState::Merged => wire.merge_user.or(wire.merged_by),
            MrState::Closed => wire.closed_by,
            _ => None,
        };
        Self {
            iid: wire.iid,
            project_id: wire.project_id,
            // Null once the fork it came from is gone; no project has the number 0.
            source_project_id: wire.source_project_id.unwrap_or(0),
            state,
            title: wire.title,
            description: wire.description.unwrap_or_default(),
            source_branch: wire.source_branch,
            target_branch: wire.target_branch,
            head_sha,
            merged_sha,
            ended_by: ended_by.map(|user| user.username),
            author: wire.author.map(|user| user.username).unwrap_or_default(),
            web_url: wire.web_url,
            readiness,
            readiness_word,
            merge_error: wire.merge_error.filter(|text| !text.trim().is_empty()),
            rebase_in_progress: wire.rebase_in_progress.unwrap_or(false),
            behind: wire.diverged_commits_count,
        }
    }
}

fn state(word: &str) -> MrState {
    match word {
        "opened" | "reopened" => MrState::Opened,
        "closed" => MrState::Closed,
        "merged" => MrState::Merged,
        "locked" => MrState::Locked,
        other => MrState::Other(other.to_owned()),
    }
}

#[derive(Deserialize)]
pub(super) struct WirePipeline {
    id: u64,
    sha: String,
    status: String,
    source: Option<String>,
    r#ref: Option<String>,
    web_url: Option<String>,
}

impl From<WirePipeline> for Pipeline {
    fn from(wire: WirePipeline) -> Self {
        let r#ref = wire.r#ref.unwrap_or_default();
        let of_merge_request = match wire.source.as_deref() {
            Some(source) => source == "merge_request_event",
            // Old versions leave the source out; the ref tells it as well.
            None => r#ref.starts_with("refs/merge-requests/"),
        };
        let verdict = match wire.status.as_str() {
            "success" => PipelineVerdict::Passed,
            "failed" | "canceled" => PipelineVerdict::Failed,
            "skipped" | "manual" => PipelineVerdict::Neither,
            _ => PipelineVerdict::Running,
        };
        Self {
            id: wire.id,
            sha: wire.sha,
            status: wire.status,
            verdict,
            of_merge_request,
            r#ref,
            web_url: wire.web_url.unwrap_or_default(),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct WireApprovals {
    pub(super) approved_by: Vec<WireApproval>,
}

#[derive(Deserialize)]
pub(super) struct WireApproval {
    pub(super) user: WireUser,
}
