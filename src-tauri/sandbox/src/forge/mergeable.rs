//! Whether a merge request can be merged, in the order in which GitLab asks.

use crate::accounts::place;
use crate::clock::{Millis, now};
use crate::git::GitError;
use crate::state::{MergeRequest, MrState, Pipeline};
use crate::world::World;

/// A merge request at one moment, with the rules and pipelines that decide about it.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) project: u64,
    pub(crate) now: Millis,
    pub(crate) mr: MergeRequest,
    /// Its pipelines that can be seen, those of the merge request first, each newest first.
    pub(crate) pipelines: Vec<Pipeline>,
    required: u64,
    pipeline_required: bool,
    method: &'static str,
    /// The test for conflicts does not end.
    stuck: bool,
}

/// What git says about a merge request that is open.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) source: Option<String>,
    pub(crate) target: Option<String>,
    pub(crate) conflict: bool,
    /// The target has commits that the head lacks.
    pub(crate) behind: bool,
}

/// Drops approvals once their time after a push has come.
pub(crate) fn settle(mr: &mut MergeRequest, now: Millis, mode: &str) {
    if mr.approvals_due.is_none_or(|due| due > now) {
        return;
    }
    mr.approvals_due = None;
    match mode {
        "none" => {}
        "all" => mr.approvals.retain(|approval| approval.sha == mr.head),
        _ => mr.approvals.retain(|approval| approval.patch == mr.patch),
    }
}

/// The merge request as it is now, approvals looked through.
pub(crate) fn snapshot(world: &World, project: u64, iid: u64) -> Option<Snapshot> {
    let now = now();
    world.read(|state| {
        let found = state.projects.get(&project)?;
        let mut mr = found.merge_requests.get(&iid)?.clone();
        settle(&mut mr, now, world.switches.word(state, "gitlab.approvals_reset"));
        let seen = found.pipelines.values().rev().filter(|pipeline| pipeline.created <= now);
        let mine =
            |pipeline: &&Pipeline| pipeline.mr_iid == Some(iid) || pipeline.mr_iid.is_none() && pipeline.sha == mr.head;
        let mut pipelines: Vec<Pipeline> = seen.filter(mine).cloned().collect();
        pipelines.sort_by_key(|pipeline| (pipeline.mr_iid.is_none(), std::cmp::Reverse(pipeline.id)));
        Some(Snapshot {
            project,
            now,
            mr,
            pipelines,
            required: world.switches.value(state, "gitlab.approvals_required"),
            pipeline_required: world.switches.on(state, "gitlab.pipeline_required"),
            stuck: world.switches.on(state, "gitlab.check_stuck"),
            method: world.switches.word(state, &format!("{}.merge_method", place(project).key)),
        })
    })
}

/// Asks git about a merge request; one that is not open has no facts.
pub(crate) async fn facts(world: &World, shot: &Snapshot) -> Result<Facts, GitError> {
    let (mr, repo) = (&shot.mr, world.repo(shot.project));
    let mut facts = heads(world, shot);
    if mr.state == MrState::Opened {
        (facts.conflict, facts.behind) = match &facts.target {
            Some(target) => (repo.conflicts(target, &mr.head).await?, !repo.contains(&mr.head, target).await?),
            None => (true, false),
        };
    }
    Ok(facts)
}

/// The facts that a read shows: git is asked only once the test for conflicts has an answer.
pub(crate) async fn shown_facts(world: &World, shot: &Snapshot) -> Result<Facts, GitError> {
    let facts = heads(world, shot);
    match shot.check_word(&facts) {
        "unchecked" | "checking" => Ok(facts),
        _ => self::facts(world, shot).await,
    }
}

fn heads(world: &World, shot: &Snapshot) -> Facts {
    if shot.mr.state != MrState::Opened {
        return Facts::default();
    }
    let head = |branch: &str| world.repo(shot.project).head(branch);
    Facts { source: head(&shot.mr.source), target: head(&shot.mr.target), ..Facts::default() }
}

impl Snapshot {
    pub(crate) fn method(&self) -> &'static str {
        self.method
    }

    pub(crate) fn required(&self) -> u64 {
        self.required
    }

    /// How many different accounts approve.
    pub(crate) fn approvals(&self) -> u64 {
        let mut names: Vec<&str> = self.mr.approvals.iter().map(|approval| approval.user.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.len() as u64
    }

    pub(crate) fn draft(&self) -> bool {
        let title = self.mr.title.to_ascii_lowercase();
        ["draft:", "[draft]", "(draft)"].iter().any(|mark| title.starts_with(mark))
    }

    /// The pipeline that GitLab attaches: the first of the list whose sha is the head.
    pub(crate) fn head_pipeline(&self) -> Option<&Pipeline> {
        self.pipelines.iter().find(|pipeline| pipeline.sha == self.mr.head)
    }

    /// The old word for the test for conflicts.
    pub(crate) fn check_word(&self, facts: &Facts) -> &'static str {
        if self.mr.state == MrState::Merged {
            return "can_be_merged";
        }
        if self.now < self.mr.prepared || self.stuck {
            return "checking";
        }
        let current = self.mr.check.as_ref().filter(|check| {
            check.head == self.mr.head && facts.target.as_ref().is_none_or(|target| *target == check.target)
        });
        match current {
            None => "unchecked",
            Some(check) if self.now < check.ready => "checking",
            Some(_) if facts.conflict => "cannot_be_merged",
            Some(_) => "can_be_merged",
        }
    }

    /// The first reason against a merge, in GitLab's order and words; `None` when it can be merged. `sync` tests for conflicts
    /// at once, as a merge does, where a read waits for the test.
    pub(crate) fn blocker(&self, facts: &Facts, sync: bool) -> Option<&'static str> {
        if self.mr.state != MrState::Opened {
            return Some("not_open");
        }
        if self.now < self.mr.prepared {
            return Some("preparing");
        }
        if !sync || self.stuck {
            match self.check_word(facts) {
                "unchecked" => return Some("unchecked"),
                "checking" => return Some("checking"),
                _ => {}
            }
        }
        if self.draft() {
            return Some("draft_status");
        }
        if facts.source.is_none() || self.mr.head == self.mr.base {
            return Some("commits_status");
        }
        if self.mr.approvals_due.is_some() {
            return Some("approvals_syncing");
        }
        if self.approvals() < self.required {
            return Some("not_approved");
        }
        if facts.conflict {
            return Some("conflict");
        }
        if facts.behind && self.method != "merge" {
            return Some("need_rebase");
        }
        if !self.pipeline_required {
            return None;
        }
        match self.head_pipeline().and_then(|pipeline| pipeline.status(self.now)) {
            Some("success") => None,
            Some("pending" | "running") => Some("ci_still_running"),
            _ => Some("ci_must_pass"),
        }
    }
}
