//! The page as a person meets it: by the words on buttons and beside fields. Every search waits until it finds.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

use crate::webdriver::{Element, Session};

/// How long anything on the page may take unless a story says otherwise.
const PATIENCE: Duration = Duration::from_secs(20);

const FIND: &str = include_str!("find.js");

/// A loaded page of the app.
pub(crate) struct Page {
    session: Session,
}

impl Page {
    pub(crate) fn new(session: Session) -> Self {
        Self { session }
    }

    /// Presses a button, tab or link by the words on it.
    pub(crate) fn press(&self, words: &str) {
        self.act(&format!("press “{words}”"), "press", words, |element| self.session.click(element));
    }

    /// Types into the field with these words beside it.
    pub(crate) fn fill(&self, label: &str, text: &str) {
        self.act(&format!("fill “{label}”"), "field", label, |element| self.session.fill(element, text));
    }

    /// Presses a key where the keyboard is.
    pub(crate) fn key(&self, key: &str) {
        self.session.press(key).expect("a key can be pressed");
    }

    /// Waits until these words can be read.
    pub(crate) fn reads(&self, words: &str) {
        self.reads_within(words, PATIENCE);
    }

    /// The same with another limit.
    pub(crate) fn reads_within(&self, words: &str, limit: Duration) {
        let script = "return document.body.innerText.includes(arguments[0])";
        self.until(&format!("read “{words}”"), limit, || {
            self.session.run(script, &json!([words])).ok().filter(|seen| seen == &json!(true))
        });
    }

    /// Presses what the selector matches.
    pub(crate) fn press_at(&self, selector: &str) {
        self.act(&format!("press {selector}"), "visible", selector, |element| self.session.click(element));
    }

    /// Waits until the selector matches something that is visible.
    pub(crate) fn shows(&self, selector: &str) {
        self.shows_within(selector, PATIENCE);
    }

    /// The same with another limit.
    pub(crate) fn shows_within(&self, selector: &str, limit: Duration) {
        self.until(&format!("see {selector}"), limit, || {
            self.session.element(FIND, &json!(["visible", selector])).map(|_| Value::Null)
        });
    }

    /// Runs a script in the page.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.session.run(script, &json!([])).expect("the script runs")
    }

    /// Calls one of the shell's commands as the page does; an error is what the command refused with.
    pub(crate) fn invoke(&self, command: &str, arguments: &Value) -> Result<Value, String> {
        let script = "const done = arguments[2]; window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])\
            .then((ok) => done({ ok: ok ?? null }), (error) => done({ error: String(error) }))";
        let answer = self.session.run_async(script, &json!([command, arguments])).expect("the page answers");
        match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer["ok"].clone()),
        }
    }

    /// Makes one call of the engine as the page does; gives the decoded body.
    pub(crate) fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let arguments = json!({"method": method, "path": path, "query": {}, "body": body, "lang": "en"});
        let answer = self.invoke("call", &arguments).expect("a call is always answered");
        serde_json::from_str(answer["body"].as_str().unwrap_or("null")).unwrap_or(Value::Null)
    }

    /// Keeps a picture of the window under `target/desktop/`.
    pub(crate) fn picture(&self, name: &str) {
        // The driver waits for the next frame, which a page that stands still never makes.
        let stir = "const page = document.documentElement.style; let left = 40; const timer = setInterval(() => {\
            page.opacity = left-- % 2 ? 0.9999 : ''; if (left === 0) clearInterval(timer) }, 50)";
        let _ = self.session.run(stir, &json!([]));
        let folder = artefacts();
        let bytes = self.session.picture().ok().and_then(|text| base64::prelude::BASE64_STANDARD.decode(text).ok());
        std::fs::create_dir_all(&folder).expect("the folder of pictures can be made");
        std::fs::write(folder.join(format!("{name}.png")), bytes.unwrap_or_default()).expect("a picture can be kept");
    }

    /// Sets the outer size of the window.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.session.resize(width, height).expect("the window can be resized");
    }

    /// Waits until the question has an answer.
    pub(crate) fn until<T>(&self, what: &str, limit: Duration, mut ask: impl FnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(answer) = ask() {
                return answer;
            }
            if began.elapsed() > limit {
                self.picture("last-failure");
                let text = self.session.run("return document.body.innerText", &json!([])).unwrap_or_default();
                panic!("could not {what} within {limit:?}; the page reads:\n{}", text.as_str().unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn act(&self, what: &str, how: &str, words: &str, act: impl Fn(&Element) -> Result<(), String>) {
        self.until(what, PATIENCE, || {
            let element = self.session.element(FIND, &json!([how, words]))?;
            act(&element).ok()
        });
    }
}

fn artefacts() -> PathBuf {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_signalbox"));
    program.ancestors().nth(2).expect("the program lies in target/<profile>").join("desktop")
}
