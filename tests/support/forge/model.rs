//! What the fake forge remembers, and the life of a merge request in virtual time.

use std::{collections::VecDeque, time::Duration};

use signalbox_engine::ports::forge::{MergeRequest, MrState, Pipeline, PipelineVerdict, Readiness};

use crate::support::repo::{Edit, Repo};

/// How a project merges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A merge commit; the target may be ahead.
    Merge,
    /// Fast-forward only: behind the target means rebase.
    FastForward,
    /// One new commit with the whole change; the head itself never lands on the target.
    Squash,
}

/// What a pipeline runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Push,
    MergeRequest,
    /// On a temporary merge commit of target and head.
    MergedResults,
}

/// A pipeline to come, in times after the head appeared.
#[derive(Debug, Clone)]
pub struct Plan {
    pub appears: Duration,
    pub starts: Duration,
    /// None never ends.
    pub ends: Option<Duration>,
    /// The word at its end.
    pub word: &'static str,
    pub source: Source,
}

impl Plan {
    /// Appears after a second, runs, and ends like this.
    pub fn ending(word: &'static str, after: u64) -> Self {
        let seconds = Duration::from_secs;
        Self { appears: seconds(1), starts: seconds(2), ends: Some(seconds(after)), word, source: Source::MergeRequest }
    }
    pub fn green() -> Self {
        Self::ending("success", 8)
    }
    pub fn endless() -> Self {
        Self { ends: None, ..Self::green() }
    }
    pub fn of(self, source: Source) -> Self {
        Self { source, ..self }
    }
}

/// How a project behaves.
#[derive(Debug, Clone)]
pub struct Rules {
    pub method: Method,
    /// Approvals that GitLab itself asks for before a merge.
    pub approvals_required: usize,
    /// Pushes and rebases take approvals away.
    pub reset_on_push: bool,
    /// How long a new merge request is `preparing`, and after that `checking`.
    pub preparing: Duration,
    pub checking: Duration,
    pub rebase_takes: Duration,
    /// So many rebases are confirmed and never done.
    pub rebases_lost: u32,
    /// A merge is `locked` for so long before it is done.
    pub locked_for: Duration,
    /// So many merges are confirmed and not done.
    pub merges_ignored: u32,
    /// So many commits are confirmed and not to be found on their branch.
    pub commits_ignored: u32,
    /// A merge request that is merged still says `opened` for so long.
    pub state_lags: Duration,
    pub bot_may_merge: bool,
    /// Accounts whose approval is refused.
    pub may_not_approve: Vec<String>,
    /// Pipelines of the next heads, one list for each; after that `usual`.
    pub next: VecDeque<Vec<Plan>>,
    pub usual: Vec<Plan>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            method: Method::Merge,
            approvals_required: 2,
            reset_on_push: true,
            preparing: Duration::from_secs(1),
            checking: Duration::from_secs(1),
            rebase_takes: Duration::from_secs(3),
            rebases_lost: 0,
            locked_for: Duration::ZERO,
            merges_ignored: 0,
            commits_ignored: 0,
            state_lags: Duration::ZERO,
            bot_may_merge: true,
            may_not_approve: Vec::new(),
            next: VecDeque::new(),
            usual: vec![Plan::green()],
        }
    }
}

#[derive(Debug, Clone)]
pub struct Mr {
    pub iid: u64,
    pub source: String,
    pub target: String,
    pub title: String,
    pub description: String,
    pub author: String,
    pub state: MrState,
    pub head: String,
    pub prepared_at: i64,
    pub checked_at: i64,
    pub approved_by: Vec<String>,
    /// Every approval ever given: account and head.
    pub approvals_given: Vec<(String, String)>,
    /// Every approval that people took away: account and head.
    pub approvals_taken: Vec<(String, String)>,
    pub merge_error: Option<String>,
    pub rebase_done_at: Option<i64>,
    pub rebase_lost: bool,
    pub unlocks_at: Option<i64>,
    pub merged_sha: Option<String>,
    pub ended_by: Option<String>,
    /// A word that blocks it, such as `draft_status`.
    pub blocked: Option<&'static str>,
    /// A word about merging that nobody knows.
    pub odd_word: Option<&'static str>,
    /// It is merged, and its state says so only then.
    pub says_merged_at: Option<i64>,
}

#[derive(Debug, Clone)]
pub struct Pipe {
    pub id: u64,
    pub iid: u64,
    pub sha: String,
    pub plan: Plan,
    pub born: i64,
}

#[derive(Debug, Clone)]
pub struct Project {
    pub id: u64,
    pub path: String,
    pub archived: bool,
    pub repo: Repo,
    pub mrs: Vec<Mr>,
    pub pipes: Vec<Pipe>,
    pub rules: Rules,
    /// Branches that somebody deleted.
    pub deleted: Vec<String>,
}

