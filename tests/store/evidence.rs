//! The evidence of one request: whole, sealed, without secrets, and read back to the same state.

use serde_json::{Value, json};
use signalbox_engine::{
    evidence::{self, EvidenceError},
    flow::Event,
    store::{
        Store,
        inbox::{Delivery, Verdict},
        submission::{RenderedFile, Submission},
    },
    words::Sentence,
};

use crate::world::{NOON, World, submission};

const WAY: &[Event] = &[
    Event::ApprovalSent,
    Event::ApprovalGranted,
    Event::MrOpened,
    Event::PipelinePassed,
    Event::Handle,
    Event::Approved,
    Event::Merged,
    Event::Deployed,
];

/// An effective request with a file, an event that carries a token, and a comment.
async fn effective() -> World {
    let world = World::new().await;
    let file = RenderedFile {
        path: "quotas/a.yaml".into(),
        action: "update",
        before: Some("limit: 3\n".into()),
        after: Some("limit: 4\n".into()),
        diff: "-limit: 3\n+limit: 4\n".into(),
    };
    let new = Submission { files: vec![file], comment: Some("für die Kasse 额度".into()), ..submission("a") };
    world.store.submit(new).await.expect("stored");
    world.walk("a", WAY).await;
    let event = Delivery {
        source: "deploy",
        delivery_id: "d-1".into(),
        operation_id: Some("a".into()),
        says: "effective".into(),
        body: json!({"status": "effective", "url": "https://bot:hunter2@ci.example/7", "token": "abc"}),
        verdict: Verdict::IgnoredStale,
        reason: Sentence::quoted("it is effective already"),
        at: NOON,
        mark: None,
    };
    world.store.receive(event).await.expect("stored");
    world
}

#[tokio::test]
async fn everything_about_a_request_is_in_the_file_and_leads_to_the_same_state() {
    let world = effective().await;
    let written = evidence::collect(&world.store, "a", NOON).await.expect("evidence");
    let kinds: Vec<String> = written
        .text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a row")["is"].as_str().expect("a word").to_owned())
        .collect();
    let mut expected = vec!["head", "definition", "settings", "request", "file"];
    expected.extend(["history"; 9]);
    expected.extend(["diff"; 9]);
    expected.extend(["event", "seal"]);
    assert_eq!(kinds, expected);
    let bundle = evidence::open(written.text.as_bytes()).expect("as it was written");
    let now = world.read("a").await;
    assert_eq!((bundle.end.version, bundle.end.step), (now.version, i64::from(now.step.code())));
    assert_eq!((bundle.operation_id.as_str(), bundle.kind.as_str()), ("a", "service-quota"));
    assert_eq!((bundle.rows, bundle.digest), (written.rows, written.digest));
    assert!(bundle.our_definition);
    assert!(written.text.contains("für die Kasse 额度"));
}

#[tokio::test]
async fn no_secret_leaves_with_it() {
    let world = effective().await;
    let written = evidence::collect(&world.store, "a", NOON).await.expect("evidence");
    assert_eq!(written.removed, 2);
    assert!(!written.text.contains("hunter2") && !written.text.contains("\"abc\""), "{}", written.text);
    assert_eq!(evidence::open(written.text.as_bytes()).expect("as it was written").removed, 2);
}

#[tokio::test]
async fn one_changed_byte_is_found() {
    let world = effective().await;
    let written = evidence::collect(&world.store, "a", NOON).await.expect("evidence").text.into_bytes();
    for at in (0..written.len()).step_by(173) {
        let mut changed = written.clone();
        changed[at] = changed[at].wrapping_add(1);
        evidence::open(&changed).expect_err(&format!("byte {at}"));
    }
}

/// Somebody with patience seals a forged history anew: then it must still be a history.
#[tokio::test]
async fn a_history_that_leads_elsewhere_is_found_behind_whole_hashes() {
    let world = effective().await;
    let written = evidence::collect(&world.store, "a", NOON).await.expect("evidence").text;
    for (from, to, words) in [
        (
            r#""event":"merged","from":{"#,
            r#""event":"approved","from":{"#,
            "goes from 10102 MERGING to 10109 by `approved`",
        ),
        (r#""seq":4,"version":4"#, r#""seq":5,"version":4"#, "row 5 of the history comes where row 4 belongs"),
        (
            r#""name":"CALLED_BACK","status":"VALIDATED","version":9"#,
            r#""name":"CALLED_BACK","status":"VALIDATED","version":8"#,
            "it tells 10301",
        ),
    ] {
        assert!(written.contains(from), "{from} is not in {written}");
        let forged = sealed_anew(&written.replacen(from, to, 1));
        let fault = evidence::open(forged.as_bytes()).expect_err("no history");
        assert!(fault.contains(words), "{fault}");
    }
    assert!(evidence::open(sealed_anew(&written).as_bytes()).is_ok());
}

/// The same rows with hashes that fit.
fn sealed_anew(text: &str) -> String {
    use sha2::{Digest as _, Sha256};
    let mut last = "0".repeat(64);
    let mut new = String::new();
    for line in text.lines() {
        let (body, _) = line.rsplit_once(r#","hash":""#).expect("a hash");
        let digest = Sha256::digest(format!("{last}\n{body}}}"));
        last = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        new.push_str(&format!("{body},\"hash\":\"{last}\"}}\n"));
    }
    new
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_is_written_while_the_request_moves() {
    let world = World::new().await;
    world.request("a").await;
    let beside = Store::look(world.dir.path()).expect("a store");
    let walking = world.walk("a", WAY);
    let writing = async {
        for _ in 0..20 {
            match evidence::collect(&beside, "a", NOON).await {
                Ok(written) => drop(evidence::open(written.text.as_bytes()).expect("one state")),
                Err(EvidenceError::Moving(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    };
    tokio::join!(walking, writing);
}

#[tokio::test]
async fn whoever_looks_on_writes_nothing() {
    let world = effective().await;
    let beside = Store::look(world.dir.path()).expect("a store");
    assert_eq!(beside.history("a").await.expect("readable").len(), 9);
    assert_eq!(
        beside.set_timer("sweep", 1).await.expect_err("closed").to_string(),
        "the store is closed; nothing was written"
    );
    let sentence = evidence::collect(&beside, "nobody", NOON).await.expect_err("nothing").to_string();
    assert_eq!(sentence, "there is no request nobody here");
    assert!(Store::look(&world.dir.path().join("nowhere")).is_err());
}
