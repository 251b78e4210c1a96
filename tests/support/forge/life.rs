//! What happens in a project: heads move, pipelines begin, rebases and merges end.

use signalbox_engine::ports::forge::MrState;

use super::model::{Method, Mr, Pipe, Plan, Project, Source, millis};

impl Project {
    /// A new head of a merge request: checked anew, approvals gone where the rules say so, pipelines to come.
    pub fn head_changed(&mut self, iid: u64, head: &str, now: i64) {
        let (checking, reset) = (millis(self.rules.checking), self.rules.reset_on_push);
        let plans = self.rules.next.pop_front().unwrap_or_else(|| self.rules.usual.clone());
        let Some(mr) = self.mr(iid) else { return };
        let left = std::mem::replace(&mut mr.head, head.into());
        mr.checked_at = now.max(mr.prepared_at) + checking;
        if reset {
            // Where the branch comes back to a head that it left, the approvals that were dropped with it are given again.
            let dropped = mr.approved_by.iter().map(|who| (who.clone(), left.clone())).collect::<Vec<_>>();
            mr.approvals_taken.extend(dropped);
            mr.approved_by.clear();
        }
        let target = mr.target.clone();
        for plan in plans {
            self.run_pipeline(iid, head, &target, plan, now);
        }
    }

    fn run_pipeline(&mut self, iid: u64, head: &str, target: &str, plan: Plan, now: i64) {
        let sha = match (plan.source, self.repo.head(target).cloned()) {
            (Source::MergedResults, Some(target)) => {
                let edits = self.repo.merge(&target, head).unwrap_or_default();
                self.repo.store(&[target, head.to_owned()], "Merge for the checks", &edits)
            }
            _ => head.to_owned(),
        };
        let id = 100 + self.pipes.len() as u64;
        self.pipes.push(Pipe { id, iid, sha, plan, born: now });
    }

    /// A person starts the checks of a merge request again.
    pub fn run_again(&mut self, iid: u64, plan: Plan, now: i64) {
        let Some((head, target)) = self.mr(iid).map(|mr| (mr.head.clone(), mr.target.clone())) else { return };
        self.run_pipeline(iid, &head, &target, plan, now);
    }

    /// A commit arrived on a branch: merge requests from it have a new head, those into it are checked anew.
    pub fn branch_moved(&mut self, branch: &str, now: i64) {
        let Some(head) = self.repo.head(branch).cloned() else { return };
        let checking = millis(self.rules.checking);
        let open = |mr: &&mut Mr| mr.state == MrState::Opened;
        for mr in self.mrs.iter_mut().filter(open).filter(|mr| mr.target == branch) {
            mr.checked_at = mr.checked_at.max(now + checking);
        }
        let moved: Vec<_> = self
            .mrs
            .iter_mut()
            .filter(open)
            .filter(|mr| mr.source == branch && mr.head != head)
            .map(|mr| mr.iid)
            .collect();
        for iid in moved {
            self.head_changed(iid, &head, now);
        }
    }

    /// Puts the change on the target branch.
    pub fn merge(&mut self, iid: u64, who: &str, now: i64) {
        let Some(mr) = self.mrs.iter().find(|mr| mr.iid == iid).cloned() else { return };
        let Some(target) = self.repo.head(&mr.target).cloned() else { return };
        let merged = match self.rules.method {
            Method::FastForward if self.behind(&mr) == 0 => mr.head.clone(),
            Method::Squash => {
                let edits = self.repo.merge(&target, &mr.head).unwrap_or_default();
                self.repo.store(&[target], &mr.title, &edits)
            }
            _ => {
                let edits = self.repo.merge(&target, &mr.head).unwrap_or_default();
                let message = format!("Merge branch '{}' into '{}'", mr.source, mr.target);
                self.repo.store(&[target, mr.head.clone()], &message, &edits)
            }
        };
        self.repo.branches.insert(mr.target.clone(), merged.clone());
        if let Some(mr) = self.mr(iid) {
            mr.state = MrState::Merged;
            mr.merged_sha = Some(merged);
            mr.ended_by = Some(who.into());
            mr.unlocks_at = None;
            mr.rebase_done_at = None;
        }
        self.branch_moved(&mr.target, now);
    }

    /// Rebases and merges whose time has come.
    pub fn work(&mut self, now: i64) {
        let due = |at: Option<i64>| at.is_some_and(|at| at <= now);
        for mr in self.mrs.iter_mut().filter(|mr| due(mr.says_merged_at)) {
            (mr.state, mr.says_merged_at) = (MrState::Merged, None);
        }
        let unlocked: Vec<_> = self.mrs.iter().filter(|mr| due(mr.unlocks_at)).map(|mr| mr.iid).collect();
        for iid in unlocked {
            self.merge(iid, super::BOT, now);
        }
        let rebased: Vec<_> = self.mrs.iter().filter(|mr| due(mr.rebase_done_at)).map(|mr| mr.iid).collect();
        for iid in rebased {
            self.finish_rebase(iid, now);
        }
    }

    fn finish_rebase(&mut self, iid: u64, now: i64) {
        let Some(mr) = self.mr(iid) else { return };
        let at = mr.rebase_done_at.take().unwrap_or(now);
        if std::mem::take(&mut mr.rebase_lost) || mr.state != MrState::Opened {
            return;
        }
        let mr = mr.clone();
        let target = self.repo.head(&mr.target).cloned();
        let rebased = target.and_then(|target| Some((self.repo.merge(&target, &mr.head)?, target)));
        let Some((edits, target)) = rebased else {
            if let Some(mr) = self.mr(iid) {
                mr.merge_error =
                    Some("Rebase failed: Rebase locally, resolve all conflicts, then push the branch.".into());
            }
            return;
        };
        if self.repo.history(&mr.head).contains(&target) {
            return;
        }
        let message = self.repo.commits[&mr.head].message.clone();
        // A commit of which nothing is left is dropped.
        let head = if edits.is_empty() { target } else { self.repo.store(&[target], &message, &edits) };
        self.repo.branches.insert(mr.source, head.clone());
        self.head_changed(iid, &head, at);
    }
}
