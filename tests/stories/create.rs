//! Branch, commit and merge request: found or made, never twice.

use serde_json::json;
use signalbox_engine::words::Lang;

use crate::support::{Fault, ORDERS, PROJECT, Plan, World, down, fields, refused};

pub fn what_hinders_the_merge_request_is_told_and_cured_by_resume() {
    for name in ["branch", "commit_files", "open_merge_request", "merge_requests_of"] {
        let mut world = World::new();
        let id = world.submit();
        world.run_until(&id, 10402);
        world.wire.fault(name, 0, 1, refused());
        world.approve(&id);
        world.settle();
        assert_eq!(world.step(&id), 10003, "{name}");
        assert!(world.error(&id).contains("403"), "{}", world.error(&id));
        world.press_now(&id, "resume");
        world.run_until(&id, 10109);
        world.once(&id);
    }
}

pub fn values_changed_meanwhile_are_a_conflict() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.target_conflicts();
    world.approve(&id);
    world.settle();
    assert_eq!(world.step(&id), 10007);
    assert!(world.error(&id).contains("30") && world.error(&id).contains("31"), "{}", world.error(&id));
    assert_eq!(world.applied("commit_files"), 0);
    // Put back by hand, it goes on.
    let text = world.forge.text(PROJECT, "main", ORDERS).unwrap().replace("    timeout: 31\n", "    timeout: 30\n");
    world.forge.push(PROJECT, "main", ORDERS, &text);
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn an_edit_elsewhere_in_the_file_is_none() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    let text = world.forge.text(PROJECT, "main", ORDERS).unwrap().replace("team-orders", "team-sales");
    world.forge.push(PROJECT, "main", ORDERS, &text);
    world.approve(&id);
    world.run_until(&id, 10109);
    let merged = world.forge.text(PROJECT, "main", ORDERS).unwrap();
    assert!(merged.contains("timeout: 60") && merged.contains("team-sales"), "{merged}");
}

pub fn a_foreign_branch_with_our_name_is_not_written_to() {
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    let branch = world.branch_of(&id);
    let foreign = world.forge.push(PROJECT, &branch, "stray.txt", "theirs\n");
    world.approve(&id);
    world.settle();
    assert_eq!(world.step(&id), 10007);
    let head = world.forge.with(PROJECT, |project, _| project.repo.head(&branch).cloned());
    assert_eq!(head, Some(foreign));
    world.forge.delete_branch(PROJECT, &branch);
    world.press_now(&id, "resume");
    world.run_until(&id, 10109);
    world.once(&id);
}

pub fn a_bug_in_a_stage_fails_this_request_only() {
    let cases = [
        ("by_request", 10403, "resume"),
        ("merge_requests_of", 10003, "resume"),
        ("approvals", 10103, "resume"),
        ("merge", 10104, "resume"),
    ];
    for (name, step, cure) in cases {
        let mut world = World::new();
        let other = world.submit_memo("other");
        world.run_until(&other, 10402);
        world.wire.fault(name, 0, 1, Fault::Panic);
        let id = world.submit();
        if step != 10403 {
            world.run_until(&id, 10402);
            world.approve(&id);
        }
        world.run_until(&id, step);
        world.finish(&other);
        world.press_now(&id, cure);
        if step == 10403 {
            world.run_until(&id, 10402);
            world.approve(&id);
        }
        world.run_until(&id, 10109);
        world.once(&id);
    }
    let (mut world, id) = World::standing_at(10005);
    world.rules(|rules| rules.usual = vec![Plan::green()]);
    world.wire.fault("close", 0, 1, Fault::Panic);
    world.press_now(&id, "close");
    world.run_until(&id, 10203);
    world.press_now(&id, "resume");
    world.run_until(&id, 10202);
    world.invariants();
}

/// What was made with the fields as they were must not go on in the name of others.
pub fn fields_are_edited_only_where_nothing_of_them_has_left() {
    let edit = |world: &mut World, id: &str| {
        let mut other = fields();
        other["value"] = 61.into();
        let body = json!({"expected_version": world.version(id), "fields": other});
        world.call("PATCH", &format!("/api/v1/operations/{id}/fields"), Some(body))
    };
    // The commit is there, the merge request was refused.
    let mut world = World::with("flow.order = \"mr-first\"");
    world.wire.fault("open_merge_request", 0, 1, refused());
    let id = world.submit();
    world.run_until(&id, 10003);
    let answer = edit(&mut world, &id);
    assert_eq!(answer.status, 422, "{}", answer.body);
    assert!(answer.body["reason"].as_str().unwrap().contains("Close it, and apply again"), "{}", answer.body);
    // A ticket was approved for these fields.
    let mut world = World::new();
    let id = world.submit();
    world.run_until(&id, 10402);
    world.wire.fault("merge_requests_of", 0, 1, refused());
    world.approve(&id);
    world.run_until(&id, 10003);
    assert_eq!(edit(&mut world, &id).status, 422);
    // Nothing was sent yet.
    let mut world = World::with("flow.order = \"mr-first\"");
    world.wire.fault("merge_requests_of", 0, 1, refused());
    let id = world.submit();
    world.run_until(&id, 10003);
    let answer = edit(&mut world, &id);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["fields"]["value"], 61);
    world.press_now(&id, "resume");
    world.run_until(&id, 10005);
}

pub fn a_target_that_could_not_be_read_is_told_beside_the_comment() {
    let mut world = World::new();
    world.wire.fault("branch", 0, usize::MAX, down());
    let body = json!({"kind": "limit", "fields": fields(), "comment": "ticket 4711"});
    let answer = world.try_submit(body);
    let id = answer.body["operation_id"].as_str().unwrap().to_owned();
    let first = world.history(&id).remove(0);
    let reason = first["reason"].as_str().unwrap();
    assert!(reason.contains("ticket 4711") && reason.contains("GitLab"), "{first}");
}

pub fn a_refusal_is_told_in_the_language_of_whoever_asked() {
    let mut world = World::new();
    let id = world.submit();
    let dry = |fields| Some(json!({"kind": "limit", "fields": fields}));
    for (lang, words) in [(Lang::En, ["holds this relation", "is missing"]), (Lang::ZhCn, ["占用此关系", "缺少字段"])] {
        world.lang = lang;
        let busy = world.call("POST", "/api/v1/changes", dry(fields())).body;
        assert!(busy["detail"].as_str().unwrap().contains(words[0]), "{busy}");
        assert_eq!(busy["operation_id"], id);
        let refused = world.call("POST", "/api/v1/changes", dry(json!({"zone": "north"}))).body;
        let errors = refused["errors"].as_array().unwrap();
        assert!(errors.iter().all(|error| error["message"].as_str().unwrap().contains(words[1])), "{refused}");
    }
}
