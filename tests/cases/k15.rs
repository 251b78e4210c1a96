//! K15: quick fingers and old pictures. C112 and C114 are about the process and stand in `src-tauri/daemon/tests`, C116 is about the
//! window and stands in `src-tauri/tests`.

use serde_json::json;

use crate::{
    given::{HAPPY, TICKET},
    support::{PROJECT, World, fields},
};

#[test]
fn c113_double_click_on_submit_and_on_a_recovery_button() {
    // Click and Enter: the page gives both the same key; without one the relation itself is the guard.
    for key in [Some("one-press"), None] {
        let mut world = World::new();
        let mut body = json!({"kind": "limit", "fields": fields()});
        if let Some(key) = key {
            body["idempotency_key"] = key.into();
        }
        let answers = world.submit_together(&[body.clone(), body]);
        let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses, if key.is_some() { [202, 202] } else { [202, 409] }, "{answers:?}");
        assert_eq!(answers[0].body["operation_id"], answers[1].body["operation_id"], "the second names the first");
        let ids = world.ids();
        assert_eq!(ids.len(), 1);
        world.run_until(&ids[0], 10402);
        assert_eq!(world.writes(), TICKET);
    }
    let (mut world, id) = World::standing_at(10103);
    world.rules(|rules| rules.may_not_approve.clear());
    let answers = world.press_together(&id, &[("resume", "ada"); 5]);
    let taken = answers.iter().filter(|answer| answer.status == 202).count();
    assert_eq!(taken, 1, "{answers:?}");
    for late in answers.iter().filter(|answer| answer.status != 202) {
        assert_eq!(late.status, 409, "{}", late.body);
        assert!(late.body["detail"].as_str().unwrap().contains("ada was first (resume)"), "{}", late.body);
    }
    let resumed = world.words(&id).iter().filter(|word| *word == "resume").count();
    assert_eq!(resumed, 1, "one attempt");
    world.until_effective(&id);
    assert_eq!(world.writes(), HAPPY);
}

#[test]
fn c115_button_pressed_on_an_old_picture() {
    let (mut world, id) = World::standing_at(10103);
    let old = world.version(&id);
    world.forge.merge_by_hand(PROJECT, world.iid_of(&id), "hal");
    world.press_now(&id, "reconcile");
    world.run_until(&id, 10109);
    let approvals = world.sent("approve");
    let answer = world.press(&id, "retry-approval", "bob", old);
    assert_eq!(answer.status, 409, "{}", answer.body);
    assert_eq!(answer.body["version"], world.version(&id), "the new version is told");
    assert_eq!(answer.body["last_change"]["event"], "remote_merged");
    assert!(answer.body["detail"].as_str().unwrap().contains("look again"), "{}", answer.body);
    world.turn();
    assert_eq!((world.sent("approve"), world.step(&id)), (approvals, 10109));
    world.until_effective(&id);
}
