//! K11: what stands in the files. How documents are edited is tested in tests/documents_*; here, what reaches the branch.

use serde_json::{Value, json};
use signalbox_engine::ports::error::ErrorClass;

use crate::{
    given::{HAPPY, TICKET, Writes, refusal},
    support::{ORDERS, PROJECT, World, fields, forge::model::Method},
};

fn change(service: &str, zone: &str, limit: &str, value: u64) -> Value {
    json!({"service": service, "zone": zone, "limit": limit, "value": value})
}

/// Numbers of the lines that differ.
fn differing(before: &str, after: &str) -> Vec<usize> {
    let (before, after): (Vec<_>, Vec<_>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    assert_eq!(before.len(), after.len());
    (0..before.len()).filter(|n| before[*n] != after[*n]).collect()
}

#[test]
fn c083_one_value_changes_and_everything_else_stays() {
    let text = "# Limits, agreed\n\nowner: 'team-a'   # single quotes\nnote: \"keep: this\"\nfolded: >-\n  a long text that\n  \
                goes on\n\nzones:\n    south: {timeout: 45}\n    north:   # four spaces\n        list:\n        - 'a'\n        -   \"b\"\n        \
                timeout: 10 # seconds\n";
    let mut world = World::new();
    world.forge.push(PROJECT, "main", "limits/odd.yaml", text);
    let wanted = change("odd", "north", "timeout", 12);
    let preview = world.call("POST", "/api/v1/changes?dry_run=true", Some(json!({"kind": "limit", "fields": wanted})));
    let id = world.submit_as("limit", wanted);
    world.run_until(&id, 10402);
    world.approve(&id);
    world.until_effective(&id);
    let after = world.forge.text(PROJECT, "main", "limits/odd.yaml").unwrap();
    assert_eq!(differing(text, &after).len(), 1);
    assert_eq!(after, text.replace("timeout: 10 # seconds", "timeout: 12 # seconds"));
    let files = world.items(&format!("/api/v1/operations/{id}/files"));
    assert_eq!(preview.body["files"][0]["diff"], files[0]["diff"], "what was shown is what was committed");
    assert_eq!((preview.body["files"][0]["after"].as_str(), world.applied("commit_files")), (Some(after.as_str()), 1));
}

#[test]
fn c084_crlf_and_missing_last_newline() {
    let lf = "zones:\n  north:\n    memory: 1 # x\n    timeout: 30\n  south:\n    timeout: 45";
    let texts = [
        ("crlf", lf.replace('\n', "\r\n") + "\r\n"),
        ("mixed", lf.replacen('\n', "\r\n", 2) + "\n"),
        ("noend", lf.to_owned()),
        ("tabs", format!("{}\n# a\ttab\t\n", lf.replace("1 # x", "1\t# x\ty"))),
    ];
    for (name, text) in texts {
        let mut world = World::new();
        world.forge.push(PROJECT, "main", &format!("limits/{name}.yaml"), &text);
        let id = world.submit_as("limit", change(name, "north", "timeout", 60));
        world.run_until(&id, 10402);
        world.approve(&id);
        world.until_effective(&id);
        let after = world.forge.text(PROJECT, "main", &format!("limits/{name}.yaml")).unwrap();
        assert_eq!(after, text.replacen("timeout: 30", "timeout: 60", 1), "{name}: byte for byte");
        assert_eq!(world.applied("commit_files"), 1);
    }
}

#[test]
fn c085_file_moved_on_between_preview_and_commit() {
    // The outcome of this product: an edit elsewhere in the file is kept and ours is put on top; the same value is a conflict.
    let (mut world, id) = World::a1();
    let text = world.forge.text(PROJECT, "main", ORDERS).unwrap();
    world.forge.push(PROJECT, "main", ORDERS, &text.replace("memory: 256", "memory: 300"));
    world.approve(&id);
    world.until_effective(&id);
    let after = world.forge.text(PROJECT, "main", ORDERS).unwrap();
    assert_eq!(after, text.replace("memory: 256", "memory: 300").replace("timeout: 30", "timeout: 60"));
    assert_eq!(world.writes(), HAPPY);

    let (mut world, id) = World::a1();
    world.forge.push(PROJECT, "main", ORDERS, &text.replace("timeout: 30", "timeout: 31"));
    world.approve(&id);
    world.run_until(&id, 10007);
    world.tells(&id, &["the requester saw 30, it is 31 now", "Nothing was overwritten"]);
    assert_eq!(world.writes(), TICKET);
    world.rules_hold();
}

#[test]
fn c086_nothing_to_change() {
    // The outcome of this product: refused at submission; where it becomes equal later, it stops at CREATE_CONFLICT.
    let mut world = World::new();
    let equal = change("orders", "north", "timeout", 30);
    let answer = world.try_submit(json!({"kind": "limit", "fields": equal}));
    assert_eq!(answer.status, 422, "{}", answer.body);
    assert!(answer.body.to_string().to_lowercase().contains("nothing to change"), "{}", answer.body);
    world.settle();
    assert!(world.desk.tickets().is_empty() && world.ids().is_empty());

    let (mut world, id) = World::a1();
    let text = world.forge.text(PROJECT, "main", ORDERS).unwrap();
    world.forge.push(PROJECT, "main", ORDERS, &text.replace("timeout: 30", "timeout: 60"));
    world.approve(&id);
    world.run_until(&id, 10007);
    world.tells(&id, &["Nothing left to change: main holds the wanted values already"]);
    assert_eq!((world.writes(), world.sent("commit_files")), (TICKET, 0));
    world.rules_hold();
    world.press_now(&id, "close");
    world.run_until(&id, 10202);
}

#[test]
fn c087_two_requests_on_one_file_at_the_same_time() {
    for swapped in [false, true] {
        let mut world = World::new();
        world.rules(|rules| rules.method = Method::FastForward);
        let first = world.submit_as("limit", fields());
        let second = world.submit_as("limit", change("orders", "south", "memory", 300));
        let mut ids = [first, second];
        world.run_until(&ids[1], 10402);
        if swapped {
            ids.reverse();
        }
        for id in &ids {
            world.approve(id);
        }
        for id in &ids {
            world.until_effective(id);
            world.never_failed(id);
        }
        let after = world.forge.text(PROJECT, "main", ORDERS).unwrap();
        assert!(after.contains("timeout: 60") && after.contains("memory: 300"), "no update is lost: {after}");
        assert_eq!(world.writes(), Writes { ticket: 2, commit: 2, mr: 2, a: 3, b: 3, rebase: 1, merge: 2 });
        let rebased: Vec<_> = ids.iter().filter(|id| world.told(id).contains("main moved: !")).collect();
        assert_eq!(rebased.len(), 1, "the second says why it had to be rebased");
    }
}

#[test]
fn c088_large_file() {
    let mut text = "zones:\n  north:\n    timeout: 30\nrest:\n".to_owned();
    for n in 0..60_000 {
        text.push_str(&format!("  key-{n:06}: value-{n:06}\n"));
    }
    assert!(text.len() > 1_500_000);
    let mut world = World::new();
    world.forge.push(PROJECT, "main", "limits/huge.yaml", &text);
    let id = world.submit_as("limit", change("huge", "north", "timeout", 60));
    world.run_until(&id, 10402);
    world.approve(&id);
    let page = "a web page instead of data (Payload Too Large)";
    world.wire.fault("commit_files", 0, 1, refusal(ErrorClass::Terminal, 413, page));
    world.run_until(&id, 10003);
    assert_eq!(world.writes(), TICKET);
    let size = format!("{:.1} MB", text.len() as f64 / 1e6);
    world.tells(&id, &["too large for the server", &size, "413"]);
    world.rules_hold();
    world.press_now(&id, "resume");
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
    let after = world.forge.text(PROJECT, "main", "limits/huge.yaml").unwrap();
    assert!(after == text.replacen("timeout: 30", "timeout: 60", 1), "byte for byte");
}
