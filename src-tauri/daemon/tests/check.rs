//! `signalboxd check`: one line for each finding, against remotes that are as they should be, or not.

mod process;

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
};
use process::{Ended, Place, SECRETS, run};
use serde_json::{Value, json};

const USER: &str = "/api/v4/user";
const TOKEN: &str = "/api/v4/personal_access_tokens/self";
const PROJECT: &str = "/api/v4/projects/platform%2Fconfig";
const BRANCH: &str = "/api/v4/projects/platform%2Fconfig/repository/branches/main";
const DESK: &str = "/approvals/by-request/signalbox-probe";

/// What is answered: by path, or by path and secret.
type Answers = BTreeMap<String, (u16, Value)>;

fn good() -> Answers {
    let mut answers = Answers::new();
    let mut on = |path: String, body: Value| answers.insert(path, (200, body));
    on("/api/v4/version".into(), json!({ "version": "18.6.0-ee" }));
    for (n, (secret, name)) in [(0, "signalbox-bot"), (1, "reviewer-a"), (2, "reviewer-b")].into_iter().enumerate() {
        let key = SECRETS[secret].1;
        on(format!("{USER} {key}"), json!({ "id": n + 1, "username": name, "state": "active" }));
        on(format!("{TOKEN} {key}"), json!({ "scopes": ["api"], "expires_at": "2999-12-31", "active": true }));
        on(format!("{PROJECT}/members/all/{}", n + 1), json!({ "id": n + 1, "access_level": 30 }));
    }
    let access = json!({ "project_access": { "access_level": 40 }, "group_access": null });
    on(
        PROJECT.into(),
        json!({ "id": 31, "path_with_namespace": "platform/config", "archived": false, "permissions": access }),
    );
    on(BRANCH.into(), json!({ "name": "main", "protected": true, "developers_can_merge": false }));
    answers
}

async fn reply(State(answers): State<Arc<Answers>>, request: Request) -> (StatusCode, String) {
    assert_eq!(request.method(), "GET", "a check only looks");
    let path = request.uri().path();
    let header = |name: &str| request.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let found = answers.get(&format!("{path} {}", header("private-token"))).or_else(|| answers.get(path));
    let (status, body) = found.cloned().unwrap_or((404, json!({ "message": "404 Not Found" })));
    (StatusCode::from_u16(status).expect("a status"), body.to_string())
}

/// Checks against remotes that answer like this, with settings after `change`.
fn check(answers: Answers, change: impl Fn(String) -> String) -> Ended {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new().fallback(reply).with_state(Arc::new(answers));
    runtime.spawn(async move { axum::serve(listener, router).await });
    let place = Place::with(|text| change(text.replace("http://127.0.0.1:9", &url)));
    let ended = run(&["check", "--data-dir", &place.data_dir()]);
    for (_, secret) in SECRETS {
        assert!(!ended.out.contains(secret) && !ended.err.contains(secret), "a secret in {ended:?}");
    }
    ended
}

fn unchanged(text: String) -> String {
    text
}

impl Ended {
    /// One line of this level about `what` holds each of `words`.
    fn tells(&self, level: &str, what: &str, words: &[&str]) {
        let start = format!("{level:<7}  {what}  ");
        let line =
            self.out.lines().find(|line| line.starts_with(&start) && words.iter().all(|word| line.contains(word)));
        assert!(line.is_some(), "no {level} about {what} with {words:?} in\n{}", self.out);
    }
}

#[test]
fn remotes_that_are_as_they_should_be_are_ok() {
    let ended = check(good(), unchanged);
    assert_eq!(ended.code, Some(0), "{}", ended.out);
    assert!(ended.out.lines().all(|line| line.starts_with("ok ")), "{}", ended.out);
    ended.tells("ok", "data-dir", &["can be written"]);
    ended.tells("ok", "kinds", &["note"]);
    ended.tells("ok", "gitlab.url", &["18.6.0-ee"]);
    ended.tells("ok", "gitlab.bot_token", &["signalbox-bot", "2999-12-31"]);
    ended.tells("ok", "gitlab.reviewer_tokens[1]", &["reviewer-b"]);
    ended.tells("ok", "kind note", &["platform/config", "main"]);
    ended.tells("ok", "approval", &["takes the token"]);
    ended.tells("ok", "deploy.callback_secret", &[]);
}

