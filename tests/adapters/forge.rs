//! Projects by number, lists to their end, and the shape of what is sent.

use serde_json::{Value, json};
use signalbox_engine::{
    adapters::gitlab::GitLabForge,
    ports::{
        error::ErrorClass,
        forge::{FileWrite, Forge, NewCommit, Who},
    },
};

use crate::{
    refusals::{new_commit, new_mr},
    support::{Act, BOT_TOKEN, Stub, answer, bench, commit, fixture, json_answer, merge_request, page},
};

fn project(id: u64, path: &str) -> Value {
    json!({"id": id, "path_with_namespace": path, "default_branch": "main", "archived": false})
}

fn not_found(text: &str) -> Act {
    json_answer(404, json!({"message": text}))
}

#[tokio::test]
async fn a_path_is_looked_up_once_and_the_number_used_from_then_on() {
    let stub = Stub::script([
        json_answer(200, project(42, "platform/config")),
        json_answer(200, merge_request(json!({}))),
        json_answer(200, merge_request(json!({"state": "merged"}))),
        json_answer(200, project(42, "platform/config")),
    ])
    .await;
    let bench = bench(&stub);
    bench.forge.merge_request(&bench.scope, "platform/config", 7).await.unwrap();
    bench.forge.merge(&bench.scope, "platform/config", 7, "abc").await.unwrap();
    let found = bench.forge.project(&bench.scope, "platform/config").await.unwrap().unwrap();
    assert_eq!((found.id, found.default_branch.as_deref(), found.archived), (42, Some("main"), false));
    let calls = stub.calls();
    assert_eq!(calls[0], "GET /api/v4/projects/platform%2Fconfig");
    assert!(calls[1].starts_with("GET /api/v4/projects/42/merge_requests/7?"), "{calls:?}");
    assert_eq!(calls[2..], ["PUT /api/v4/projects/42/merge_requests/7/merge", "GET /api/v4/projects/42"]);
}

#[tokio::test]
async fn a_moved_project_is_found_through_its_redirect_and_written_by_number() {
    let stub = Stub::routes(|seen| match (seen.method.as_str(), seen.target.as_str()) {
        ("GET", "/api/v4/projects/old%2Fname") => {
            let meta = fixture("error_301_moved_project.meta.json");
            Act::Answer(answer(301, "text/plain", meta["body_text"].as_str().unwrap()))
                .with("Location", &format!("http://{}/api/v4/projects/81", seen.header("host").unwrap()))
        }
        ("GET", "/api/v4/projects/81") => json_answer(200, project(81, "new/name")),
        ("POST", "/api/v4/projects/81/merge_requests") => json_answer(201, merge_request(json!({}))),
        _ => json_answer(405, fixture("error_405_moved_project.json")),
    })
    .await;
    let bench = bench(&stub);
    assert_eq!(bench.forge.project(&bench.scope, "old/name").await.unwrap().unwrap().path, "new/name");
    bench.forge.open_merge_request(&bench.scope, "old/name", &new_mr()).await.unwrap();
    assert_eq!(stub.calls().last().unwrap(), "POST /api/v4/projects/81/merge_requests");
}

#[tokio::test]
async fn a_number_that_is_gone_is_looked_up_again() {
    let gone = || not_found("404 Project Not Found");
    let stub = Stub::script([
        json_answer(200, project(42, "a/b")),
        gone(),
        json_answer(200, project(43, "a/b")),
        json_answer(200, merge_request(json!({}))),
        gone(),
        json_answer(200, project(44, "a/b")),
        json_answer(200, merge_request(json!({}))),
    ])
    .await;
    let bench1 = bench(&stub);
    assert!(bench1.forge.merge_request(&bench1.scope, "a/b", 7).await.unwrap().is_some());
    bench1.forge.close(&bench1.scope, "a/b", 7).await.unwrap();
    assert_eq!(stub.calls().last().unwrap(), "PUT /api/v4/projects/44/merge_requests/7");

    let stub = Stub::script([json_answer(200, project(42, "a/b")), gone(), gone()]).await;
    let bench2 = bench(&stub);
    let error = bench2.forge.file(&bench2.scope, "a/b", "x", "main").await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Terminal, Some(404)));
    assert!(error.message.contains("a/b") && error.message.contains("membership"), "{error}");

    let stub = Stub::script([gone()]).await;
    let bench3 = bench(&stub);
    assert_eq!(bench3.forge.project(&bench3.scope, "a/b").await.unwrap(), None);
}

