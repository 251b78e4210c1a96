//! Refusals of GitLab, from the recorded bodies: class, the server's own text, and what must not be believed.

use serde_json::{Value, json};
use signalbox_engine::ports::{
    error::{ErrorClass, RemoteError, RemoteResult},
    forge::{FileWrite, Forge as _, NewCommit, NewMergeRequest},
};

use crate::support::{Bench, Stub, bench, fixture, json_answer};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

pub fn new_commit() -> NewCommit {
    NewCommit {
        branch: "signalbox/op-1".into(),
        start_sha: SHA.into(),
        message: "Change".into(),
        files: vec![FileWrite::Create { path: "a.txt".into(), content: b"a".to_vec() }],
    }
}

pub fn new_mr() -> NewMergeRequest {
    NewMergeRequest {
        source_branch: "signalbox/op-1".into(),
        target_branch: "main".into(),
        title: "Change".into(),
        description: "op-1".into(),
    }
}

#[derive(Clone, Copy, Debug)]
enum Call {
    Read,
    Account,
    Commit,
    OpenMr,
    Approve,
    Merge,
    Rebase,
    Close,
}

async fn make(bench: &Bench, call: Call) -> RemoteError {
    fn gone<T>(result: RemoteResult<T>) -> RemoteError {
        result.err().expect("a refusal")
    }
    let (forge, scope) = (&bench.forge, &bench.scope);
    match call {
        Call::Read => gone(forge.merge_request(scope, "4711", 7).await),
        Call::Account => gone(forge.account(scope, signalbox_engine::ports::forge::Who::Bot).await),
        Call::Commit => gone(forge.commit_files(scope, "4711", &new_commit()).await),
        Call::OpenMr => gone(forge.open_merge_request(scope, "4711", &new_mr()).await),
        Call::Approve => gone(forge.approve(scope, "4711", 7, SHA, 0).await),
        Call::Merge => gone(forge.merge(scope, "4711", 7, SHA).await),
        Call::Rebase => gone(forge.rebase(scope, "4711", 7).await),
        Call::Close => gone(forge.close(scope, "4711", 7).await),
    }
}

async fn refused(call: Call, status: u16, body: Value) -> RemoteError {
    let absent = json_answer(404, json!({"message": "404 Branch Not Found"}));
    let stub = Stub::script([json_answer(status, body), absent]).await;
    let bench = bench(&stub);
    let error = make(&bench, call).await;
    assert_eq!(error.status, Some(status), "{error}");
    let row = &bench.journal.rows()[0];
    assert_eq!(row.class(), Some(error.class.word()), "the journal says what the caller is told");
    error
}

#[tokio::test]
async fn every_recorded_refusal_has_its_class_and_keeps_its_words() {
    use Call::{Account, Approve, Close, Commit, Merge, OpenMr, Read, Rebase};
    use ErrorClass::{AlreadyExists, Ambiguous, Auth, Retryable, Terminal};
    let table: &[(Call, u16, &str, ErrorClass, &str)] = &[
        (Commit, 400, "error_400_commit_branch_exists", AlreadyExists, "A branch called 'feature-1' already exists"),
        (Commit, 400, "error_400_branch_exists", AlreadyExists, "Branch already exists"),
        (Commit, 400, "error_400_branch_invalid_ref", Terminal, "Invalid reference name: no-such-ref"),
        (
            Commit,
            400,
            "error_400_commit_file_changed",
            Terminal,
            "The file has changed since you started editing it: app/config.yml",
        ),
        (Commit, 400, "error_400_commit_file_exists", Terminal, "A file with this name already exists"),
        (Commit, 400, "error_400_commit_file_missing", Terminal, "A file with this name doesn't exist"),
        (Commit, 400, "error_400_commit_push_denied", Terminal, "You are not allowed to push into this branch"),
        (Commit, 400, "error_400_commit_start_branch_not_visible", Retryable, "when you are on a branch"),
        (OpenMr, 400, "error_400_missing_param", Terminal, "title is missing"),
        (OpenMr, 400, "error_400_mr_source_branch_missing", Retryable, "source_branch does not exist"),
        (Merge, 400, "error_400_sha_required", Terminal, "SHA must be provided when merging"),
        (Read, 401, "error_401_token_expired", Auth, "has expired"),
        (Read, 401, "error_401_token_revoked", Auth, "was revoked"),
        (Read, 401, "error_401_unauthorized", Auth, "is not known there"),
        (Account, 401, "error_401_unauthorized", Auth, "`gitlab.bot_token`"),
        (Commit, 401, "error_401_unauthorized", Auth, "is not known there"),
        (Approve, 401, "error_401_unauthorized", Terminal, "401 Unauthorized"),
        (Merge, 401, "error_401_unauthorized", Terminal, "401 Unauthorized"),
        (Approve, 401, "error_401_token_expired", Auth, "`gitlab.reviewer_tokens[0]`"),
        (Merge, 401, "error_401_token_revoked", Auth, "was revoked"),
        (Read, 403, "error_403_forbidden", Terminal, "403 Forbidden"),
        (Commit, 403, "error_403_insufficient_scope", Auth, "lacks the scope `api"),
        (Rebase, 403, "error_403_rebase_cannot_push", Terminal, "403 Forbidden - Cannot push to source branch"),
        (Rebase, 403, "error_403_rebase_protected_force_push", Terminal, "Source branch is protected from force push"),
        (Rebase, 403, "error_403_rebase_source_missing", Terminal, "Source branch does not exist"),
        (Read, 404, "error_404_route", Terminal, "this route is not known there"),
        (Merge, 404, "error_404_record", Terminal, "404 Not found"),
        (Merge, 405, "error_405_merge_not_allowed", Terminal, "405 Method Not Allowed"),
        (Merge, 405, "error_405_moved_project", Terminal, "Non GET methods are not allowed for moved projects"),
        (Merge, 406, "error_406_merge_failed_legacy", Terminal, "Branch cannot be merged"),
        (
            OpenMr,
            409,
            "error_409_mr_exists",
            AlreadyExists,
            "Another open merge request already exists for this source branch: !5",
        ),
        (Rebase, 409, "error_409_rebase_lock_timeout", Retryable, "Failed to enqueue the rebase operation"),
        (Rebase, 409, "error_409_resource_lock", Retryable, "409 Conflict: Resource lock"),
        (Merge, 409, "error_409_resource_lock", Retryable, "409 Conflict: Resource lock"),
        (OpenMr, 409, "error_409_resource_lock", Retryable, "409 Conflict: Resource lock"),
        (
            Approve,
            409,
            "error_409_sha_mismatch",
            Terminal,
            "SHA does not match HEAD of source branch: ec1bf369429add869b418aac80f27ba5e173d72e",
        ),
        (Merge, 409, "error_409_sha_mismatch", Terminal, "SHA does not match HEAD of source branch"),
        (Close, 412, "error_412_precondition", Terminal, "412 Precondition Failed"),
        (Merge, 422, "error_422_merge_failed", Terminal, "Branch cannot be merged"),
        (OpenMr, 422, "error_422_mr_same_branch", Terminal, "You can't use same project/branch for source and target"),
        (Read, 500, "error_500", Retryable, "500 Internal Server Error"),
        (Commit, 500, "error_500", Ambiguous, "500 Internal Server Error"),
    ];
    for (call, status, name, class, words) in table {
        let body = fixture(&format!("{name}.json"));
        let error = refused(*call, *status, body.clone()).await;
        assert_eq!(error.class, *class, "{call:?} {name}: {error}");
        assert!(error.message.contains(words), "{call:?} {name}: {error}");
        assert_eq!(error.body, Some(body), "{call:?} {name}");
    }
}

