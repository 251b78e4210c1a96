//! The forge port, with GitLab's refusals.

use async_trait::async_trait;
use signalbox_engine::ports::{
    error::{ErrorClass, RemoteResult},
    forge::{
        Account, Commit, Forge, MergeRequest, MrState, NewCommit, NewMergeRequest, Pipeline, Project as ProjectFacts,
        Readiness, RepoFile, Who,
    },
    journal::Scope,
};

use super::{
    BOT, Call, FakeForge, classed,
    model::{Mr, millis},
    refusal,
};
use crate::support::wire::Said;

fn done<T>(value: T) -> Said<T> {
    Said { result: Ok(value), applied: true }
}

fn unchanged<T>(value: T) -> Said<T> {
    Said { result: Ok(value), applied: false }
}

fn post(name: &'static str, path: String, about: String) -> Call {
    Call { name, account: "bot", method: "POST", path, sha: None, about }
}

fn put(name: &'static str, iid: u64, tail: &str) -> Call {
    let path = format!("/merge_requests/{iid}{tail}");
    Call { name, account: "bot", method: "PUT", path, sha: None, about: format!("!{iid}") }
}

/// Git keeps no branch `a/b` beside a branch `a`.
fn beside(taken: &str, wanted: &str) -> bool {
    wanted.strip_prefix(taken).is_some_and(|rest| rest.starts_with('/'))
}

#[async_trait]
impl Forge for FakeForge {
    async fn project(&self, scope: &Scope, project: &str) -> RemoteResult<Option<ProjectFacts>> {
        let known = self.projects().iter().any(|p| p.path == project || p.id.to_string() == project);
        let found = self
            .read(scope, "project", project, String::new(), |project, _| {
                Ok(Some(ProjectFacts {
                    id: project.id,
                    path: project.path.clone(),
                    default_branch: Some("main".into()),
                    archived: project.archived,
                }))
            })
            .await;
        match found {
            Err(error) if error.is(404) && !known => Ok(None),
            other => other,
        }
    }

    async fn account(&self, _: &Scope, who: Who) -> RemoteResult<Account> {
        let username = match who {
            Who::Bot => BOT,
            Who::Reviewer(n) => self.reviewers()[n],
        };
        Ok(Account { username: username.into(), scopes: None, expires: None })
    }

    /// Remembered by the adapter after the first look, so that no call is made here.
    async fn reviewers(&self, _: &Scope) -> RemoteResult<Vec<String>> {
        Ok(FakeForge::reviewers(self).map(str::to_owned).to_vec())
    }

    async fn file(&self, scope: &Scope, project: &str, path: &str, at: &str) -> RemoteResult<Option<RepoFile>> {
        let (path, at) = (path.to_owned(), at.to_owned());
        let tail = format!("/repository/files/{}?ref={at}", path.replace('/', "%2F"));
        self.read(scope, "file", project, tail, move |project, _| {
            let sha = project.repo.head(&at).cloned().unwrap_or(at);
            let blob = project.repo.commits.get(&sha).and_then(|commit| commit.tree.get(&path));
            Ok(blob.map(|blob| RepoFile {
                bytes: blob.bytes.clone(),
                commit_id: sha,
                last_commit_id: blob.last_commit.clone(),
            }))
        })
        .await
    }

    async fn branch(&self, scope: &Scope, project: &str, branch: &str) -> RemoteResult<Option<Commit>> {
        let branch = branch.to_owned();
        let tail = format!("/repository/branches/{}", branch.replace('/', "%2F"));
        self.read(scope, "branch", project, tail, move |project, _| {
            Ok(project.repo.head(&branch).and_then(|sha| project.repo.commit(sha)))
        })
        .await
    }

    async fn commit(&self, scope: &Scope, project: &str, sha: &str) -> RemoteResult<Option<Commit>> {
        let sha = sha.to_owned();
        let tail = format!("/repository/commits/{sha}");
        self.read(scope, "commit", project, tail, move |project, _| Ok(project.repo.commit(&sha))).await
    }

    async fn commits_between(&self, scope: &Scope, project: &str, from: &str, to: &str) -> RemoteResult<Vec<Commit>> {
        let (from, to) = (from.to_owned(), to.to_owned());
        let tail = format!("/repository/commits?ref_name={from}..{to}");
        self.read(scope, "commits_between", project, tail, move |project, _| {
            let sha = |name: &String| project.repo.head(name).cloned().unwrap_or_else(|| name.clone());
            let (from, to) = (sha(&from), sha(&to));
            if !project.repo.commits.contains_key(&to) {
                return Err(refusal(404, "bot", "404 Commit Not Found"));
            }
            let found = project.repo.between(&from, &to);
            Ok(found.iter().filter_map(|sha| project.repo.commit(sha)).collect())
        })
        .await
    }

