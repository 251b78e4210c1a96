//! Commits: reading one or a range, and writing a new one.

use chrono::{DateTime, FixedOffset};

use super::run::text;
use super::{GitError, Repo};

/// Who wrote or committed, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) at: DateTime<FixedOffset>,
}

/// One commit as stored.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) sha: String,
    pub(crate) parents: Vec<String>,
    pub(crate) tree: String,
    pub(crate) author: Person,
    pub(crate) committer: Person,
    pub(crate) message: String,
}

const FORMAT: &str = "--format=%H%x1f%P%x1f%T%x1f%an%x1f%ae%x1f%aI%x1f%cn%x1f%ce%x1f%cI%x1f%B";

impl Repo {
    /// The commit that a branch, a sha, the beginning of a sha or a ref names.
    pub(crate) async fn resolve(&self, reference: &str) -> Option<String> {
        let name = reference.strip_prefix("refs/heads/").unwrap_or(reference);
        if let Some(head) = self.head(name) {
            return Some(head);
        }
        if name.is_empty() || name.contains("..") || name.contains(char::is_whitespace) {
            return None;
        }
        let asked = format!("{name}^{{commit}}");
        let output = self.try_run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &asked], None, &[]).await;
        output.ok().filter(|output| output.code == 0).map(|output| text(&output.stdout).trim().to_owned())
    }

    /// One commit.
    pub(crate) async fn commit(&self, sha: &str) -> Result<Commit, GitError> {
        let listed = self.run(&["log", "-z", "--no-walk", FORMAT, "--end-of-options", sha]).await?;
        parse(&listed)
            .into_iter()
            .next()
            .ok_or_else(|| GitError { command: "log".to_owned(), message: format!("no commit {sha}") })
    }

    /// The commits of a range such as `a..b`, newest first, only those that touch `path` when one is given.
    pub(crate) async fn log(&self, range: &str, path: Option<&str>) -> Result<Vec<Commit>, GitError> {
        let mut args = vec!["log", "-z", "--topo-order", FORMAT, "--end-of-options", range, "--"];
        args.extend(path);
        Ok(parse(&self.run(&args).await?))
    }

    /// The newest commit up to `sha` that touched `path`.
    pub(crate) async fn last_commit_for(&self, path: &str, sha: &str) -> Result<String, GitError> {
        self.line(&["log", "-1", "--format=%H", "--end-of-options", sha, "--", path]).await
    }

    /// Stores a commit of a tree. The message is kept byte for byte.
    pub(crate) async fn write_commit(
        &self,
        tree: &str,
        parents: &[&str],
        message: &str,
        author: &Person,
        committer: &Person,
    ) -> Result<String, GitError> {
        let mut args = vec!["commit-tree", tree];
        for parent in parents {
            args.extend(["-p", parent]);
        }
        args.extend(["-F", "-"]);
        let (authored, committed) = (author.at.to_rfc3339(), committer.at.to_rfc3339());
        let env = [
            ("GIT_AUTHOR_NAME", author.name.as_str()),
            ("GIT_AUTHOR_EMAIL", author.email.as_str()),
            ("GIT_AUTHOR_DATE", authored.as_str()),
            ("GIT_COMMITTER_NAME", committer.name.as_str()),
            ("GIT_COMMITTER_EMAIL", committer.email.as_str()),
            ("GIT_COMMITTER_DATE", committed.as_str()),
        ];
        let made = self.run_with(&args, Some(message.as_bytes()), &env).await?;
        Ok(text(&made).trim().to_owned())
    }
}

fn parse(listed: &[u8]) -> Vec<Commit> {
    let listed = text(listed);
    listed.split('\0').filter_map(parse_one).collect()
}

fn parse_one(record: &str) -> Option<Commit> {
    let mut parts = record.splitn(10, '\u{1f}');
    let mut next = || parts.next().map(str::to_owned);
    let (sha, parents, tree) = (next()?, next()?, next()?);
    let mut person = || {
        let (name, email, at) = (next()?, next()?, next()?);
        Some(Person { name, email, at: DateTime::parse_from_rfc3339(&at).ok()? })
    };
    let (author, committer) = (person()?, person()?);
    let message = next()?;
    let parents = parents.split_whitespace().map(str::to_owned).collect();
    Some(Commit { sha, parents, tree, author, committer, message })
}
