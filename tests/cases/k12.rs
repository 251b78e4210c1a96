//! K12: names, sizes and special texts. How they are encoded on the wire is tested in tests/adapters.

use serde_json::{Value, json};

use crate::{
    given::{HAPPY, TICKET},
    support::{PROJECT, World},
};

fn note(name: &str, title: &str) -> Value {
    json!({"name": name, "title": title})
}

#[test]
fn c093_special_characters_in_branch_and_file_path() {
    let path = "conf d/a#b%20+ü.txt";
    let mut world = World::new();
    let id = world.submit_as("note", note(path, "50% #1+2 / done"));
    world.run_until(&id, 10402);
    world.approve(&id);
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
    assert_eq!(world.forge.text(PROJECT, "main", path).as_deref(), Some("50% #1+2 / done\n"));
    let page = world.operation(&id);
    assert_eq!((page["subject_id"].as_str(), page["target_key"].as_str()), (Some(path), Some("notes for 50% #1+2")));
    assert_eq!(world.forge.mr(PROJECT, 1).title, "50% #1+2 / done");
    let found = world.get("/api/v1/operations?q=conf");
    assert_eq!(found["items"][0]["operation_id"], id.as_str());
}

#[test]
fn c094_title_of_300_multi_byte_characters() {
    let title = format!("{}😀", "配".repeat(299));
    let mut world = World::new();
    let mut ids = Vec::new();
    for name in
        ["a-very-long-name-that-begins-like-the-other-one-1", "a-very-long-name-that-begins-like-the-other-one-2"]
    {
        let id = world.submit_as("note", note(name, &title));
        world.run_until(&id, 10402);
        world.approve(&id);
        world.until_effective(&id);
        ids.push(id);
    }
    assert_eq!((world.sent("commit_files"), world.sent("open_merge_request")), (2, 2), "at the first try");
    for (iid, id) in [(1, &ids[0]), (2, &ids[1])] {
        let mr = world.forge.mr(PROJECT, iid);
        assert!(mr.title.chars().count() <= 255 && title.starts_with(mr.title.trim_end_matches('…')), "{}", mr.title);
        assert!(mr.description.starts_with(&title), "the full title stands in the description");
        assert!(mr.description.lines().any(|line| line == format!("Signalbox-Operation: {id}")), "{}", mr.description);
        assert!(mr.source.len() <= 255);
    }
    assert_ne!(world.branch_of(&ids[0]), world.branch_of(&ids[1]));
}

#[test]
fn c095_19_digit_ids() {
    let mut world = World::new();
    world.desk.number_from(812_345_678_901_234_567);
    let first = world.submit();
    let second = world.submit_memo("second");
    world.run_until(&second, 10402);
    let (one, two) = ("812345678901234567", "812345678901234568");
    let (first, second) = match world.operation(&first)["ticket"]["id"] == one {
        true => (first, second),
        false => (second, first),
    };
    assert_eq!(
        (&world.operation(&first)["ticket"]["id"], &world.operation(&second)["ticket"]["id"]),
        (&json!(one), &json!(two))
    );
    world.press_now(&first, "reconcile");
    world.turn();
    let asked = world.ledger().into_iter().rev().find(|entry| entry.name == "ticket").unwrap();
    assert_eq!(asked.path, format!("/approvals/{one}"), "the exact digits are asked for");
    assert_eq!((world.step(&first), world.step(&second)), (10402, 10402));
    // A decision about the other ticket, as a number, is not taken for ours.
    world.desk.decide(&second, "approved", "mira", None);
    let data = json!({"request_id": first, "operation_id": first, "approval_id": 812_345_678_901_234_568_u64, "decision": "approved"});
    let callback = world.callback("approval", "approval.changed", data);
    assert_eq!(world.deliver(&callback).body["verdict"], "ignored_stale");
    let data = json!({"request_id": second, "operation_id": second, "approval_id": 812_345_678_901_234_568_u64, "decision": "approved"});
    let callback = world.callback("approval", "approval.changed", data);
    assert_eq!(world.deliver(&callback).body["verdict"], "parked");
    world.run_until(&second, 10005);
    world.forge.with(PROJECT, |project, _| project.pipes[0].id = 9_007_199_254_740_993);
    world.until_effective(&second);
    world.tells(&second, &["Pipeline #9007199254740993 passed", "ticket 812345678901234568"]);
    assert_eq!((world.step(&first), world.status(&first).as_str()), (10402, "APPROVAL_SENT"));
}

#[test]
fn c096_a_branch_named_like_our_prefix_exists() {
    // The outcome of this product: it stops at CREATE_CONFLICT and names the branch.
    let (mut world, id) = World::a1();
    let theirs = world.forge.push(PROJECT, "signalbox", "notes.txt", "ours\n");
    world.approve(&id);
    world.run_until(&id, 10007);
    assert_eq!(world.writes(), TICKET);
    world.tells(&id, &["A branch called signalbox is in the way"]);
    world.rules_hold();
    let head = world.forge.with(PROJECT, |project, _| project.repo.head("signalbox").cloned());
    assert_eq!(head, Some(theirs), "untouched");
    world.forge.delete_branch(PROJECT, "signalbox");
    world.press_now(&id, "resume");
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
}
