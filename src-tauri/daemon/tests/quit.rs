//! Starts and ends of the process at the wrong moment: a second copy, several at once, a stop in the middle of a write.

mod process;

#[path = "quit/gate.rs"]
mod gate;

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use gate::{Gate, Hold};
use process::{Place, command};
use serde_json::{Value, json};
use signalbox_sandbox::{Options, Pace, Sandbox};

/// The whole way of a request on brisk remotes, on a busy machine.
const WHOLE_WAY: Duration = Duration::from_secs(60);

/// How each of several starts ended, or that it serves.
fn start_together(place: &Place, copies: usize) -> Vec<Option<i32>> {
    let dir = place.data_dir();
    let start = || {
        command(&["serve", "--data-dir", &dir])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process")
    };
    let children: Vec<_> = (0..copies).map(|_| start()).collect();
    let ended = children.into_iter().map(|child| {
        let output = child.wait_with_output().expect("its end");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is in use by"), "{output:?}");
        assert!(output.stdout.is_empty(), "no second ready line");
        output.status.code()
    });
    ended.collect()
}

#[test]
fn c112_second_copy_is_started() {
    let place = Place::new();
    let first = place.serve(&[]);
    assert_eq!(start_together(&place, 1), [Some(3)]);
    assert_eq!(start_together(&place, 5), [Some(3); 5]);
    assert_eq!(first.get("/healthz", "").0, 200, "the first goes on");
    // One that starts while the first is ending waits for nothing and takes nothing: it starts, or says who is there.
    let pid = first.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().expect("kill").success());
    let began = Instant::now();
    let next = loop {
        let mut child = command(&["serve", "--data-dir", &place.data_dir()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().expect("its output"));
        std::io::BufRead::read_line(&mut out, &mut line).expect("a line or none");
        if !line.is_empty() {
            break child;
        }
        assert_eq!(child.wait().expect("its end").code(), Some(3));
        assert!(began.elapsed() < WHOLE_WAY, "the first never gave the directory free");
    };
    let mut first = first;
    assert_eq!(first.child.wait().expect("its end").code(), Some(0), "whoever serves now, the first has ended");
    let mut next = next;
    next.kill().expect("ended");
    next.wait().expect("ended");
}

#[test]
fn c112_five_copies_at_once_make_one_engine() {
    let place = Place::new();
    let dir = place.data_dir();
    let mut children: Vec<_> = (0..5)
        .map(|_| {
            let mut child = command(&["serve", "--data-dir", &dir])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("a process");
            let out = child.stdout.take().expect("its output");
            let line = std::thread::spawn(move || {
                let mut line = String::new();
                std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).expect("a line or none");
                line
            });
            (child, line)
        })
        .collect();
    let mut serving = 0;
    for (child, line) in &mut children {
        let line = std::mem::replace(line, std::thread::spawn(String::new)).join().expect("its line");
        if line.is_empty() {
            assert_eq!(child.wait().expect("its end").code(), Some(3));
        } else {
            serving += 1;
            assert!(child.try_wait().expect("a state").is_none(), "it serves");
        }
    }
    assert_eq!(serving, 1);
    for (mut child, _) in children {
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Brisk remotes, and the program's settings for them with a gate before GitLab.
fn practise(runtime: &tokio::runtime::Runtime, gate: &Gate) -> (Place, Sandbox) {
    let place = Place { dir: tempfile::tempdir().expect("a directory") };
    let none = Duration::ZERO;
    let pace = Pace { prepare: none, check: none, pipeline_appears: none, rebase: none, ..Pace::default() };
    let options = Options {
        pipeline_seconds: 0.2,
        deploy_seconds: 0.2,
        auto_approve: Some(Duration::from_millis(50)),
        pace,
        ..Options::default()
    };
    let remotes = runtime.block_on(signalbox_sandbox::start(place.dir.path(), options)).expect("the practice remotes");
    gate.leads_to(&remotes.gitlab_url);
    let settings = std::fs::read_to_string(&remotes.config_path).expect("settings");
    assert!(settings.contains(&remotes.gitlab_url));
    let settings = settings.replace(&remotes.gitlab_url, &gate.url);
    std::fs::write(&remotes.config_path, settings).expect("settings");
    std::fs::copy(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/kinds/note.yaml"),
        place.path("kinds/note.yaml"),
    )
    .expect("a kind");
    (place, remotes)
}

/// GitLab holds the merge for 20 s: before it does it, or only its answer.
fn quit_while_the_merge_is_out(hold: Hold, signal: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let gate = Gate::open(&runtime, hold);
    let (place, remotes) = practise(&runtime, &gate);
    let mut running = place.serve(&["--listen", "127.0.0.1:0"]);
    remotes.call_back_to(running.url());
    let body = json!({"kind": "note", "fields": {"name": "quit", "text": "in the middle"}});
    let (status, answer) = running.post("/api/v1/changes", &body);
    assert_eq!(status, 202, "{answer}");
    let id = answer["operation_id"].as_str().expect("an id").to_owned();
    gate.waits_for_a_merge(WHOLE_WAY);

    let began = Instant::now();
    let pid = running.child.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &pid]).status().expect("kill").success());
    let code = running.child.wait().expect("its end").code();
    assert!(began.elapsed() < gate::HELD, "it waited for the remote, {:?}\n{}", began.elapsed(), place.log());
    assert_eq!(code, (signal == "-TERM").then_some(0), "{}", place.log());
    drop(running);

    gate.lets_everything_pass();
    let running = place.serve(&["--listen", "127.0.0.1:0"]);
    remotes.call_back_to(running.url());
    let began = Instant::now();
    let mut last = Value::Null;
    while last["step"]["code"] != 10301 {
        assert!(began.elapsed() < WHOLE_WAY, "it stands at {last}\n{}", place.log());
        std::thread::sleep(Duration::from_millis(50));
        last = running.get_json(&format!("/api/v1/operations/{id}"));
        assert_ne!(last["outlook"], "failed", "{last}");
    }
    assert_eq!(gate.merged(), 1, "one merge was done");
    assert_eq!(running.terminate().0, Some(0));
    runtime.block_on(remotes.stop());
}

#[test]
fn c114_quit_in_the_middle_of_a_write() {
    quit_while_the_merge_is_out(Hold::Answer, "-TERM");
    quit_while_the_merge_is_out(Hold::Call, "-TERM");
}

#[test]
fn c114_nothing_depends_on_an_exit_hook() {
    quit_while_the_merge_is_out(Hold::Answer, "-KILL");
}
