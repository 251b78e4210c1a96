//! Questions whose answer depends on commit ids only: asked once, then known.

use std::collections::HashSet;

use super::run::text;
use super::{GitError, Repo};
use crate::held;

impl Repo {
    fn known(&self, key: &str) -> Option<String> {
        held(&self.known).get(key).cloned()
    }

    pub(super) fn learn(&self, key: String, value: &str) {
        held(&self.known).insert(key, value.to_owned());
    }

    /// The newest commit that both have; empty when the two share nothing.
    pub(crate) async fn merge_base(&self, a: &str, b: &str) -> Result<String, GitError> {
        let key = format!("base {a} {b}");
        if let Some(base) = self.known(&key) {
            return Ok(base);
        }
        let output = self.try_run(&["merge-base", a, b], None, &[]).await?;
        let base = text(&output.stdout).trim().to_owned();
        self.learn(key, &base);
        Ok(base)
    }

    /// Whether `head` has `ancestor` in its history.
    pub(crate) async fn contains(&self, head: &str, ancestor: &str) -> Result<bool, GitError> {
        Ok(self.merge_base(head, ancestor).await? == ancestor)
    }

    /// How many commits `head` has that `base` does not.
    pub(crate) async fn count(&self, base: &str, head: &str) -> Result<u64, GitError> {
        let key = format!("count {base} {head}");
        if let Some(count) = self.known(&key) {
            return Ok(count.parse().unwrap_or(0));
        }
        let count = self.line(&["rev-list", "--count", &format!("{base}..{head}")]).await?;
        self.learn(key, &count);
        Ok(count.parse().unwrap_or(0))
    }

    /// How many files differ between two commits.
    pub(crate) async fn changed_files(&self, base: &str, head: &str) -> Result<usize, GitError> {
        let key = format!("files {base} {head}");
        if let Some(count) = self.known(&key) {
            return Ok(count.parse().unwrap_or(0));
        }
        let listed = self.run(&["diff", "--name-only", "-z", "--no-renames", base, head]).await?;
        let count = listed.iter().filter(|byte| **byte == 0).count();
        self.learn(key, &count.to_string());
        Ok(count)
    }

    /// The commits that `new` has and `old` has not.
    pub(crate) async fn arrived(&self, old: Option<&str>, new: &str) -> Result<HashSet<String>, GitError> {
        let range = old.map_or_else(|| new.to_owned(), |old| format!("{old}..{new}"));
        Ok(text(&self.run(&["rev-list", &range]).await?).lines().map(str::to_owned).collect())
    }

    /// The identity of what `head` changes since `base`, whatever it stands on. Empty when nothing changes.
    pub(crate) async fn patch_id(&self, base: &str, head: &str) -> Result<String, GitError> {
        let key = format!("patch {base} {head}");
        if let Some(id) = self.known(&key) {
            return Ok(id);
        }
        let patch = self.run(&["diff", "--no-color", "--no-ext-diff", base, head]).await?;
        let ids = self.run_with(&["patch-id", "--stable"], Some(&patch), &[]).await?;
        let id = text(&ids).split_whitespace().next().unwrap_or_default().to_owned();
        self.learn(key, &id);
        Ok(id)
    }

    /// Whether merging the two would leave conflicts.
    pub(crate) async fn conflicts(&self, ours: &str, theirs: &str) -> Result<bool, GitError> {
        let key = format!("conflict {ours} {theirs}");
        if let Some(answer) = self.known(&key) {
            return Ok(answer == "yes");
        }
        let clash = matches!(self.merge(ours, theirs).await?, super::Merged::Conflict(_));
        self.learn(key, if clash { "yes" } else { "no" });
        Ok(clash)
    }
}
