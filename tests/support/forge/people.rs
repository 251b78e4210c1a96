//! What people do by hand in the forge.

use signalbox_engine::ports::forge::MrState;

use super::{
    FakeForge,
    model::{Mr, Plan, Project, millis},
};

impl Project {
    /// A new merge request; its head is told with `head_changed`.
    pub fn open_mr(
        &mut self,
        source: &str,
        target: &str,
        title: &str,
        description: &str,
        author: &str,
        now: i64,
    ) -> u64 {
        let iid = self.mrs.iter().map(|mr| mr.iid).max().unwrap_or(0) + 1;
        let prepared_at = now + millis(self.rules.preparing);
        self.mrs.push(Mr {
            iid,
            source: source.into(),
            target: target.into(),
            title: title.into(),
            description: description.into(),
            author: author.into(),
            state: MrState::Opened,
            head: self.repo.head(source).cloned().unwrap_or_default(),
            prepared_at,
            checked_at: prepared_at,
            approved_by: Vec::new(),
            approvals_given: Vec::new(),
            approvals_taken: Vec::new(),
            merge_error: None,
            rebase_done_at: None,
            rebase_lost: false,
            unlocks_at: None,
            merged_sha: None,
            ended_by: None,
            blocked: None,
            odd_word: None,
            says_merged_at: None,
        });
        iid
    }
}

impl FakeForge {
    /// Somebody commits a file to a branch; answers the sha.
    pub fn push(&self, project: &str, branch: &str, path: &str, text: &str) -> String {
        self.with(project, |project, now| {
            let sha = project.repo.push(branch, "By hand", &[(path.into(), Some(text.into()))]);
            project.branch_moved(branch, now);
            sha
        })
    }

    /// Somebody merges a merge request whatever its state says.
    pub fn merge_by_hand(&self, project: &str, iid: u64, who: &str) {
        self.with(project, |project, now| project.merge(iid, who, now));
    }

    pub fn close_by_hand(&self, project: &str, iid: u64, who: &str) {
        self.change(project, iid, |mr| {
            if mr.state == MrState::Opened {
                (mr.state, mr.ended_by) = (MrState::Closed, Some(who.into()));
            }
        });
    }

    pub fn reopen(&self, project: &str, iid: u64) {
        self.change(project, iid, |mr| {
            if mr.state == MrState::Closed {
                (mr.state, mr.ended_by) = (MrState::Opened, None);
            }
        });
    }

    pub fn delete_branch(&self, project: &str, branch: &str) {
        self.with(project, |project, _| {
            project.deleted.extend(project.repo.branches.remove(branch).map(|_| branch.to_owned()));
        });
    }

    pub fn retarget(&self, project: &str, iid: u64, target: &str) {
        self.change(project, iid, |mr| mr.target = target.into());
    }

    pub fn approve_by_hand(&self, project: &str, iid: u64, who: &str) {
        self.change(project, iid, |mr| mr.approved_by.push(who.into()));
    }

    pub fn unapprove(&self, project: &str, iid: u64, who: &str) {
        self.change(project, iid, |mr| {
            mr.approved_by.retain(|name| name != who);
            mr.approvals_taken.push((who.into(), mr.head.clone()));
        });
    }

    pub fn block(&self, project: &str, iid: u64, word: Option<&'static str>) {
        self.change(project, iid, |mr| mr.blocked = word);
    }

    /// Somebody starts the checks again.
    pub fn run_again(&self, project: &str, iid: u64, plan: Plan) {
        self.with(project, |project, now| project.run_again(iid, plan, now));
    }

    /// A merge request as it is now.
    pub fn mr(&self, project: &str, iid: u64) -> Mr {
        self.with(project, |project, _| project.mr(iid).cloned().unwrap_or_else(|| panic!("no !{iid}")))
    }

    /// The text of a file on a branch.
    pub fn text(&self, project: &str, branch: &str, path: &str) -> Option<String> {
        self.with(project, |project, _| {
            let head = project.repo.head(branch)?;
            let blob = project.repo.commits[head].tree.get(path)?;
            Some(String::from_utf8_lossy(&blob.bytes).into_owned())
        })
    }

    fn change(&self, project: &str, iid: u64, change: impl FnOnce(&mut Mr)) {
        self.with(project, |project, _| change(project.mr(iid).unwrap_or_else(|| panic!("no !{iid}"))));
    }
}