#[test]
fn each_fault_of_a_remote_is_told_and_ends_with_1() {
    let (bot, one, two) = (SECRETS[0].1, SECRETS[1].1, SECRETS[2].1);
    let role =
        |level: u64| json!({ "archived": false, "permissions": { "project_access": { "access_level": level } } });
    let table: [(String, u16, Value, &str, &[&str]); 12] = [
        ("/api/v4/version".into(), 500, json!({}), "gitlab.url", &["500"]),
        ("/api/v4/version".into(), 200, json!({ "version": "14.0.1" }), "gitlab.url", &["too old"]),
        (format!("{USER} {bot}"), 401, json!({}), "gitlab.bot_token", &["401"]),
        (
            format!("{USER} {bot}"),
            200,
            json!({ "id": 1, "username": "b", "state": "blocked" }),
            "gitlab.bot_token",
            &["blocked"],
        ),
        (
            format!("{TOKEN} {one}"),
            200,
            json!({ "scopes": ["read_api"] }),
            "gitlab.reviewer_tokens[0]",
            &["read_api", "`api`"],
        ),
        (
            format!("{TOKEN} {one}"),
            200,
            json!({ "scopes": ["api"], "expires_at": "2020-01-01" }),
            "gitlab.reviewer_tokens[0]",
            &["2020-01-01"],
        ),
        (
            format!("{USER} {two}"),
            200,
            json!({ "id": 1, "username": "signalbox-bot" }),
            "gitlab.reviewer_tokens[1]",
            &["author"],
        ),
        (
            format!("{USER} {two}"),
            200,
            json!({ "id": 2, "username": "reviewer-a" }),
            "gitlab.reviewer_tokens[1]",
            &["gitlab.reviewer_tokens[0]"],
        ),
        (PROJECT.into(), 404, json!({}), "kind note", &["platform/config", "not there"]),
        (PROJECT.into(), 200, role(20), "kind note", &["signalbox-bot", "a Reporter"]),
        (format!("{PROJECT}/members/all/3"), 404, json!({}), "kind note", &["reviewer-b", "no member"]),
        (BRANCH.into(), 404, json!({}), "kind note", &["main", "target_branch"]),
    ];
    for (path, status, body, what, words) in table {
        let mut answers = good();
        answers.insert(path.clone(), (status, body));
        let ended = check(answers, unchanged);
        assert_eq!(ended.code, Some(1), "{path}: {}", ended.out);
        ended.tells("fault", what, words);
    }
    let mut archived = good();
    archived.insert(
        PROJECT.into(),
        (200, json!({ "archived": true, "permissions": { "project_access": { "access_level": 40 } } })),
    );
    check(archived, unchanged).tells("fault", "kind note", &["archived"]);
    let mut refused = good();
    refused.insert(DESK.into(), (401, json!({})));
    check(refused, unchanged).tells("fault", "approval.token", &["does not take the token"]);
}

#[test]
fn what_works_only_for_now_is_a_warning() {
    let mut answers = good();
    let access = json!({ "project_access": { "access_level": 30 } });
    answers.insert(PROJECT.into(), (200, json!({ "archived": false, "permissions": access })));
    answers.remove(&format!("{TOKEN} {}", SECRETS[0].1));
    let ended = check(answers, |text| text.replace("env:TEST_DESK\"", "a-literal\""));
    assert_eq!(ended.code, Some(0), "{}", ended.out);
    ended.tells("warning", "kind note", &["protected", "Maintainer"]);
    ended.tells("warning", "gitlab.bot_token", &["cannot be read"]);
    ended.tells("warning", "approval.token", &["literal"]);
    assert!(!ended.out.contains("a-literal"), "{}", ended.out);
}

#[test]
fn remotes_that_nobody_answers_for_are_faults() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = nobody.local_addr().expect("an address").to_string();
    drop(nobody);
    let place = Place::with(|text| text.replace("127.0.0.1:9", &at));
    let ended = run(&["check", "--data-dir", &place.data_dir()]);
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    ended.tells("fault", "gitlab.url", &[&at, "no answer came"]);
    ended.tells("fault", "approval.url", &[&at]);
}

#[test]
fn a_secret_that_cannot_be_read_is_a_fault_and_the_rest_is_still_looked_at() {
    let ended = check(good(), |text| {
        text.replace("env:TEST_DEPLOY_SECRET", "env:TEST_DESK").replace("env:TEST_BOT", "env:NOT_SET")
    });
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    ended.tells("fault", "gitlab.bot_token", &["env:NOT_SET"]);
    ended.tells("fault", "deploy.callback_secret", &["whsec_"]);
    ended.tells("ok", "approval", &[]);
}

#[test]
fn settings_that_cannot_be_read_end_with_2_and_wrong_kinds_with_1() {
    let ended = check(good(), |text| text.replace("approval-first", "sideways"));
    assert_eq!(ended.code, Some(2), "{}", ended.out);
    ended.tells("fault", "settings", &["line", "sideways", "mr-first"]);

    let place = Place::new();
    std::fs::write(place.path("kinds/note.yaml"), "kind: [\n").expect("a kind");
    let ended = run(&["check", "--data-dir", &place.data_dir()]);
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    ended.tells("fault", "kinds", &["note.yaml"]);
}