#[tokio::test]
async fn absent_things_are_none_and_no_error() {
    let stub = Stub::script([
        not_found("404 File Not Found"),
        not_found("404 Commit Not Found"),
        not_found("404 Branch Not Found"),
        not_found("404 Commit Not Found"),
        not_found("404 Not found"),
        page(404),
        Act::Answer(answer(404, "text/plain", "default backend - 404")),
    ])
    .await;
    let bench = bench(&stub);
    let (forge, scope): (&GitLabForge, _) = (&bench.forge, &bench.scope);
    assert_eq!(forge.file(scope, "1", "a", "main").await.unwrap(), None);
    assert_eq!(forge.file(scope, "1", "a", "nowhere").await.unwrap(), None);
    assert_eq!(forge.branch(scope, "1", "b").await.unwrap(), None);
    assert_eq!(forge.commit(scope, "1", "c").await.unwrap(), None);
    assert_eq!(forge.merge_request(scope, "1", 7).await.unwrap(), None);
    assert!(bench.journal.rows().iter().all(|row| row.class().is_none() && row.status() == Some(404)));
    for _ in 0..2 {
        let error = forge.merge_request(scope, "1", 7).await.unwrap_err();
        assert_eq!(error.class, ErrorClass::Retryable, "a proxy does not know what is there: {error}");
    }
}

#[tokio::test]
async fn names_in_paths_are_encoded_to_the_last_character() {
    let stub = Stub::routes(|_| not_found("404 Not found")).await;
    let bench = bench(&stub);
    let (forge, scope) = (&bench.forge, &bench.scope);
    forge.file(scope, "1", "quotas/ä b+c#?.yaml", "feature/x&y=z").await.unwrap();
    forge.branch(scope, "1", "signalbox/op%2F1").await.unwrap();
    let _ = forge.merge_requests_of(scope, "1", "a+b/c").await;
    assert_eq!(
        stub.calls(),
        [
            "GET /api/v4/projects/1/repository/files/quotas%2F%C3%A4%20b%2Bc%23%3F.yaml?ref=feature%2Fx%26y%3Dz",
            "GET /api/v4/projects/1/repository/branches/signalbox%2Fop%252F1",
            "GET /api/v4/projects/1/merge_requests?state=all&source_branch=a%2Bb%2Fc&order_by=created_at&sort=desc&per_page=100&page=1",
        ]
    );
}

#[tokio::test]
async fn lists_are_read_to_their_end_and_never_by_link() {
    let stub = Stub::routes(|seen| {
        let page: u64 = seen.target.rsplit("page=").next().unwrap().parse().unwrap();
        let item = |n: u64| json!({"id": n, "sha": "s", "status": "success", "source": "push", "ref": "r"});
        // The middle page repeats one row, as it does when something new came in meanwhile.
        let items = [item(page * 10), item(page * 10 + 1), item(21)];
        let next = if page < 3 { (page + 1).to_string() } else { String::new() };
        json_answer(200, json!(items))
            .with("X-Next-Page", &next)
            .with("Link", "<http://evil.example.com/api/v4/x?page=2>; rel=\"next\"")
    })
    .await;
    let bench1 = bench(&stub);
    let found = bench1.forge.pipelines(&bench1.scope, "1", 7).await.unwrap();
    assert_eq!(found.iter().map(|p| p.id).collect::<Vec<_>>(), [10, 11, 21, 20, 30, 31]);
    assert_eq!(stub.calls()[2], "GET /api/v4/projects/1/merge_requests/7/pipelines?per_page=100&page=3");
    assert_eq!(bench1.journal.rows().len(), 3);

    let stub = Stub::script([json_answer(200, json!([])).with("X-Next-Page", "1")]).await;
    let bench2 = bench(&stub);
    let error = bench2.forge.pipelines(&bench2.scope, "1", 7).await.unwrap_err();
    assert_eq!(error.class, ErrorClass::Retryable, "a list that goes in circles: {error}");
}

#[tokio::test]
async fn without_paging_headers_a_full_page_is_not_the_last() {
    let stub = Stub::routes(|seen| {
        let many = if seen.target.ends_with("page=1") { 100 } else { 4 };
        let first = if many == 100 { 0 } else { 100 };
        json_answer(200, (first..first + many).map(|n| commit(&format!("c{n}"), "p")).collect())
    })
    .await;
    let bench = bench(&stub);
    let found = bench.forge.commits_between(&bench.scope, "1", "a", "b").await.unwrap();
    assert_eq!((found.len(), found[0].sha.as_str(), found[103].sha.as_str()), (104, "c103", "c0"), "oldest first");
    assert!(stub.calls()[0].starts_with("GET /api/v4/projects/1/repository/commits?ref_name=a..b&order=topo&"));
}