pub fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap()
}

impl Project {
    pub fn new(id: u64, path: &str, files: &[Edit]) -> Self {
        let mut repo = Repo::default();
        repo.push("main", "Begin", files);
        let rules = Rules::default();
        Self {
            id,
            path: path.into(),
            archived: false,
            repo,
            mrs: Vec::new(),
            pipes: Vec::new(),
            rules,
            deleted: Vec::new(),
        }
    }

    pub fn mr(&mut self, iid: u64) -> Option<&mut Mr> {
        self.mrs.iter_mut().find(|mr| mr.iid == iid)
    }

    pub(super) fn behind(&self, mr: &Mr) -> usize {
        self.repo.head(&mr.target).map_or(0, |target| self.repo.between(&mr.head, target).len())
    }

    /// What GitLab says about merging, at this moment.
    pub fn readiness(&self, mr: &Mr, now: i64) -> (Readiness, &'static str) {
        let target = self.repo.head(&mr.target);
        let conflict = target.is_none_or(|target| self.repo.merge(target, &mr.head).is_none());
        match () {
            () if mr.state != MrState::Opened => (Readiness::NotOpen, "not_open"),
            () if now < mr.prepared_at => (Readiness::Checking, "preparing"),
            () if now < mr.checked_at => (Readiness::Checking, "checking"),
            () if mr.odd_word.is_some() => {
                let word = mr.odd_word.unwrap();
                (Readiness::Unknown(word.into()), word)
            }
            () if mr.blocked.is_some() => {
                let word = mr.blocked.unwrap();
                (Readiness::Blocked(word.into()), word)
            }
            () if conflict => (Readiness::Conflict, "conflict"),
            () if self.rules.method == Method::FastForward && self.behind(mr) > 0 => {
                (Readiness::NeedsRebase, "need_rebase")
            }
            () if mr.approved_by.len() < self.rules.approvals_required => (Readiness::NotApproved, "not_approved"),
            () => (Readiness::Mergeable, "mergeable"),
        }
    }

    /// A merge request as a read shows it.
    pub fn shown(&self, mr: &Mr, now: i64) -> MergeRequest {
        let (readiness, word) = self.readiness(mr, now);
        MergeRequest {
            iid: mr.iid,
            project_id: self.id,
            source_project_id: self.id,
            state: mr.state.clone(),
            title: mr.title.clone(),
            description: mr.description.clone(),
            source_branch: mr.source.clone(),
            target_branch: mr.target.clone(),
            head_sha: Some(mr.head.clone()),
            merged_sha: mr.merged_sha.clone(),
            ended_by: mr.ended_by.clone(),
            author: mr.author.clone(),
            web_url: format!("http://gitlab.test/{}/-/merge_requests/{}", self.path, mr.iid),
            readiness,
            readiness_word: word.into(),
            merge_error: mr.merge_error.clone(),
            rebase_in_progress: mr.rebase_done_at.is_some(),
            behind: Some(self.behind(mr) as u64),
        }
    }

    /// The pipelines that show by now.
    pub fn shown_pipelines(&self, iid: u64, now: i64) -> Vec<Pipeline> {
        let shown = self.pipes.iter().filter(|pipe| pipe.iid == iid && now >= pipe.born + millis(pipe.plan.appears));
        shown.map(|pipe| self.shown_pipeline(pipe, now)).rev().collect()
    }

    fn shown_pipeline(&self, pipe: &Pipe, now: i64) -> Pipeline {
        let status = match pipe.plan.ends {
            Some(ends) if now >= pipe.born + millis(ends) => pipe.plan.word,
            _ if now >= pipe.born + millis(pipe.plan.starts) => "running",
            _ => "created",
        };
        let branch = self.mrs.iter().find(|mr| mr.iid == pipe.iid).map(|mr| mr.source.clone()).unwrap_or_default();
        Pipeline {
            id: pipe.id,
            sha: pipe.sha.clone(),
            status: status.into(),
            verdict: match status {
                "success" => PipelineVerdict::Passed,
                "failed" | "canceled" => PipelineVerdict::Failed,
                "skipped" | "manual" => PipelineVerdict::Neither,
                _ => PipelineVerdict::Running,
            },
            of_merge_request: pipe.plan.source != Source::Push,
            r#ref: match pipe.plan.source {
                Source::Push => branch,
                Source::MergeRequest => format!("refs/merge-requests/{}/head", pipe.iid),
                Source::MergedResults => format!("refs/merge-requests/{}/merge", pipe.iid),
            },
            web_url: format!("http://gitlab.test/{}/-/pipelines/{}", self.path, pipe.id),
        }
    }
}
