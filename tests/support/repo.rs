//! A repository in memory: commits with whole trees, branches, and merges of three sides line by line.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};
use signalbox_engine::ports::forge::{Commit, FileWrite};

/// A file and the last commit that touched it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub bytes: Vec<u8>,
    pub last_commit: String,
}

pub type Tree = BTreeMap<String, Blob>;

#[derive(Debug, Clone)]
pub struct Stored {
    pub parents: Vec<String>,
    pub message: String,
    pub tree: Tree,
}

/// Commits and branches of one project.
#[derive(Debug, Clone, Default)]
pub struct Repo {
    pub commits: BTreeMap<String, Stored>,
    pub branches: BTreeMap<String, String>,
    made: u64,
}

/// The change of one path: its new bytes, or None where it is deleted.
pub type Edit = (String, Option<Vec<u8>>);

impl Repo {
    pub fn head(&self, branch: &str) -> Option<&String> {
        self.branches.get(branch)
    }

    pub fn commit(&self, sha: &str) -> Option<Commit> {
        self.commits.get(sha).map(|stored| Commit {
            sha: sha.into(),
            parents: stored.parents.clone(),
            message: stored.message.clone(),
        })
    }

    /// Stores a commit without moving a branch.
    pub fn store(&mut self, parents: &[String], message: &str, edits: &[Edit]) -> String {
        self.made += 1;
        let text = format!("{} {parents:?} {message}", self.made);
        let sha: String = Sha256::digest(text).iter().take(20).map(|byte| format!("{byte:02x}")).collect();
        let mut tree = parents.first().map(|parent| self.commits[parent].tree.clone()).unwrap_or_default();
        for (path, bytes) in edits {
            match bytes {
                Some(bytes) => tree.insert(path.clone(), Blob { bytes: bytes.clone(), last_commit: sha.clone() }),
                None => tree.remove(path),
            };
        }
        self.commits.insert(sha.clone(), Stored { parents: parents.to_vec(), message: message.into(), tree });
        sha
    }

    /// A commit on top of a branch.
    pub fn push(&mut self, branch: &str, message: &str, edits: &[Edit]) -> String {
        let parents: Vec<_> = self.head(branch).cloned().into_iter().collect();
        let sha = self.store(&parents, message, edits);
        self.branches.insert(branch.into(), sha.clone());
        sha
    }

    /// The edits of a commit call, or why it is refused.
    pub fn edits(&self, base: &str, files: &[FileWrite]) -> Result<Vec<Edit>, String> {
        let tree = &self.commits[base].tree;
        files
            .iter()
            .map(|file| match file {
                FileWrite::Create { path, .. } if tree.contains_key(path) => {
                    Err("A file with this name already exists".to_owned())
                }
                FileWrite::Create { path, content } => Ok((path.clone(), Some(content.clone()))),
                FileWrite::Update { path, last_commit_id, .. } | FileWrite::Delete { path, last_commit_id }
                    if tree
                        .get(path)
                        .is_none_or(|blob| last_commit_id.as_ref().is_some_and(|id| *id != blob.last_commit)) =>
                {
                    Err("The file has changed since you started editing it".to_owned())
                }
                FileWrite::Update { path, content, .. } => Ok((path.clone(), Some(content.clone()))),
                FileWrite::Delete { path, .. } => Ok((path.clone(), None)),
            })
            .collect()
    }

    /// A commit and everything before it.
    pub fn history(&self, sha: &str) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut open = vec![sha.to_owned()];
        while let Some(sha) = open.pop() {
            if seen.insert(sha.clone()) {
                open.extend(self.commits.get(&sha).map(|stored| stored.parents.clone()).unwrap_or_default());
            }
        }
        seen
    }

    /// Commits that `to` has and `from` has not, oldest first.
    pub fn between(&self, from: &str, to: &str) -> Vec<String> {
        let known = self.history(from);
        let mut found = Vec::new();
        let mut open = vec![to.to_owned()];
        while let Some(sha) = open.pop() {
            if known.contains(&sha) || found.contains(&sha) {
                continue;
            }
            open.extend(self.commits[&sha].parents.clone());
            found.push(sha);
        }
        found.reverse();
        found
    }

    /// The newest commit that both sides have: with our short histories, the first of one side's ancestors the other knows.
    pub fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        let known = self.history(one);
        let mut open = std::collections::VecDeque::from([other.to_owned()]);
        while let Some(sha) = open.pop_front() {
            if known.contains(&sha) {
                return Some(sha);
            }
            open.extend(self.commits.get(&sha)?.parents.clone());
        }
        None
    }

    /// What `head` changed since it left `target`, laid on `target`; None where both changed the same lines.
    pub fn merge(&self, target: &str, head: &str) -> Option<Vec<Edit>> {
        let base = self.merge_base(target, head)?;
        let (base, target, head) = (&self.commits[&base].tree, &self.commits[target].tree, &self.commits[head].tree);
        let paths: BTreeSet<_> = base.keys().chain(head.keys()).collect();
        let mut edits = Vec::new();
        for path in paths {
            let bytes = |tree: &Tree| tree.get(path).map(|blob| blob.bytes.clone());
            let (was, theirs, ours) = (bytes(base), bytes(target), bytes(head));
            if ours == was || ours == theirs {
                continue;
            }
            let merged = if theirs == was { ours } else { Some(merge_lines(&was?, &theirs?, &ours?)?) };
            edits.push((path.clone(), merged));
        }
        Some(edits)
    }
}

/// Line by line where the three sides have the same number of lines; neighbours conflict as in git.
fn merge_lines(base: &[u8], theirs: &[u8], ours: &[u8]) -> Option<Vec<u8>> {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
    let (base, theirs, ours) = (lines(base), lines(theirs), lines(ours));
    if base.len() != theirs.len() || base.len() != ours.len() {
        return None;
    }
    let changed = |side: &[Vec<u8>]| -> Vec<usize> { (0..base.len()).filter(|n| side[*n] != base[*n]).collect() };
    let (by_them, by_us) = (changed(&theirs), changed(&ours));
    if by_them.iter().any(|n| by_us.iter().any(|m| n.abs_diff(*m) <= 1)) {
        return None;
    }
    Some((0..base.len()).flat_map(|n| if by_us.contains(&n) { ours[n].clone() } else { theirs[n].clone() }).collect())
}