#[tokio::test]
async fn a_commit_carries_its_start_and_its_bytes() {
    let stub = Stub::script([json_answer(201, commit("c1", "b0")), json_answer(201, commit("c2", "c1"))]).await;
    let bench = bench(&stub);
    let mut new = new_commit();
    new.files = vec![
        FileWrite::Create { path: "bin/ü".into(), content: vec![0, 255, 10] },
        FileWrite::Update { path: "b".into(), content: b"x\r\n".to_vec(), last_commit_id: Some("l1".into()) },
        FileWrite::Delete { path: "c".into(), last_commit_id: None },
    ];
    let made = bench.forge.commit_files(&bench.scope, "1", &new).await.unwrap();
    assert_eq!((made.sha.as_str(), made.parents.as_slice()), ("c1", ["b0".to_owned()].as_slice()));
    bench.forge.commit_onto(&bench.scope, "1", &NewCommit { start_sha: "c1".into(), ..new }).await.unwrap();
    let seen = stub.seen();
    let body = seen[0].json();
    assert_eq!(body["start_sha"], "ec1bf369429add869b418aac80f27ba5e173d72e");
    assert_eq!(body["branch"], "signalbox/op-1");
    assert_eq!(
        body["actions"],
        json!([
            {"action": "create", "file_path": "bin/ü", "content": "AP8K", "encoding": "base64"},
            {"action": "update", "file_path": "b", "content": "eA0K", "encoding": "base64", "last_commit_id": "l1"},
            {"action": "delete", "file_path": "c"},
        ])
    );
    assert_eq!(seen[1].json().get("start_sha"), None, "a branch that is there has no start");
    assert_eq!(bench.journal.rows()[0].intent.detail.as_deref(), Some("branch signalbox/op-1 from ec1bf36"));
}

#[tokio::test]
async fn an_ancestor_is_found_by_the_merge_base() {
    let table = [
        (json_answer(200, commit("anc0000111", "p")), Some(true)),
        (json_answer(200, commit("other", "p")), Some(false)),
        (json_answer(400, json!({"message": "Could not find ref: anc0000111"})), None),
        (not_found("404 Commit Not Found"), None),
        (not_found("404 Merge Base Not Found"), Some(false)),
    ];
    for (act, wanted) in table {
        let stub = Stub::script([act]).await;
        let bench = bench(&stub);
        assert_eq!(bench.forge.contains(&bench.scope, "1", "tip", "anc0000111").await.unwrap(), wanted);
        assert_eq!(stub.calls(), ["GET /api/v4/projects/1/repository/merge_base?refs%5B%5D=tip&refs%5B%5D=anc0000111"]);
        assert_eq!(bench.journal.rows()[0].class(), None);
    }
}

#[tokio::test]
async fn an_account_tells_its_scopes_and_its_end_where_it_can() {
    let stub = Stub::script([
        json_answer(200, json!({"username": "signalbox-bot"})),
        json_answer(200, json!({"scopes": ["api"], "expires_at": "2027-12-31"})),
        json_answer(200, json!({"username": "rev-b"})),
        json_answer(404, json!({"error": "404 Not Found"})),
    ])
    .await;
    let bench = bench(&stub);
    let bot = bench.forge.account(&bench.scope, Who::Bot).await.unwrap();
    assert_eq!((bot.username.as_str(), bot.expires.as_deref()), ("signalbox-bot", Some("2027-12-31")));
    assert_eq!(bot.scopes, Some(vec!["api".into()]));
    let old = bench.forge.account(&bench.scope, Who::Reviewer(1)).await.unwrap();
    assert_eq!((old.username.as_str(), old.scopes, old.expires), ("rev-b", None, None));
    let error = bench.forge.account(&bench.scope, Who::Reviewer(9)).await.unwrap_err();
    assert!(error.message.contains("no reviewer-10"), "{error}");
}

#[tokio::test]
async fn the_token_stands_in_its_header_and_nowhere_else() {
    let stub = Stub::routes(|_| json_answer(200, merge_request(json!({})))).await;
    let bench = bench(&stub);
    bench.forge.merge_request(&bench.scope, "1", 7).await.unwrap();
    bench.forge.merge(&bench.scope, "1", 7, "abc").await.unwrap();
    for seen in stub.seen() {
        assert_eq!(seen.header("private-token"), Some(BOT_TOKEN));
        assert_eq!(seen.header("accept"), Some("application/json"));
        assert!(seen.header("user-agent").unwrap().starts_with("signalbox/"));
        assert!(!seen.target.contains(BOT_TOKEN) && !seen.body.contains(BOT_TOKEN));
    }
    assert_eq!(stub.seen()[1].body, r#"{"sha":"abc"}"#);
}
