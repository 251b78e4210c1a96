//! A bug of our own is the failure of what it happened in, and of nothing else.

use serde_json::json;

use crate::support::{Fault, World, fields};

pub fn a_bug_in_a_call_of_a_person_is_answered_and_the_next_call_works() {
    let mut world = World::new();
    world.wire.fault("project", 0, 1, Fault::Panic);
    let answer = world.try_submit(json!({"kind": "limit", "fields": fields()}));
    assert_eq!(answer.status, 500, "{}", answer.body);
    assert!(answer.body["detail"].as_str().unwrap().contains("Everything else goes on"), "{}", answer.body);
    assert_eq!(world.ids().len(), 0);
    let id = world.submit();
    world.finish(&id);
    world.once(&id);
}
