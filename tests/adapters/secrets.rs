//! Secrets where they are kept, and what happens when they change under a running engine.

use std::sync::Arc;

use secrecy::ExposeSecret as _;
use serde_json::json;
use signalbox_engine::{
    adapters::secrets::LocalSecrets,
    ports::{error::ErrorClass, forge::Forge as _, secrets::Secrets as _},
    settings::ApproveApi,
};

use crate::support::{Bench, Stub, bench_with, fixture, json_answer, merge_request, settings};

const SHA: &str = "ec1bf369429add869b418aac80f27ba5e173d72e";

#[tokio::test]
async fn a_secret_is_read_from_each_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bot.token"), "from-a-file\n").unwrap();
    std::fs::write(folder.path().join("two.token"), "two lines\n\r\n").unwrap();
    std::fs::write(folder.path().join("empty.token"), "\n").unwrap();
    let secrets = LocalSecrets::new(folder.path());
    let read = async |place: &str| {
        secrets.forget("k");
        secrets.read("k", place).await.map(|s| s.expose_secret().to_owned()).map_err(|e| e.to_string())
    };
    assert_eq!(read("file:bot.token").await.unwrap(), "from-a-file");
    let absolute = format!("file:{}", folder.path().join("bot.token").display());
    assert_eq!(read(&absolute).await.unwrap(), "from-a-file");
    assert_eq!(read("file:two.token").await.unwrap(), "two lines\n", "one final newline is no part of it");
    assert_eq!(read("just-the-secret").await.unwrap(), "just-the-secret");
    assert_eq!(read("env:CARGO_PKG_NAME").await.unwrap(), "signalbox-engine");
    assert_eq!(
        read("env:SIGNALBOX_NOT_SET").await.unwrap_err(),
        "The secret of `k` cannot be read from env:SIGNALBOX_NOT_SET: the variable is not set."
    );
    assert!(read("file:nowhere").await.unwrap_err().contains("file:nowhere"));
    assert!(read("file:empty.token").await.unwrap_err().contains("it is empty"));
    assert!(read("file:.").await.unwrap_err().contains("it is no file"));
    if cfg!(not(feature = "keyring")) {
        let text = read("keyring:bot").await.unwrap_err();
        assert!(text.contains("this build has no keyring"), "{text}");
    }
    assert!(LocalSecrets::is_literal("glpat-x") && !LocalSecrets::is_literal("env:X"));
}

#[tokio::test]
async fn a_secret_is_remembered_until_it_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.token");
    std::fs::write(&file, "old").unwrap();
    let secrets = LocalSecrets::new(folder.path());
    let read = async |place: &str| secrets.read("k", place).await.unwrap().expose_secret().to_owned();
    assert_eq!(read("file:bot.token").await, "old");
    std::fs::write(&file, "new").unwrap();
    assert_eq!(read("file:bot.token").await, "old");
    assert_eq!(read("another-place").await, "another-place");
    secrets.forget("k");
    assert_eq!(read("file:bot.token").await, "new");
}

struct Rotation {
    bench: Bench,
    stub: Stub,
    _folder: tempfile::TempDir,
}

/// A server that knows only the token `new`, and a file that still holds `old` when the first call is made.
async fn rotation(in_the_file: &str) -> Rotation {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.token");
    std::fs::write(&file, "old-token\n").unwrap();
    let later = (file.clone(), in_the_file.to_owned());
    let stub = Stub::routes(move |seen| {
        std::fs::write(&later.0, &later.1).unwrap();
        match seen.header("private-token") {
            Some("new-token") => json_answer(200, merge_request(json!({"username": "bot"}))),
            _ => json_answer(401, fixture("error_401_token_revoked.json")),
        }
    })
    .await;
    let mut gitlab = settings(&stub.url).gitlab;
    gitlab.bot_token = "file:bot.token".into();
    let bench = bench_with(gitlab, Arc::new(LocalSecrets::new(folder.path())), ApproveApi::Classic);
    Rotation { bench, stub, _folder: folder }
}

#[tokio::test]
async fn a_replaced_token_takes_effect_in_the_call_that_met_the_refusal() {
    let r = rotation("new-token\n").await;
    r.bench.forge.merge_request(&r.bench.scope, "4711", 7).await.unwrap();
    assert_eq!(r.stub.seen().len(), 2);
    let rows = r.bench.journal.rows();
    assert_eq!((rows[0].class(), rows[1].class()), (Some("auth"), None), "both are on record");
    assert!(!format!("{rows:?}").contains("old-token") && !format!("{rows:?}").contains("new-token"));

    let r = rotation("new-token\n").await;
    r.bench.forge.merge(&r.bench.scope, "4711", 7, SHA).await.unwrap();
    assert_eq!(r.stub.seen().len(), 2, "a write that was not let in has changed nothing");
}

#[tokio::test]
async fn a_token_that_did_not_change_is_not_tried_again() {
    let r = rotation("old-token\n").await;
    let error = r.bench.forge.merge_request(&r.bench.scope, "4711", 7).await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Auth, Some(401)));
    assert_eq!(r.stub.seen().len(), 1);
    assert_eq!(
        error.message,
        "the token of `gitlab.bot_token` (file:bot.token) was revoked (Token was revoked. You have to \
         re-authorize from the user). Put a new one there; it is read again by itself."
    );
}

#[tokio::test]
async fn a_missing_secret_names_the_setting_and_sends_nothing() {
    let stub = Stub::script([]).await;
    let mut gitlab = settings(&stub.url).gitlab;
    gitlab.bot_token = "env:SIGNALBOX_NOT_SET".into();
    let bench = bench_with(gitlab, Arc::new(LocalSecrets::new(".")), ApproveApi::Classic);
    let error = bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap_err();
    assert_eq!((error.class, error.status), (ErrorClass::Auth, None));
    assert!(error.message.contains("gitlab.bot_token") && error.message.contains("SIGNALBOX_NOT_SET"), "{error}");

    let mut gitlab = settings(&stub.url).gitlab;
    gitlab.bot_token = "two\nlines".into();
    let bench = bench_with(gitlab, Arc::new(LocalSecrets::new(".")), ApproveApi::Classic);
    let error = bench.forge.merge_request(&bench.scope, "4711", 7).await.unwrap_err();
    assert!(error.class == ErrorClass::Auth && !error.message.contains("two"), "{error}");
    assert!(stub.seen().is_empty());
}