    async fn contains(&self, scope: &Scope, project: &str, sha: &str, ancestor: &str) -> RemoteResult<Option<bool>> {
        let (sha, ancestor) = (sha.to_owned(), ancestor.to_owned());
        let tail = format!("/repository/merge_base?refs[]={sha}&refs[]={ancestor}");
        self.read(scope, "contains", project, tail, move |project, _| {
            let known = |sha: &String| project.repo.commits.contains_key(sha);
            Ok((known(&sha) && known(&ancestor)).then(|| project.repo.history(&sha).contains(&ancestor)))
        })
        .await
    }

    async fn commit_files(&self, scope: &Scope, project: &str, commit: &NewCommit) -> RemoteResult<Commit> {
        let commit = commit.clone();
        let call = post("commit_files", "/repository/commits".into(), commit.branch.clone());
        self.write(scope, call, project, move |project, _| {
            if project.archived {
                return Err(refusal(403, "bot", "403 Forbidden"));
            }
            if project.repo.head(&commit.branch).is_some() {
                let text = format!("A branch called '{}' already exists.", commit.branch);
                return Err(classed(ErrorClass::AlreadyExists, 400, "bot", &text));
            }
            if let Some(taken) = project.repo.branches.keys().find(|taken| beside(taken, &commit.branch)) {
                let text = format!("cannot lock ref 'refs/heads/{}': 'refs/heads/{taken}' exists", commit.branch);
                return Err(refusal(400, "bot", &text));
            }
            if !project.repo.commits.contains_key(&commit.start_sha) {
                return Err(refusal(400, "bot", "Cannot find start_sha"));
            }
            let edits =
                project.repo.edits(&commit.start_sha, &commit.files).map_err(|why| refusal(400, "bot", &why))?;
            let sha = project.repo.store(std::slice::from_ref(&commit.start_sha), &commit.message, &edits);
            if project.rules.commits_ignored > 0 {
                project.rules.commits_ignored -= 1;
                return Ok(unchanged(project.repo.commit(&sha).unwrap()));
            }
            project.repo.branches.insert(commit.branch.clone(), sha.clone());
            Ok(done(project.repo.commit(&sha).unwrap()))
        })
        .await
    }

    async fn commit_onto(&self, scope: &Scope, project: &str, commit: &NewCommit) -> RemoteResult<Commit> {
        let commit = commit.clone();
        let call = post("commit_onto", "/repository/commits".into(), commit.branch.clone());
        self.write(scope, call, project, move |project, now| {
            let Some(head) = project.repo.head(&commit.branch).cloned() else {
                return Err(refusal(400, "bot", "You can only create or edit files when you are on a branch"));
            };
            let edits = project.repo.edits(&head, &commit.files).map_err(|why| refusal(400, "bot", &why))?;
            let sha = project.repo.push(&commit.branch, &commit.message, &edits);
            project.branch_moved(&commit.branch, now);
            Ok(done(project.repo.commit(&sha).unwrap()))
        })
        .await
    }

    async fn merge_requests_of(
        &self,
        scope: &Scope,
        project: &str,
        source_branch: &str,
    ) -> RemoteResult<Vec<MergeRequest>> {
        let source = source_branch.to_owned();
        let tail = format!("/merge_requests?state=all&source_branch={source}");
        self.read(scope, "merge_requests_of", project, tail, move |project, now| {
            let found = project.mrs.iter().rev().filter(|mr| mr.source == source);
            Ok(found.map(|mr| project.shown(mr, now)).collect())
        })
        .await
    }

    async fn open_merge_request(
        &self,
        scope: &Scope,
        project: &str,
        new: &NewMergeRequest,
    ) -> RemoteResult<MergeRequest> {
        let new = new.clone();
        let call = post("open_merge_request", "/merge_requests".into(), new.source_branch.clone());
        self.write(scope, call, project, move |project, now| {
            let open = |mr: &Mr| matches!(mr.state, MrState::Opened | MrState::Locked);
            if project.mrs.iter().any(|mr| open(mr) && mr.source == new.source_branch && mr.target == new.target_branch)
            {
                let text = "Another open merge request already exists for this source branch";
                return Err(classed(ErrorClass::AlreadyExists, 409, "bot", text));
            }
            let Some(head) = project.repo.head(&new.source_branch).cloned() else {
                return Err(classed(ErrorClass::Retryable, 400, "bot", "source_branch does not exist"));
            };
            let iid = project.open_mr(&new.source_branch, &new.target_branch, &new.title, &new.description, BOT, now);
            project.head_changed(iid, &head, now);
            let mr = project.mr(iid).cloned().unwrap();
            Ok(done(project.shown(&mr, now)))
        })
        .await
    }

