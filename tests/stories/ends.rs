//! Both orders of the flow, from the first word to the last.

use crate::support::World;

#[test]
fn an_approval_first_request_goes_all_the_way() {
    let mut world = World::new();
    let id = world.submit();
    world.finish(&id);
    assert_eq!(world.path(&id), [10401, 10402, 10001, 10005, 10002, 10101, 10102, 10109, 10301]);
    assert_eq!(world.status(&id), "VALIDATED");
    world.once(&id);
}

#[test]
fn an_mr_first_request_goes_all_the_way() {
    let mut world = World::with("flow.order = \"mr-first\"");
    let id = world.submit();
    world.finish(&id);
    assert_eq!(world.path(&id), [10001, 10005, 10002, 10401, 10402, 10101, 10102, 10109, 10301]);
    let ticket = world.desk.of(&id).unwrap();
    assert_eq!(ticket.ext["mrId"], "1");
    world.once(&id);
}
