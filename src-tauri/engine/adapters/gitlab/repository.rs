//! Files, branches and commits.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{
    GitLabForge,
    projects::{Found, absent, fact},
    wire::{WireBranch, WireCommit, WireFile},
};
use crate::{
    adapters::{
        ask::Ask,
        classify::Route,
        http::Answer,
        path::{segment, short, with_query},
        texts::said,
    },
    ports::{
        error::{ErrorClass, RemoteResult},
        forge::{Commit, FileWrite, NewCommit, RepoFile},
        journal::Scope,
    },
};

impl GitLabForge {
    pub(super) async fn read_file(
        &self,
        scope: &Scope,
        project: &str,
        file: &str,
        at: &str,
    ) -> RemoteResult<Option<RepoFile>> {
        let tail = with_query(&format!("/repository/files/{}", segment(file)), &[("ref", at)]);
        let read = |answer: &Answer| answer.json::<WireFile>()?.decode();
        self.look(scope, project, |id| self.get(id, &tail), read).await
    }

    pub(super) async fn read_branch(&self, scope: &Scope, project: &str, branch: &str) -> RemoteResult<Option<Commit>> {
        let tail = format!("/repository/branches/{}", segment(branch));
        let read = |answer: &Answer| answer.json::<WireBranch>().map(|branch| branch.commit.into());
        self.look(scope, project, |id| self.get(id, &tail), read).await
    }

    pub(super) async fn read_commit(&self, scope: &Scope, project: &str, sha: &str) -> RemoteResult<Option<Commit>> {
        let tail = format!("/repository/commits/{}", segment(sha));
        self.look(scope, project, |id| self.get(id, &tail), fact::<WireCommit, _>).await
    }

    pub(super) async fn list_commits(
        &self,
        scope: &Scope,
        project: &str,
        from: &str,
        to: &str,
    ) -> RemoteResult<Vec<Commit>> {
        let range = format!("{from}..{to}");
        // Newest first by default, and by date: topological order keeps a child before its parents whatever the clocks said.
        let query = [("ref_name", range.as_str()), ("order", "topo")];
        let mut found: Vec<WireCommit> = self.list(scope, project, "/repository/commits", &query).await?;
        found.reverse();
        Ok(found.into_iter().map(Into::into).collect())
    }

    pub(super) async fn look_for_ancestor(
        &self,
        scope: &Scope,
        project: &str,
        sha: &str,
        ancestor: &str,
    ) -> RemoteResult<Option<bool>> {
        let tail = with_query("/repository/merge_base", &[("refs[]", sha), ("refs[]", ancestor)]);
        let read = |answer: &Answer| match answer.status {
            // A commit that is not there is a 400 of this route; a 404 of its own says that the two share no history.
            400 => answer.json::<Value>().map(|_| Found::No),
            404 if says_no_base(answer) => Ok(Found::Yes(false)),
            404 => absent(answer),
            _ => fact::<WireCommit, Commit>(answer).map(|base| Found::Yes(is_named(&base.sha, ancestor))),
        };
        self.look_at(scope, project, |id| self.get(id, &tail).accepting(&[400, 404]), read).await
    }

    pub(super) async fn commit_on_new_branch(
        &self,
        scope: &Scope,
        project: &str,
        commit: &NewCommit,
    ) -> RemoteResult<Commit> {
        let mut body = body_of(commit);
        body["start_sha"] = json!(commit.start_sha);
        let detail = format!("branch {} from {}", commit.branch, short(&commit.start_sha));
        let made = self.send_commit(scope, project, &body, detail).await;
        // A branch that is there already is told in a text, and texts differ by version and language: a look is certain.
        match made {
            Err(mut error) if error.is(400) && error.class == ErrorClass::Terminal => {
                if let Ok(Some(_)) = self.read_branch(scope, project, &commit.branch).await {
                    error.class = ErrorClass::AlreadyExists;
                }
                Err(error)
            }
            other => other,
        }
    }

    pub(super) async fn commit_on_branch(
        &self,
        scope: &Scope,
        project: &str,
        commit: &NewCommit,
    ) -> RemoteResult<Commit> {
        let detail = format!("branch {} at {}", commit.branch, short(&commit.start_sha));
        self.send_commit(scope, project, &body_of(commit), detail).await
    }

    async fn send_commit(&self, scope: &Scope, project: &str, body: &Value, detail: String) -> RemoteResult<Commit> {
        let ask = |id: u64| {
            let path = format!("/api/v4/projects/{id}/repository/commits");
            Ask::write(&self.bot, "POST", path, body.clone()).on(Route::Commit).detail(detail.clone())
        };
        self.act(scope, project, ask, fact::<WireCommit, _>).await
    }

    pub(super) fn get(&self, id: u64, tail: &str) -> Ask<'_> {
        Ask::get(&self.bot, format!("/api/v4/projects/{id}{tail}"))
    }
}

fn says_no_base(answer: &Answer) -> bool {
    let body = answer.json::<Value>().ok();
    body.as_ref().and_then(said).is_some_and(|text| text.starts_with("404 Merge Base"))
}

fn is_named(sha: &str, wanted: &str) -> bool {
    sha == wanted || (wanted.len() >= 7 && sha.starts_with(wanted))
}

fn body_of(commit: &NewCommit) -> Value {
    json!({
        "branch": commit.branch,
        "commit_message": commit.message,
        "actions": commit.files.iter().map(action).collect::<Vec<_>>(),
        "stats": false,
    })
}

fn action(file: &FileWrite) -> Value {
    let (mut action, last) = match file {
        FileWrite::Create { path, content } => (
            json!({"action": "create", "file_path": path, "content": STANDARD.encode(content), "encoding": "base64"}),
            None,
        ),
        FileWrite::Update { path, content, last_commit_id } => (
            json!({"action": "update", "file_path": path, "content": STANDARD.encode(content), "encoding": "base64"}),
            last_commit_id.as_ref(),
        ),
        FileWrite::Delete { path, last_commit_id } => {
            (json!({"action": "delete", "file_path": path}), last_commit_id.as_ref())
        }
    };
    if let Some(last) = last {
        action["last_commit_id"] = json!(last);
    }
    action
}
