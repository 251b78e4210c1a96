//! Three-way merges and rebases without a working tree.

use super::run::text;
use super::{GitError, Person, Repo};

/// What a merge made: a tree, or the paths in conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Merged {
    Tree(String),
    Conflict(Vec<String>),
}

/// What a rebase made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rebased {
    /// The new head.
    Head(String),
    /// The paths that cannot be replayed.
    Conflict(Vec<String>),
}

impl Repo {
    /// Merges `theirs` into `ours` as git does it; neither is changed.
    pub(crate) async fn merge(&self, ours: &str, theirs: &str) -> Result<Merged, GitError> {
        let args = ["merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", ours, theirs];
        let output = self.try_run(&args, None, &[]).await?;
        let printed = text(&output.stdout);
        let mut parts = printed.split('\0').map(str::trim).filter(|part| !part.is_empty());
        match (output.code, parts.next()) {
            (0, Some(tree)) => Ok(Merged::Tree(tree.to_owned())),
            (1, Some(_)) => Ok(Merged::Conflict(parts.map(str::to_owned).collect())),
            _ => Err(GitError { command: "merge-tree".to_owned(), message: output.stderr }),
        }
    }

    /// Replays the commits that `head` has and `onto` does not, oldest first, on top of `onto`.
    ///
    /// Each commit is one three-way merge whose base is the commit's own parent. `merge-tree` finds its base by history, so the
    /// side that receives the change is presented as a child of that parent; this also works before git 2.40.
    pub(crate) async fn rebase(&self, head: &str, onto: &str, committer: &Person) -> Result<Rebased, GitError> {
        let mut commits = self.log(&format!("{onto}..{head}"), None).await?;
        commits.reverse();
        let mut tip = onto.to_owned();
        for commit in commits {
            let [parent] = commit.parents.as_slice() else { continue };
            let tip_tree = self.line(&["rev-parse", &format!("{tip}^{{tree}}")]).await?;
            let stand_in =
                self.write_commit(&tip_tree, &[parent.as_str()], "stand-in for a rebase", committer, committer).await?;
            let tree = match self.merge(&stand_in, &commit.sha).await? {
                Merged::Tree(tree) => tree,
                Merged::Conflict(paths) => return Ok(Rebased::Conflict(paths)),
            };
            if tree != tip_tree {
                tip = self.write_commit(&tree, &[&tip], &commit.message, &commit.author, committer).await?;
            }
        }
        Ok(Rebased::Head(tip))
    }
}