    async fn merge_request(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Option<MergeRequest>> {
        let tail = format!("/merge_requests/{iid}");
        self.read(scope, "merge_request", project, tail, move |project, now| {
            Ok(project.mrs.iter().find(|mr| mr.iid == iid).map(|mr| project.shown(mr, now)))
        })
        .await
    }

    async fn pipelines(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<Pipeline>> {
        let tail = format!("/merge_requests/{iid}/pipelines");
        self.read(scope, "pipelines", project, tail, move |project, now| Ok(project.shown_pipelines(iid, now))).await
    }

    async fn approvals(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<Vec<String>> {
        let tail = format!("/merge_requests/{iid}/approvals");
        self.read(scope, "approvals", project, tail, move |project, _| {
            project.mr(iid).map(|mr| mr.approved_by.clone()).ok_or_else(|| refusal(404, "bot", "404 Not found"))
        })
        .await
    }

    async fn approve(&self, scope: &Scope, project: &str, iid: u64, sha: &str, reviewer: usize) -> RemoteResult<()> {
        let (who, pinned) = (FakeForge::reviewers(self)[reviewer], sha.to_owned());
        let call = Call {
            account: who,
            sha: Some(sha.to_owned()),
            ..post("approve", format!("/merge_requests/{iid}/approve"), format!("!{iid}"))
        };
        self.write(scope, call, project, move |project, _| {
            let may_not = project.rules.may_not_approve.iter().any(|name| name == who);
            let mr = project.mr(iid).ok_or_else(|| refusal(404, who, "404 Not found"))?;
            if may_not || mr.author == who || mr.approved_by.iter().any(|name| name == who) {
                return Err(refusal(401, who, "401 Unauthorized"));
            }
            if mr.head != pinned {
                return Err(refusal(409, who, "SHA does not match HEAD of source branch"));
            }
            mr.approved_by.push(who.into());
            mr.approvals_given.push((who.into(), pinned));
            Ok(done(()))
        })
        .await
    }

    async fn rebase(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()> {
        self.write(scope, put("rebase", iid, "/rebase"), project, move |project, now| {
            let done_at = now + millis(project.rules.rebase_takes);
            let lost = project.rules.rebases_lost > 0;
            let mr = project.mr(iid).ok_or_else(|| refusal(404, "bot", "404 Not found"))?;
            if mr.state != MrState::Opened || mr.rebase_done_at.is_some() {
                let text = "Failed to enqueue the rebase operation, possibly due to a long-lived transaction.";
                return Err(classed(ErrorClass::Retryable, 409, "bot", text));
            }
            mr.rebase_done_at = Some(done_at);
            mr.rebase_lost = lost;
            project.rules.rebases_lost = project.rules.rebases_lost.saturating_sub(1);
            Ok(done(()))
        })
        .await
    }

    async fn merge(&self, scope: &Scope, project: &str, iid: u64, sha: &str) -> RemoteResult<()> {
        let pinned = sha.to_owned();
        let call = Call { sha: Some(sha.to_owned()), ..put("merge", iid, "/merge") };
        self.write(scope, call, project, move |project, now| {
            let mr = project.mr(iid).cloned().ok_or_else(|| refusal(404, "bot", "404 Not found"))?;
            if !project.rules.bot_may_merge {
                return Err(refusal(401, "bot", "401 Unauthorized"));
            }
            if mr.state != MrState::Opened {
                return Err(refusal(405, "bot", "405 Method Not Allowed"));
            }
            if mr.head != pinned {
                return Err(refusal(409, "bot", "SHA does not match HEAD of source branch"));
            }
            if project.readiness(&mr, now).0 != Readiness::Mergeable {
                return Err(refusal(405, "bot", "405 Method Not Allowed"));
            }
            if project.rules.merges_ignored > 0 {
                project.rules.merges_ignored -= 1;
                return Ok(unchanged(()));
            }
            if project.rules.locked_for.is_zero() {
                project.merge(iid, BOT, now);
                let lags = millis(project.rules.state_lags);
                if let Some(mr) = project.mr(iid).filter(|_| lags > 0) {
                    (mr.state, mr.says_merged_at) = (MrState::Opened, Some(now + lags));
                }
            } else {
                let unlocks_at = now + millis(project.rules.locked_for);
                let mr = project.mr(iid).unwrap();
                (mr.state, mr.unlocks_at) = (MrState::Locked, Some(unlocks_at));
            }
            Ok(done(()))
        })
        .await
    }

    async fn close(&self, scope: &Scope, project: &str, iid: u64) -> RemoteResult<()> {
        self.write(scope, put("close", iid, ""), project, move |project, _| {
            let mr = project.mr(iid).ok_or_else(|| refusal(404, "bot", "404 Not found"))?;
            if mr.state != MrState::Opened {
                return Ok(unchanged(()));
            }
            (mr.state, mr.ended_by) = (MrState::Closed, Some(BOT.into()));
            Ok(done(()))
        })
        .await
    }
}