#[tokio::test]
async fn refusals_in_another_language_keep_their_class() {
    let branch = json!({"message": "名为「signalbox/op-1」的分支已存在。切换到该分支以进行更改"});
    let stub = Stub::script([
        json_answer(400, branch),
        json_answer(200, json!({"name": "signalbox/op-1", "commit": crate::support::commit("c1", SHA)})),
    ])
    .await;
    let bench = bench(&stub);
    let error = make(&bench, Call::Commit).await;
    assert_eq!(error.class, ErrorClass::AlreadyExists, "the branch was looked at: {error}");
    assert_eq!(stub.calls()[1], "GET /api/v4/projects/4711/repository/branches/signalbox%2Fop-1");

    let cases = [
        (Call::OpenMr, 409, json!({"message": ["该源分支已存在另一个开放的合并请求：!5"]}), ErrorClass::AlreadyExists),
        (Call::OpenMr, 400, json!({"message": {"source_branch": ["不存在"]}}), ErrorClass::Retryable),
        (Call::Merge, 405, json!({"message": "405 Méthode non autorisée"}), ErrorClass::Terminal),
        (Call::Rebase, 409, json!({"message": "リソースがロックされています"}), ErrorClass::Retryable),
        (Call::Read, 401, json!({"error": "invalid_token", "error_description": "令牌已过期"}), ErrorClass::Auth),
        (Call::Commit, 400, json!({"message": "推送规则拒绝了此提交"}), ErrorClass::Terminal),
    ];
    for (call, status, body, class) in cases {
        let error = refused(call, status, body).await;
        assert_eq!(error.class, class, "{error}");
    }
}

#[tokio::test]
async fn a_long_refusal_is_cut_and_cleaned() {
    let long = format!("<b>Push rule</b>\n\u{1b}[31mrefused\u{202e} a < b {}", "word ".repeat(1000));
    let error = refused(Call::Commit, 400, json!({"message": long})).await;
    assert!(error.message.starts_with("Push rule [31mrefused a < b word word"), "{error}");
    assert!(error.message.chars().count() <= 501 && error.message.ends_with('…'), "{error}");
}

#[tokio::test]
async fn a_token_that_the_server_repeats_is_not_repeated() {
    let echo = format!("unknown token {}", crate::support::BOT_TOKEN);
    let error =
        refused(Call::Commit, 400, json!({"message": echo, "more": {"token": crate::support::BOT_TOKEN}})).await;
    assert_eq!(error.message, "unknown token ***");
    assert!(!format!("{error:?}").contains(crate::support::BOT_TOKEN), "{error:?}");
}

#[tokio::test]
async fn a_repeated_approval_is_done() {
    let stub = Stub::script([crate::support::Act::Answer(crate::support::answer(304, "text/plain", ""))]).await;
    let bench = bench(&stub);
    bench.forge.approve(&bench.scope, "4711", 7, SHA, 1).await.unwrap();
    assert_eq!(bench.journal.rows()[0].status(), Some(304));
    assert_eq!(bench.journal.rows()[0].class(), None);
}

#[tokio::test]
async fn problem_details_and_odd_bodies_are_read_too() {
    let cases = [
        (json!({"title": "Bad", "detail": "the limit is 5"}), "the limit is 5"),
        (json!({"message": {"title": ["is too long", "is odd"]}}), "title is too long, is odd"),
        (json!({"message": {"error": "This endpoint"}}), "This endpoint"),
        (json!({"error": "actions is missing"}), "actions is missing"),
        (json!("just text"), "just text"),
        (json!({}), "Unprocessable Entity"),
    ];
    for (body, words) in cases {
        assert_eq!(refused(Call::OpenMr, 422, body).await.message, words);
    }
}
