//! The forge: branches, commits and merge requests. Adapters report facts; stages decide.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::{error::RemoteResult, journal::Scope};

/// A project as the bot sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The number that survives a rename.
    pub id: u64,
    /// Path with namespace, as it is now.
    pub path: String,
    /// The branch that new clones start on.
    pub default_branch: Option<String>,
    /// Archived projects refuse every write.
    pub archived: bool,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Full sha.
    pub sha: String,
    /// Parents, first parent first.
    pub parents: Vec<String>,
    /// Full message.
    pub message: String,
}

/// A file at a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoFile {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The commit that the ref named when it was read.
    pub commit_id: String,
    /// The last commit that touched the file, for the commit action's own check.
    pub last_commit_id: String,
}

/// One file in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileWrite {
    /// The file must not exist.
    Create {
        /// Path in the repository.
        path: String,
        /// Its bytes.
        content: Vec<u8>,
    },
    /// The file must exist.
    Update {
        /// Path in the repository.
        path: String,
        /// Its new bytes.
        content: Vec<u8>,
        /// The last commit that touched it, as we saw it.
        last_commit_id: Option<String>,
    },
    /// The file must exist.
    Delete {
        /// Path in the repository.
        path: String,
        /// The last commit that touched it, as we saw it.
        last_commit_id: Option<String>,
    },
}

impl FileWrite {
    /// Bytes of its new content.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Create { content, .. } | Self::Update { content, .. } => content.len(),
            Self::Delete { .. } => 0,
        }
    }
}

/// A commit to make on a branch that is made with it.
#[derive(Debug, Clone)]
pub struct NewCommit {
    /// The branch to make.
    pub branch: String,
    /// The commit it starts from.
    pub start_sha: String,
    /// Message, carrying the operation id.
    pub message: String,
    /// All or nothing.
    pub files: Vec<FileWrite>,
}

/// A merge request to open.
#[derive(Debug, Clone)]
pub struct NewMergeRequest {
    /// Source branch.
    pub source_branch: String,
    /// Target branch.
    pub target_branch: String,
    /// Title, at most 255 characters.
    pub title: String,
    /// Description, carrying the operation id.
    pub description: String,
}

/// The state of a merge request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MrState {
    /// Open.
    Opened,
    /// Closed without a merge.
    Closed,
    /// Merged.
    Merged,
    /// A merge is in flight.
    Locked,
    /// A word we do not know: wait.
    Other(String),
}

impl MrState {
    /// The word GitLab uses.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Opened => "opened",
            Self::Closed => "closed",
            Self::Merged => "merged",
            Self::Locked => "locked",
            Self::Other(word) => word,
        }
    }
}

/// What GitLab says about merging, from `detailed_merge_status` (field guide 3.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// Still being worked out: preparing, unchecked, checking, approvals_syncing.
    Checking,
    /// May be merged now.
    Mergeable,
    /// The target moved: rebase.
    NeedsRebase,
    /// The change does not apply.
    Conflict,
    /// Approvals are missing.
    NotApproved,
    /// The pipeline has not ended.
    CiRunning,
    /// The pipeline is not green.
    CiMustPass,
    /// Not open any more.
    NotOpen,
    /// Something else blocks it: the server's word, such as `draft_status`.
    Blocked(String),
    /// A word we do not know: look again.
    Unknown(String),
}

/// A merge request as one read showed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeRequest {
    /// Number within its project.
    pub iid: u64,
    /// Project it merges into.
    pub project_id: u64,
    /// Project it comes from: ours only when it is the same.
    pub source_project_id: u64,
    /// State.
    pub state: MrState,
    /// Title.
    pub title: String,
    /// Description.
    pub description: String,
    /// Source branch.
    pub source_branch: String,
    /// Target branch.
    pub target_branch: String,
    /// Head of the latest processed diff.
    pub head_sha: Option<String>,
    /// The commit on the target branch: merge commit, else squash commit, else the head (fast-forward). Only when merged.
    pub merged_sha: Option<String>,
    /// Who merged or closed it, where told.
    pub ended_by: Option<String>,
    /// User name of the author.
    pub author: String,
    /// Page for people.
    pub web_url: String,
    /// May it be merged?
    pub readiness: Readiness,
    /// The word behind `readiness`.
    pub readiness_word: String,
    /// Text of the last failed merge or rebase.
    pub merge_error: Option<String>,
    /// A rebase is running, where it was asked.
    pub rebase_in_progress: bool,
    /// How many commits the target is ahead, where it was asked.
    pub behind: Option<u64>,
}

