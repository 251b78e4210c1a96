//! `signalboxd serve`: the ready line, one process for each directory, and starts that must not happen.

mod process;

use process::{Place, SECRETS, command, run};

#[test]
fn one_line_says_where_it_answers_and_sigterm_ends_it_well() {
    let place = Place::new();
    let running = place.serve(&[]);
    assert_eq!(running.ready["ready"], true);
    assert_eq!(running.ready["version"], env!("CARGO_PKG_VERSION"));
    assert!(running.url().starts_with("http://127.0.0.1:"), "{}", running.url());
    assert!(running.token().len() >= 32);
    assert_eq!(running.get("/healthz", "").0, 200);
    assert_eq!(running.get("/api/v1/kinds", "wrong").0, 401);
    let (status, kinds) = running.get("/api/v1/kinds", running.token());
    assert!(status == 200 && kinds.contains("\"note\""), "{status} {kinds}");
    assert_eq!(running.get("/api/v1/kinds", "alice-token-0123456789").0, 200);
    let token = running.token().to_owned();
    assert_eq!(running.terminate(), (Some(0), String::new()));
    assert!(!place.path("signalbox.run").exists(), "the record of the holder stays behind");
    let log = place.log();
    for secret in SECRETS.map(|(_, secret)| secret).iter().chain([&token.as_str()]) {
        assert!(!log.contains(secret), "a secret in the log: {log}");
    }
    assert!(!log.contains('\u{1b}'), "colours in a log that is no terminal");
}

#[test]
fn a_second_process_names_the_first_by_process_id_and_url() {
    let place = Place::new();
    let first = place.serve(&[]);
    let second = run(&["serve", "--data-dir", &place.data_dir()]);
    second.refused(3, &[&format!("process {}", first.child.id()), first.url()]);
    assert_eq!(first.get("/healthz", "").0, 200);
    assert_eq!(first.terminate().0, Some(0));
    assert_eq!(place.serve(&[]).terminate().0, Some(0));
}

#[test]
fn a_killed_process_leaves_nothing_in_the_way() {
    let place = Place::new();
    drop(place.serve(&[]));
    assert!(place.path("signalbox.run").exists());
    let next = place.serve(&[]);
    let second = run(&["serve", "--data-dir", &place.data_dir()]);
    second.refused(3, &[&format!("process {}", next.child.id()), next.url()]);
}

#[test]
fn a_taken_port_is_told() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = taken.local_addr().expect("an address").to_string();
    run(&["serve", "--data-dir", &place.data_dir(), "--listen", &at]).refused(2, &[&at, "is taken", "--listen"]);
    run(&["serve", "--data-dir", &place.data_dir(), "--listen", "203.0.113.7:0"])
        .refused(2, &["203.0.113.7:0", "no address of this machine"]);
}

