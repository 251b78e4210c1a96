//! Files at a commit, and new trees made from a list of edits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::run::text;
use super::{GitError, Repo};

/// One line of a directory listing.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) mode: String,
    pub(crate) kind: String,
    pub(crate) sha: String,
    pub(crate) path: String,
}

/// One change of a commit, in the words of the API.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    Create { path: String, content: Vec<u8> },
    Update { path: String, content: Vec<u8>, seen: Option<String> },
    Delete { path: String, seen: Option<String> },
    Move { path: String, from: String, content: Option<Vec<u8>>, seen: Option<String> },
    Chmod { path: String, executable: bool },
}

/// Why a list of edits makes no tree.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EditError {
    #[error("A file with this name already exists")]
    Exists,
    #[error("A file with this name doesn't exist")]
    Missing,
    #[error("The file has changed since you started editing it: {0}")]
    Changed(String),
    #[error(transparent)]
    Git(#[from] GitError),
}

static INDEX: AtomicU64 = AtomicU64::new(0);

impl Repo {
    /// The entries of a tree, of one folder or all of them.
    pub(crate) async fn list(&self, sha: &str, under: &str, recursive: bool) -> Result<Vec<Entry>, GitError> {
        let from = if under.is_empty() { sha.to_owned() } else { format!("{sha}:{under}") };
        let mut args = vec!["ls-tree", "-z"];
        if recursive {
            args.extend(["-r", "-t"]);
        }
        args.push(&from);
        let listed = text(&self.run(&args).await?);
        let place = |path: &str| if under.is_empty() { path.to_owned() } else { format!("{under}/{path}") };
        let entries = listed.split('\0').filter_map(|line| {
            let (head, path) = line.split_once('\t')?;
            let mut parts = head.split(' ').map(str::to_owned);
            Some(Entry { mode: parts.next()?, kind: parts.next()?, sha: parts.next()?, path: place(path) })
        });
        Ok(entries.collect())
    }

    /// The bytes of a file and its blob id; `None` when the commit has no such file.
    pub(crate) async fn file(&self, sha: &str, path: &str) -> Result<Option<(Vec<u8>, String)>, GitError> {
        let output = self.try_run(&["cat-file", "--batch"], Some(format!("{sha}:{path}\n").as_bytes()), &[]).await?;
        let Some(end) = output.stdout.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
        let head = text(&output.stdout[..end]);
        let mut parts = head.split(' ');
        let (Some(blob), Some("blob"), Some(size)) = (parts.next(), parts.next(), parts.next()) else {
            return Ok(None);
        };
        let size: usize = size.parse().unwrap_or(0);
        let content = output.stdout.get(end + 1..end + 1 + size).unwrap_or_default().to_vec();
        Ok(Some((content, blob.to_owned())))
    }

    /// The tree of `start` with all edits applied; nothing is written but objects.
    pub(crate) async fn edit_tree(&self, start: &str, edits: &[Edit]) -> Result<String, EditError> {
        let mut here: HashMap<String, (String, String)> = self
            .list(start, "", true)
            .await?
            .into_iter()
            .filter(|entry| entry.kind != "tree")
            .map(|entry| (entry.path, (entry.mode, entry.sha)))
            .collect();
        let mut lines = Vec::new();
        for edit in edits {
            self.apply(start, edit, &mut here, &mut lines).await?;
        }
        let number = INDEX.fetch_add(1, Ordering::Relaxed);
        let index = self.dir.join(format!("sandbox-index-{}-{number}", std::process::id()));
        let name = index.to_string_lossy().into_owned();
        let env = [("GIT_INDEX_FILE", name.as_str())];
        let written = async {
            self.run_with(&["read-tree", start], None, &env).await?;
            self.run_with(&["update-index", "-z", "--index-info"], Some(&lines), &env).await?;
            self.run_with(&["write-tree"], None, &env).await
        };
        let tree = written.await;
        let _ = tokio::fs::remove_file(&index).await;
        Ok(text(&tree?).trim().to_owned())
    }

    async fn apply(
        &self,
        start: &str,
        edit: &Edit,
        here: &mut HashMap<String, (String, String)>,
        lines: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let mut put = |here: &mut HashMap<String, (String, String)>, path: &str, mode: &str, sha: &str| {
            here.insert(path.to_owned(), (mode.to_owned(), sha.to_owned()));
            lines.extend(format!("{mode} {sha}\t{path}\0").into_bytes());
        };
        match edit {
            Edit::Create { path, content } => {
                let folder = format!("{path}/");
                if here.keys().any(|other| other == path || other.starts_with(&folder)) {
                    return Err(EditError::Exists);
                }
                let sha = self.write_blob(content).await?;
                put(here, path, "100644", &sha);
            }
            Edit::Update { path, content, seen } => {
                let mode = here.get(path).ok_or(EditError::Missing)?.0.clone();
                self.check_seen(start, path, seen.as_deref()).await?;
                let sha = self.write_blob(content).await?;
                put(here, path, &mode, &sha);
            }
            Edit::Delete { path, seen } => {
                here.get(path).ok_or(EditError::Missing)?;
                self.check_seen(start, path, seen.as_deref()).await?;
                here.remove(path);
                lines.extend(format!("0 {}\t{path}\0", "0".repeat(40)).into_bytes());
            }
            Edit::Move { path, from, content, seen } => {
                let (mode, old) = here.get(from).ok_or(EditError::Missing)?.clone();
                self.check_seen(start, from, seen.as_deref()).await?;
                let sha = match content {
                    Some(content) => self.write_blob(content).await?,
                    None => old,
                };
                if here.contains_key(path) {
                    return Err(EditError::Exists);
                }
                put(here, path, &mode, &sha);
                here.remove(from);
                lines.extend(format!("0 {}\t{from}\0", "0".repeat(40)).into_bytes());
            }
            Edit::Chmod { path, executable } => {
                let sha = here.get(path).ok_or(EditError::Missing)?.1.clone();
                put(here, path, if *executable { "100755" } else { "100644" }, &sha);
            }
        }
        Ok(())
    }

    async fn write_blob(&self, content: &[u8]) -> Result<String, GitError> {
        let sha = self.run_with(&["hash-object", "-w", "--stdin"], Some(content), &[]).await?;
        Ok(text(&sha).trim().to_owned())
    }

    /// A commit id that the repository does not know is not compared, as with GitLab.
    async fn check_seen(&self, start: &str, path: &str, seen: Option<&str>) -> Result<(), EditError> {
        let Some(seen) = seen.filter(|seen| !seen.is_empty()) else { return Ok(()) };
        if self.resolve(seen).await.is_some() && self.last_commit_for(path, start).await? != seen {
            return Err(EditError::Changed(path.to_owned()));
        }
        Ok(())
    }
}
