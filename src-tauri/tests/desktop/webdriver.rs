//! WebKitWebDriver as a process, and one session of it as a window.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http;

const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A window under control. Dropping it ends the app and the driver.
pub(crate) struct Session {
    driver: Child,
    url: String,
}

/// An element of the page.
#[derive(Debug, Clone)]
pub(crate) struct Element(String);

impl Session {
    /// Starts a driver of its own, and through it the program.
    pub(crate) fn open(program: &Path, arguments: &[&str]) -> Self {
        let port = free_port();
        let driver = Command::new("WebKitWebDriver")
            .args(["--host=127.0.0.1", &format!("--port={port}")])
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdin(Stdio::null())
            .spawn()
            .expect("WebKitWebDriver is installed (Debian: webkit2gtk-driver)");
        let mut session = Self { driver, url: format!("http://127.0.0.1:{port}") };
        session.wait_for_driver();
        let capabilities = json!({"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions":
            {"binary": program, "args": arguments}}}});
        let opened = session.ask("POST", "/session", &capabilities).expect("the app opens its window");
        let id = opened["sessionId"].as_str().expect("a session has an id").to_owned();
        session.url = format!("{}/session/{id}", session.url);
        session
    }

    fn wait_for_driver(&self) {
        let until = Instant::now() + Duration::from_secs(10);
        while http::send("GET", &format!("{}/status", self.url), None).is_err() {
            assert!(Instant::now() < until, "WebKitWebDriver does not answer at {}", self.url);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = (method != "GET").then_some(body);
        let (status, answer) = http::send(method, &format!("{}{path}", self.url), body).map_err(|e| e.to_string())?;
        let value = answer["value"].clone();
        if status == 200 { Ok(value) } else { Err(format!("{} {}", value["error"], value["message"])) }
    }

    /// Runs the body of a function in the page; `arguments` holds what is given.
    pub(crate) fn run(&self, script: &str, arguments: &Value) -> Result<Value, String> {
        self.ask("POST", "/execute/sync", &json!({"script": script, "args": arguments}))
    }

    /// The same for a body that calls its last argument with the result.
    pub(crate) fn run_async(&self, script: &str, arguments: &Value) -> Result<Value, String> {
        self.ask("POST", "/execute/async", &json!({"script": script, "args": arguments}))
    }

    /// The element that a script returned, if it was one.
    pub(crate) fn element(&self, script: &str, arguments: &Value) -> Option<Element> {
        let found = self.run(script, arguments).ok()?;
        found[ELEMENT].as_str().map(|id| Element(id.to_owned()))
    }

    /// A click as a person makes it: scrolled into view, at the middle, refused when something lies over it.
    pub(crate) fn click(&self, element: &Element) -> Result<(), String> {
        self.ask("POST", &format!("/element/{}/click", element.0), &json!({})).map(drop)
    }

    /// Empties a field and types into it.
    pub(crate) fn fill(&self, element: &Element, text: &str) -> Result<(), String> {
        self.ask("POST", &format!("/element/{}/clear", element.0), &json!({}))?;
        self.ask("POST", &format!("/element/{}/value", element.0), &json!({"text": text})).map(drop)
    }

    /// Presses keys where the keyboard is.
    pub(crate) fn press(&self, key: &str) -> Result<(), String> {
        let keys = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": keys}]});
        self.ask("POST", "/actions", &actions).map(drop)
    }

    /// The window as it looks now, as PNG in base64.
    pub(crate) fn picture(&self) -> Result<String, String> {
        self.ask("GET", "/screenshot", &Value::Null).map(|value| value.as_str().unwrap_or_default().to_owned())
    }

    /// Sets the outer size of the window, in pixels.
    pub(crate) fn resize(&self, width: u32, height: u32) -> Result<(), String> {
        self.ask("POST", "/window/rect", &json!({"width": width, "height": height})).map(drop)
    }
}

impl Drop for Session {
    /// The driver tells the app to end; its data directory is only free once it has.
    fn drop(&mut self) {
        let apps = children(self.driver.id());
        let _ = self.ask("DELETE", "", &json!({}));
        let until = Instant::now() + Duration::from_secs(12);
        while apps.iter().any(|app| runs(app)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        for app in apps.iter().filter(|app| runs(app)) {
            let _ = Command::new("kill").args(["-KILL", app]).status();
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The process ids of a process's children.
fn children(process: u32) -> Vec<String> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Whether a process is there and more than a record that its parent has yet to read.
fn runs(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a bound listener has an address").port()
}