#[test]
fn a_data_directory_that_cannot_be_one_is_told() {
    let place = Place::new();
    let file = place.path("signalbox.toml");
    for dir in [file.clone(), file.join("below")] {
        let dir = dir.display().to_string();
        run(&["serve", "--data-dir", &dir]).refused(2, &[&dir, "is not a directory", "Nothing was started."]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_data_directory_that_cannot_be_written_is_told() {
    // Nobody may make directories there, root neither.
    run(&["serve", "--data-dir", "/proc/signalbox"]).refused(2, &["/proc/signalbox", "Nothing was started."]);
    run(&["serve", "--data-dir", "/proc/self"]).refused(2, &["/proc/self", "Nothing was started."]);
}

#[test]
fn wrong_settings_are_told_with_file_line_key_and_what_is_allowed() {
    let table: [(&str, &str, &[&str]); 4] = [
        (r#"order = "approval-first""#, r#"order = "sideways""#, &["order", "approval-first", "mr-first"]),
        (r#"timeout = "2s""#, r#"time_out = "2s""#, &["time_out", "timeout"]),
        (r#"poll = "0s""#, r#"poll = "soon""#, &["soon", "\"5s\""]),
        (r#"adapter = "http""#, "adapter = ", &["signalbox.toml"]),
    ];
    for (good, bad, words) in table {
        let place = Place::with(|text| text.replace(good, bad));
        let text = std::fs::read_to_string(place.path("signalbox.toml")).expect("the settings");
        let line = text.lines().position(|l| l == bad).expect("the wrong line") + 1;
        let ended = run(&["serve", "--data-dir", &place.data_dir()]);
        ended.refused(2, words);
        ended.refused(2, &["signalbox.toml", &format!("line {line}")]);
    }
}

#[test]
fn settings_that_are_not_there_are_told() {
    let place = Place::new();
    let missing = place.path("other.toml").display().to_string();
    run(&["serve", "--data-dir", &place.data_dir(), "--config", &missing]).refused(2, &[&missing, "cannot be read"]);
}

#[test]
fn every_wrong_kind_is_told_with_file_and_line() {
    let place = Place::new();
    let good = std::fs::read_to_string(place.path("kinds/note.yaml")).expect("the kind");
    let bad = good.replace("checks: required", "checks: sometimes");
    let line = bad.lines().position(|l| l.starts_with("checks")).expect("the wrong line") + 1;
    std::fs::write(place.path("kinds/a.yaml"), bad).expect("a kind");
    std::fs::write(place.path("kinds/b.yaml"), "kind: [\n").expect("a kind");
    let ended = run(&["serve", "--data-dir", &place.data_dir()]);
    ended.refused(2, &["a.yaml", &line.to_string(), "checks", "b.yaml"]);
}

#[test]
fn a_secret_that_cannot_be_read_stops_the_start_and_a_literal_warns() {
    let place = Place::with(|text| {
        text.replace("env:TEST_BOT", "env:TEST_NOT_SET").replace("env:TEST_DESK_SECRET", "env:TEST_DESK")
    });
    let ended = run(&["serve", "--data-dir", &place.data_dir()]);
    ended.refused(2, &["gitlab.bot_token", "env:TEST_NOT_SET", "approval.callback_secret", "whsec_"]);
    assert!(!ended.err.contains("desk-token-77aa01be"), "{}", ended.err);

    let empty = Place::with(|text| text.replace("env:TEST_DESK_SECRET", ""));
    run(&["serve", "--data-dir", &empty.data_dir()]).refused(2, &["approval.callback_secret", "is empty"]);

    let literal = Place::with(|text| text.replace("env:TEST_DESK\"", "a-literal-desk-token\""));
    literal.serve(&[]).terminate();
    let log = literal.log();
    assert!(log.contains("`approval.token` holds a literal secret"), "{log}");
    assert!(!log.contains("a-literal-desk-token"), "{log}");
}

#[test]
fn two_people_cannot_share_a_token() {
    let place = Place::with(|text| {
        text.replace(r#"api_tokens = ["#, r#"api_tokens = [{ person = "bob", token = "env:TEST_ALICE" }, "#)
    });
    run(&["serve", "--data-dir", &place.data_dir()]).refused(2, &["http.api_tokens[1].token", "bob", "alice"]);
}

#[test]
fn unknown_arguments_are_refused() {
    for args in
        [&["serve", "--no-such"][..], &["dance"], &["serve"], &["serve", "--data-dir", "x", "--listen", "nowhere"]]
    {
        let ended = run(args);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
    }
    let help = run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for word in ["serve", "sandbox", "check"] {
        assert!(help.out.contains(word), "{}", help.out);
    }
}

#[test]
fn a_log_filter_that_cannot_be_read_is_told() {
    let place = Place::new();
    let missing = place.path("other.toml");
    let ended = command(&["serve", "--data-dir", &place.data_dir(), "--config"])
        .arg(missing)
        .env("SIGNALBOX_LOG", "a=b=c")
        .output()
        .expect("a process");
    let text = String::from_utf8(ended.stderr).expect("text");
    assert!(text.contains("SIGNALBOX_LOG is no log filter"), "{text}");
}
