//! Public bug cases about what a change holds: bytes, names, sizes, large numbers.

use serde_json::json;
use signalbox_engine::ports::{
    error::ErrorClass,
    forge::{FileWrite, Forge as _, NewCommit, NewMergeRequest},
};

use crate::{
    refusals::{new_commit, new_mr},
    support::{Stub, bench, commit, fixture, json_answer, merge_request, page},
};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

#[tokio::test]
async fn c084_no_layer_converts_the_bytes() {
    let bytes = b"a: 1\r\nb:\t2\nc: \xc3\xbc\x00 end without newline".to_vec();
    let stub = Stub::script([json_answer(201, commit("c1", "b0"))]).await;
    let bench = bench(&stub);
    let files = vec![FileWrite::Update { path: "a".into(), content: bytes.clone(), last_commit_id: Some("l0".into()) }];
    bench.forge.commit_files(&bench.scope, "1", &NewCommit { files, ..new_commit() }).await.unwrap();
    let action = stub.seen()[0].json()["actions"][0].clone();
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    assert_eq!(
        (&action["encoding"], STANDARD.decode(action["content"].as_str().unwrap()).unwrap()),
        (&json!("base64"), bytes)
    );
    assert_eq!(action["last_commit_id"], "l0", "c085: the guard goes with the commit");
}

#[tokio::test]
async fn c085_a_file_that_moved_on_refuses_the_commit() {
    let stub = Stub::script([json_answer(400, fixture("error_400_commit_file_changed.json"))]).await;
    let bench = bench(&stub);
    let error = bench.forge.commit_files(&bench.scope, "1", &new_commit()).await.unwrap_err();
    assert!(error.is(400) && error.message.to_lowercase().contains("changed"), "{error}");
}

#[tokio::test]
async fn c088_413_is_final_and_its_page_is_not_shown() {
    let stub = Stub::script([page(413)]).await;
    let bench = bench(&stub);
    let error = bench.forge.commit_files(&bench.scope, "1", &new_commit()).await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Terminal, Some(413)), "{error}");
    assert!(!error.message.contains('<'), "{error}");
}

#[tokio::test]
async fn c093_special_characters_are_encoded_once_and_found_again() {
    let branch = "ops/50% #1+2";
    let stub = Stub::script([
        json_answer(200, json!({"name": branch, "commit": commit("c1", "b0")})),
        json_answer(404, json!({"message": "404 File Not Found"})),
        json_answer(200, json!([])),
        json_answer(201, merge_request(json!({"source_branch": branch}))),
    ])
    .await;
    let bench = bench(&stub);
    let (forge, scope) = (&bench.forge, &bench.scope);
    forge.branch(scope, "1", branch).await.unwrap();
    forge.file(scope, "1", "conf d/a#b%20.yaml", branch).await.unwrap();
    forge.merge_requests_of(scope, "1", branch).await.unwrap();
    let new = NewMergeRequest { source_branch: branch.into(), ..new_mr() };
    forge.open_merge_request(scope, "1", &new).await.unwrap();
    let calls = stub.calls();
    assert_eq!(calls[0], "GET /api/v4/projects/1/repository/branches/ops%2F50%25%20%231%2B2");
    assert_eq!(
        calls[1],
        "GET /api/v4/projects/1/repository/files/conf%20d%2Fa%23b%2520.yaml?ref=ops%2F50%25%20%231%2B2"
    );
    assert!(calls[2].contains("source_branch=ops%2F50%25%20%231%2B2&"), "{}", calls[2]);
    assert_eq!(stub.seen()[3].json()["source_branch"], branch);
}

#[tokio::test]
async fn c095_ids_of_19_digits_keep_every_digit() {
    let row = json!({"id": 9_007_199_254_740_993_u64, "sha": SHA, "status": "success", "source": "push", "ref": "r"});
    let stub = Stub::script([json_answer(200, json!([row]))]).await;
    let bench = bench(&stub);
    assert_eq!(bench.forge.pipelines(&bench.scope, "1", 7).await.unwrap()[0].id, 9_007_199_254_740_993);
}

#[tokio::test]
async fn c096_a_branch_in_the_way_is_a_refusal_and_no_branch_of_ours() {
    let text = "13:reference already exists or cannot lock ref 'refs/heads/signalbox/op-1'";
    let stub = Stub::script([json_answer(400, json!({"message": text}))]).await;
    let bench = bench(&stub);
    let error = bench.forge.commit_files(&bench.scope, "1", &new_commit()).await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Terminal, Some(400)), "{error}");
}
