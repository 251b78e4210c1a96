//! The program with a data directory of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::display::{Display, Window};
use crate::page::Page;
use crate::webdriver::Session;

/// The data directory of one test; removed at its end.
pub(crate) struct App {
    dir: TempDir,
}

impl App {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a directory for the test") }
    }

    pub(crate) fn data_dir(&self) -> &Path {
        self.dir.path()
    }

    /// Edits the settings of the practice; each text has to be there.
    pub(crate) fn set(&self, edits: &[(&str, &str)]) {
        let path = self.dir.path().join("practice/signalbox.toml");
        let before = std::fs::read_to_string(&path).expect("the practice has settings");
        let after = edits.iter().fold(before, |text, (from, to)| {
            assert!(text.contains(from), "{from} is not in {text}");
            text.replace(from, to)
        });
        std::fs::write(path, after).expect("the settings can be written");
    }

    /// The program under WebDriver.
    pub(crate) fn open(&self) -> Page {
        let dir = self.dir.path().to_str().expect("a plain path");
        Page::new(Session::open(&program(), &["--data-dir", dir]))
    }

    /// The program as a person starts it.
    pub(crate) fn start(&self) -> Started {
        Started(self.command().spawn().expect("the program starts"))
    }

    /// The same, not started yet.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(program());
        command.arg("--data-dir").arg(self.dir.path()).stdin(Stdio::null());
        command
    }

    /// Waits until the log says so.
    pub(crate) fn logs(&self, words: &str) {
        let log = self.dir.path().join("signalbox.log");
        eventually(&format!("the log says “{words}”"), || {
            std::fs::read_to_string(&log).is_ok_and(|text| text.contains(words))
        });
    }
}

/// A program that was started; killed when the test ends before it.
pub(crate) struct Started(Child);

impl Started {
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.0.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "SIG{name} is sent");
    }

    /// Waits for the end, at most 15 s.
    pub(crate) fn ends(&mut self) -> ExitStatus {
        let mut ended = None;
        eventually("the program ends", || {
            ended = self.0.try_wait().expect("the program can be asked");
            ended.is_some()
        });
        ended.expect("the wait before ends only with a status")
    }

    /// Its windows that can be seen now.
    pub(crate) fn windows(&self, display: &Display) -> Vec<Window> {
        display.windows_of(self.0.id())
    }

    /// Waits until a window can be seen.
    pub(crate) fn window(&self, display: &Display) -> Window {
        let mut seen = Vec::new();
        eventually("a window is seen", || {
            seen = self.windows(display);
            !seen.is_empty()
        });
        seen.remove(0)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until something holds, at most 15 s.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(15);
    while !holds() {
        assert!(Instant::now() < until, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The program that was built for this test.
pub(crate) fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_signalbox"))
}
