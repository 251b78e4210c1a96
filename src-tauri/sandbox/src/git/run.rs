//! One repository, and how a git command is run in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::error::SandboxError;
use crate::held;

/// A git command that failed: the command and what git said.
#[derive(Debug, thiserror::Error)]
#[error("git {command} failed: {message}")]
pub struct GitError {
    /// The first words of the command line.
    pub command: String,
    /// The standard error of git, trimmed.
    pub message: String,
}

/// A branch that git has at another place than it was seen at last.
pub(crate) struct BranchChange {
    pub(crate) branch: String,
    pub(crate) before: Option<String>,
    pub(crate) now: Option<String>,
}

/// What a finished git command left behind.
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// One bare repository with its branches as last seen and what is known about its commits.
pub(crate) struct Repo {
    pub(crate) dir: PathBuf,
    /// Held by whoever changes branches, so that look, decide and write are one act.
    pub(crate) writing: tokio::sync::Mutex<()>,
    branches: Mutex<BTreeMap<String, String>>,
    /// Answers that depend on commit ids only, which never change.
    pub(super) known: Mutex<HashMap<String, String>>,
}

impl Repo {
    pub(crate) fn new(dir: PathBuf) -> Self {
        Self { dir, writing: tokio::sync::Mutex::new(()), branches: Mutex::default(), known: Mutex::default() }
    }

    fn command(&self) -> Command {
        let mut command = plain();
        command.arg("--git-dir").arg(&self.dir);
        command
    }

    /// Runs a command and returns its output whatever the exit code is.
    pub(super) async fn try_run(
        &self,
        args: &[&str],
        input: Option<&[u8]>,
        env: &[(&str, &str)],
    ) -> Result<Output, GitError> {
        let mut command = self.command();
        command.args(args).envs(env.iter().copied());
        finish(command, args, input).await
    }

    /// Runs a command that must succeed and returns its standard output.
    pub(super) async fn run(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run_with(args, None, &[]).await
    }

    pub(super) async fn run_with(
        &self,
        args: &[&str],
        input: Option<&[u8]>,
        env: &[(&str, &str)],
    ) -> Result<Vec<u8>, GitError> {
        let output = self.try_run(args, input, env).await?;
        if output.code == 0 {
            return Ok(output.stdout);
        }
        Err(GitError { command: words(args), message: output.stderr })
    }

    /// Runs a command whose answer is one line of text.
    pub(super) async fn line(&self, args: &[&str]) -> Result<String, GitError> {
        Ok(text(&self.run(args).await?).trim_end().to_owned())
    }

    /// Makes the repository with `main` as its default branch, unless it is there.
    pub(crate) async fn create(&self) -> Result<(), GitError> {
        if self.dir.join("HEAD").exists() {
            return Ok(());
        }
        let mut command = plain();
        command.args(["init", "--quiet", "--bare", "--initial-branch=main"]).arg(&self.dir);
        let output = finish(command, &["init"], None).await?;
        if output.code != 0 {
            return Err(GitError { command: "init".to_owned(), message: output.stderr });
        }
        self.run(&["config", "gc.auto", "0"]).await.map(drop)
    }

    /// Feeds a `fast-import` stream.
    pub(crate) async fn import(&self, stream: &[u8]) -> Result<(), GitError> {
        self.run_with(&["fast-import", "--quiet"], Some(stream), &[]).await?;
        Ok(())
    }

    /// Reads the branches from git and returns those that are not where they were.
    pub(crate) async fn read_branches(&self) -> Result<Vec<BranchChange>, GitError> {
        let listed = self.run(&["for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads/"]).await?;
        let now: BTreeMap<String, String> = text(&listed)
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(sha, name)| (name.to_owned(), sha.to_owned()))
            .collect();
        let mut known = held(&self.branches);
        let names: BTreeSet<&String> = now.keys().chain(known.keys()).collect();
        let changes = names
            .into_iter()
            .map(|name| BranchChange {
                branch: name.clone(),
                before: known.get(name).cloned(),
                now: now.get(name).cloned(),
            })
            .filter(|change| change.before != change.now)
            .collect();
        *known = now;
        Ok(changes)
    }

    /// The branches and their heads.
    pub(crate) fn branches(&self) -> BTreeMap<String, String> {
        held(&self.branches).clone()
    }

    /// The head of a branch.
    pub(crate) fn head(&self, branch: &str) -> Option<String> {
        held(&self.branches).get(branch).cloned()
    }

    /// Points a branch at a commit; `old` is what it must be at now (`None`: it must not exist).
    pub(crate) async fn move_branch(&self, branch: &str, new: &str, old: Option<&str>) -> Result<(), GitError> {
        let zero = "0".repeat(40);
        self.run(&["update-ref", &format!("refs/heads/{branch}"), new, old.unwrap_or(&zero)]).await?;
        held(&self.branches).insert(branch.to_owned(), new.to_owned());
        Ok(())
    }

    /// Removes a branch.
    pub(crate) async fn delete_branch(&self, branch: &str) -> Result<(), GitError> {
        self.run(&["update-ref", "-d", &format!("refs/heads/{branch}")]).await?;
        held(&self.branches).remove(branch);
        Ok(())
    }

    /// Keeps a commit reachable under a ref outside the branches.
    pub(crate) async fn keep(&self, name: &str, sha: &str) -> Result<(), GitError> {
        self.run(&["update-ref", name, sha]).await.map(drop)
    }
}

/// Refuses to go on without a git that can merge without a working tree.
pub(crate) async fn check_version() -> Result<(), SandboxError> {
    let mut command = plain();
    command.arg("--version");
    let Ok(output) = command.output().await else { return Err(SandboxError::GitMissing) };
    let found = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut numbers = found
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .find(|word| word.contains('.'))
        .unwrap_or_default()
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or(0));
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version < (2, 38) { Err(SandboxError::GitTooOld { found }) } else { Ok(()) }
}

/// git with nothing of the person's own settings, so that it behaves the same everywhere.
fn plain() -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", null_device())
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .kill_on_drop(true);
    command
}

fn null_device() -> &'static Path {
    Path::new(if cfg!(windows) { "NUL" } else { "/dev/null" })
}

async fn finish(mut command: Command, args: &[&str], input: Option<&[u8]>) -> Result<Output, GitError> {
    let failed = |error: std::io::Error| GitError { command: words(args), message: error.to_string() };
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let stdin = child.stdin.take();
    let feed = async {
        if let (Some(mut stdin), Some(bytes)) = (stdin, input) {
            // git may stop reading early; its exit code says why
            let _ = stdin.write_all(bytes).await;
            let _ = stdin.shutdown().await;
        }
    };
    let (output, ()) = tokio::join!(child.wait_with_output(), feed);
    let output = output.map_err(failed)?;
    Ok(Output {
        code: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: text(&output.stderr).trim().to_owned(),
    })
}

fn words(args: &[&str]) -> String {
    args.iter().take(2).copied().collect::<Vec<_>>().join(" ")
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
