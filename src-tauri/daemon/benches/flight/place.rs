//! Practice remotes, and the program on them as a process of its own.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use signalbox_sandbox::{Options, Pace, Sandbox};

/// A kind that makes one small file, so that a thousand requests do not wait for each other's lines.
const NOTE: &str = include_str!("../../tests/fixtures/kinds/note.yaml");

/// A data directory with practice remotes that run.
pub(crate) struct Place {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) remotes: Sandbox,
}

impl Place {
    /// Remotes without pauses of their own; the desk decides after `approves`, or not at all. `most` may be under way at once.
    pub(crate) async fn new(approves: Option<Duration>, most: usize) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let none = Duration::ZERO;
        let pace = Pace { prepare: none, check: none, pipeline_appears: none, rebase: none, ..Pace::default() };
        let options =
            Options { pipeline_seconds: 1.0, deploy_seconds: 1.0, auto_approve: approves, pace, ..Options::default() };
        let remotes = signalbox_sandbox::start(dir.path(), options).await.expect("the practice remotes");
        std::fs::write(dir.path().join("kinds/note.yaml"), NOTE).expect("a kind");
        let settings = std::fs::read_to_string(&remotes.config_path).expect("settings");
        // The ladders of practice are over after some minutes; those of every day last an hour.
        let settings = settings
            .replace("max_active = 256", &format!("max_active = {most}"))
            .replace("max_looks = 120", "max_looks = 720");
        std::fs::write(&remotes.config_path, settings).expect("settings");
        Self { dir, remotes }
    }

    /// Starts `signalboxd serve` and waits until it is ready.
    pub(crate) fn serve(&self) -> Program {
        let log = std::fs::File::create(self.dir.path().join("stderr.log")).expect("a log");
        let mut child = Command::new(env!("CARGO_BIN_EXE_signalboxd"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(self.dir.path())
            .env("SIGNALBOX_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("a process");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let ready: Value = serde_json::from_str(&line).expect("the ready line");
        let word = |key: &str| ready[key].as_str().expect("a word of the ready line").to_owned();
        let program = Program { child, url: word("url"), token: word("api_token") };
        self.remotes.call_back_to(&program.url);
        program
    }
}

/// A running `signalboxd`.
pub(crate) struct Program {
    child: Child,
    pub(crate) url: String,
    pub(crate) token: String,
}

impl Program {
    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("the process is killed");
        self.child.wait().expect("the process ends");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