/// What the state of a pipeline means for us (field guide 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PipelineVerdict {
    /// Success, allowed failures included.
    Passed,
    /// Failed or canceled.
    Failed,
    /// Skipped or manual: neither.
    Neither,
    /// Running, or a word we do not know.
    Running,
}

/// A pipeline as one read showed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// Number.
    pub id: u64,
    /// The commit it ran on. For a merged-results pipeline this is not the head of the MR.
    pub sha: String,
    /// The word GitLab uses.
    pub status: String,
    /// What it means.
    pub verdict: PipelineVerdict,
    /// True for a merge-request pipeline (source `merge_request_event`).
    pub of_merge_request: bool,
    /// The ref it ran for.
    pub r#ref: String,
    /// Page for people.
    pub web_url: String,
}

/// An account and what its credential may do, as the forge tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// User name.
    pub username: String,
    /// Scopes of the token, where they can be read.
    pub scopes: Option<Vec<String>>,
    /// Last day of the token, where it has one.
    pub expires: Option<String>,
}

/// Whose credential a call uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The bot that writes.
    Bot,
    /// The n-th reviewer of the settings, from 0.
    Reviewer(usize),
}

/// What the engine needs of a forge. Absent things are `None`, never errors. `project` is a path or a number.
#[async_trait]
pub trait Forge: Send + Sync {
    /// The project.
    async fn project(&self, scope: &Scope, project: &str) -> RemoteResult<Option<Project>>;
    /// Who a credential belongs to.
    async fn account(&self, scope: &Scope, who: Who) -> RemoteResult<Account>;
    /// User names of all configured reviewers, in the order of the settings. Read once per credential, then remembered.
    async fn reviewers(&self, scope: &Scope) -> RemoteResult<Vec<String>>;
    /// A file at a branch, tag or sha.
    async fn file(&self, scope: &Scope, project: &str, path: &str, at: &str) -> RemoteResult<Option<RepoFile>>;
    /// The head of a branch.
    async fn branch(&self, scope: &Scope, project: &str, branch: &str) -> RemoteResult<Option<Commit>>;
    /// A commit.
    async fn commit(&self, scope: &Scope, project: &str, sha: &str) -> RemoteResult<Option<Commit>>;
    /// Commits that `to` has and `from` has not, oldest first.
    async fn commits_between(&self, scope: &Scope, project: &str, from: &str, to: &str) -> RemoteResult<Vec<Commit>>;
    /// True when `ancestor` is `sha` or lies in its history; None when one of them is not there.
    async fn contains(&self, scope: &Scope, project: &str, sha: &str, ancestor: &str) -> RemoteResult<Option<bool>>;
    /// Makes a branch with one commit on it, in one call.
    async fn commit_files(&self, scope: &Scope, project: &str, commit: &NewCommit) -> RemoteResult<Commit>;
    /// Makes one commit on a branch that is there already (its head must be `commit.start_sha`; the caller has looked).
    async fn commit_onto(&self, scope: &Scope, project: &str, commit: &NewCommit) -> RemoteResult<Commit>;
    /// Merge requests in any state with this source branch, newest first.
    async fn merge_requests_of(
        &self,
        scope: &Scope,
        project: &str,
        source_branch: &str,
    ) -> RemoteResult<Vec<MergeRequest>>;
    /// Opens a merge request.
    async fn open_merge_request(
        &self,
        scope: &Scope,
        project: &str,
        new: &NewMergeRequest,
    ) -> RemoteResult<MergeRequest>;
    /// One merge request, with whether it is being rebased.
    async fn merge_request(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Option<MergeRequest>>;
    /// The same, with how far it is behind its target: GitLab counts that anew each time, so only a rebase asks for it.
    async fn merge_request_behind(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Option<MergeRequest>> {
        self.merge_request(scope, project, iid).await
    }
    /// All pipelines of a merge request, every page.
    async fn pipelines(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<Pipeline>>;
    /// User names that have approved.
    async fn approvals(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<String>>;
    /// Approves as a reviewer, pinned to a sha.
    async fn approve(&self, scope: &Scope, project: &str, iid: u64, sha: &str, reviewer: usize) -> RemoteResult<()>;
    /// Asks for a rebase; it goes on after the answer.
    async fn rebase(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()>;
    /// Merges, pinned to a sha. The answer is a hint: read the merge request back.
    async fn merge(&self, scope: &Scope, project: &str, iid: u64, sha: &str) -> RemoteResult<()>;
    /// Closes a merge request.
    async fn close(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()>;
}
