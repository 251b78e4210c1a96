//! The program itself, started as its users start it.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its part")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

/// Secrets of the fixture; each is looked for where none may be.
pub const SECRETS: [(&str, &str); 7] = [
    ("TEST_BOT", "glpat-bot-9f31c7a2"),
    ("TEST_REVIEWER_1", "glpat-one-51ad0e77"),
    ("TEST_REVIEWER_2", "glpat-two-c0ffee11"),
    ("TEST_DESK", "desk-token-77aa01be"),
    ("TEST_DESK_SECRET", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"),
    ("TEST_DEPLOY_SECRET", "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"),
    ("TEST_ALICE", "alice-token-0123456789"),
];

/// What a start that fails may take, on a busy machine.
const LIMIT: Duration = Duration::from_secs(30);

/// A data directory with the fixture's settings and kinds.
pub struct Place {
    pub dir: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self::with(|text| text)
    }

    /// The fixture's settings after `change`.
    pub fn with(change: impl Fn(String) -> String) -> Self {
        let place = Self { dir: tempfile::tempdir().expect("a directory") };
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        std::fs::create_dir(place.path("kinds")).expect("a directory");
        std::fs::copy(from.join("kinds/note.yaml"), place.path("kinds/note.yaml")).expect("a copy");
        let text = std::fs::read_to_string(from.join("signalbox.toml")).expect("the fixture");
        std::fs::write(place.path("signalbox.toml"), change(text)).expect("the settings");
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn data_dir(&self) -> String {
        self.dir.path().display().to_string()
    }

    /// Starts `serve` and waits for its ready line.
    pub fn serve(&self, more: &[&str]) -> Running {
        let log = std::fs::File::create(self.path("stderr.log")).expect("a log");
        let mut child = command(&["serve", "--data-dir", &self.data_dir()])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("a process");
        let mut out = BufReader::new(child.stdout.take().expect("its stdout"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let ready = serde_json::from_str(&line).unwrap_or_else(|e| {
            let log = std::fs::read_to_string(self.path("stderr.log")).unwrap_or_default();
            panic!("no ready line ({e}): {line:?}\n{log}")
        });
        Running { child, ready, out }
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.path("stderr.log")).unwrap_or_default()
    }
}

/// `signalboxd` with the fixture's secrets.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_signalboxd"));
    command.args(args).envs(SECRETS).env_remove("SIGNALBOX_LOG").stdin(Stdio::null());
    command
}

/// Runs to the end, which must come soon.
pub fn run(args: &[&str]) -> Ended {
    let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    let since = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        if since.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("{args:?} did not end within {LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let Output { status, stdout, stderr } = child.wait_with_output().expect("what it wrote");
    Ended {
        code: status.code(),
        out: String::from_utf8(stdout).expect("text"),
        err: String::from_utf8(stderr).expect("text"),
    }
}

/// A process that has ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// Ended with `code`, nothing on stdout, and each of `words` on stderr.
    pub fn refused(&self, code: i32, words: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "{word:?} in {}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

/// A process that serves.
pub struct Running {
    pub child: Child,
    pub ready: Value,
    out: BufReader<ChildStdout>,
}

impl Running {
    /// A process whose ready line has been read.
    pub fn of(child: Child, ready: Value, out: BufReader<ChildStdout>) -> Self {
        Self { child, ready, out }
    }

    pub fn url(&self) -> &str {
        self.ready["url"].as_str().expect("a url")
    }

    pub fn token(&self) -> &str {
        self.ready["api_token"].as_str().expect("a token")
    }

    /// GET; status and body.
    pub fn get(&self, path: &str, token: &str) -> (u16, String) {
        self.send("GET", path, token, "")
    }

    /// GET as the operator; the body.
    pub fn get_json(&self, path: &str) -> Value {
        serde_json::from_str(&self.send("GET", path, self.token(), "").1).expect("JSON")
    }

    /// POST as the operator; status and body.
    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) = self.send("POST", path, self.token(), &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    fn send(&self, method: &str, path: &str, token: &str, body: &str) -> (u16, String) {
        let at = self.url().trim_start_matches("http://");
        let mut wire = TcpStream::connect(at).expect("a connection");
        write!(
            wire,
            "{method} {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("the request is taken");
        let mut text = String::new();
        wire.read_to_string(&mut text).expect("an answer");
        let status = text.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status");
        (status, text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    /// SIGTERM; the exit code and what else was printed.
    pub fn terminate(mut self) -> (Option<i32>, String) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("kill");
        assert!(told.success());
        let since = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("a state") {
                break status.code();
            }
            assert!(since.elapsed() < Duration::from_secs(12), "still running after SIGTERM");
            std::thread::sleep(Duration::from_millis(20));
        };
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).expect("the rest");
        (code, rest)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
