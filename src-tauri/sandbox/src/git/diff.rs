//! Diffs between two commits, one entry for each file.

use super::run::text;
use super::{GitError, Repo};

/// What changed in one file.
#[derive(Debug, Clone)]
pub(crate) struct FileDiff {
    pub(crate) path: String,
    pub(crate) old_mode: String,
    pub(crate) new_mode: String,
    /// The hunks as git prints them, from the first `@@` on.
    pub(crate) hunks: String,
}

impl FileDiff {
    pub(crate) fn added(&self) -> bool {
        self.old_mode == "0"
    }

    pub(crate) fn deleted(&self) -> bool {
        self.new_mode == "0"
    }
}

/// The tree that has no file, known to every git.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

impl Repo {
    /// The files that differ between two commits; `None` stands for nothing at all.
    pub(crate) async fn diff(&self, from: Option<&str>, to: &str, context: u32) -> Result<Vec<FileDiff>, GitError> {
        let from = from.unwrap_or(EMPTY_TREE);
        let around = format!("-U{context}");
        let raw = self.run(&["diff", "--raw", "-z", "--no-renames", "--abbrev=40", from, to]).await?;
        let patch = self.run(&["diff", "-p", "--no-color", "--no-ext-diff", "--no-renames", &around, from, to]).await?;
        let (raw, patch) = (text(&raw), text(&patch));
        let mut hunks = split_files(&patch).into_iter();
        let mut parts = raw.split('\0');
        let mut files = Vec::new();
        while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
            let mut modes = head.trim_start_matches(':').split(' ');
            let mut mode = || match modes.next() {
                Some("000000") | None => "0".to_owned(),
                Some(mode) => mode.to_owned(),
            };
            files.push(FileDiff {
                path: path.to_owned(),
                old_mode: mode(),
                new_mode: mode(),
                hunks: hunks.next().unwrap_or_default(),
            });
        }
        Ok(files)
    }

    /// Lines added and removed between two commits.
    pub(crate) async fn stats(&self, from: Option<&str>, to: &str) -> Result<(u64, u64), GitError> {
        let printed = self.run(&["diff", "--numstat", from.unwrap_or(EMPTY_TREE), to]).await?;
        let mut sum = (0, 0);
        for line in text(&printed).lines() {
            let mut numbers = line.split('\t').map(|part| part.parse::<u64>().unwrap_or(0));
            sum.0 += numbers.next().unwrap_or(0);
            sum.1 += numbers.next().unwrap_or(0);
        }
        Ok(sum)
    }
}

fn split_files(patch: &str) -> Vec<String> {
    let mut files: Vec<(bool, String)> = Vec::new();
    for line in patch.split_inclusive('\n') {
        if line.starts_with("diff --git ") {
            files.push((false, String::new()));
        } else if let Some((inside, hunks)) = files.last_mut() {
            *inside |= line.starts_with("@@ ");
            if *inside {
                hunks.push_str(line);
            }
        }
    }
    files.into_iter().map(|(_, hunks)| hunks).collect()
}
