//! What the database refuses by itself, even when it is typed by hand.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use signalbox_engine::flow::{Event, Status, Step, table};

use crate::world::{World, number, typed};

/// Sets a step the way it must be set: with its status, its outlook and a new version.
fn set_step(to: Step) -> String {
    let status = to.status().map_or_else(|| "status".to_owned(), |status| format!("'{}'", status.word()));
    format!(
        "UPDATE operation SET step = {}, status = {status}, outlook = '{}', version = version + 1, last_seq = last_seq + 1, due_at = 1 \
         WHERE operation_id = 'a'",
        to.code(),
        to.outlook().word()
    )
}

/// The shortest walk to each step from where a new request stands, by the pairs that the table lists.
fn walks() -> BTreeMap<Step, Vec<Step>> {
    let mut walks = BTreeMap::from([(Step::ApprovalSending, Vec::new())]);
    let mut next = VecDeque::from([Step::ApprovalSending]);
    while let Some(step) = next.pop_front() {
        for row in table::moves().filter(|row| row.from == Some(step)) {
            if !walks.contains_key(&row.to) {
                let mut walk = walks[&step].clone();
                walk.push(row.to);
                walks.insert(row.to, walk);
                next.push_back(row.to);
            }
        }
    }
    walks
}

#[tokio::test]
async fn a_hand_typed_step_moves_exactly_where_the_table_says() {
    let world = World::new().await;
    world.request("a").await;
    let mut hand = world.by_hand().await;
    let listed: BTreeSet<(Step, Step)> = table::moves().filter_map(|row| row.from.map(|from| (from, row.to))).collect();
    let walks = walks();
    let mut tried = 0;
    for (from, walk) in &walks {
        typed(&mut hand, "BEGIN IMMEDIATE").await.expect("begun");
        for step in walk {
            typed(&mut hand, &set_step(*step)).await.expect("a legal walk");
        }
        for to in Step::ALL.iter().filter(|to| *to != from) {
            typed(&mut hand, "SAVEPOINT try").await.expect("a savepoint");
            let answer = typed(&mut hand, &set_step(*to)).await;
            if listed.contains(&(*from, *to)) {
                assert_eq!(answer, Ok(1), "{from} to {to} is in the table");
            } else {
                let refusal = answer.expect_err("the table does not list it");
                assert!(refusal.contains("the transition table does not list this move"), "{from} to {to}: {refusal}");
            }
            typed(&mut hand, "ROLLBACK TO try").await.expect("back");
            tried += 1;
        }
        typed(&mut hand, "ROLLBACK").await.expect("undone");
    }
    // Everything but 10006, where only a new request can stand.
    assert_eq!(walks.len(), Step::ALL.len() - 1);
    assert_eq!(tried, walks.len() * (Step::ALL.len() - 1));
}

#[tokio::test]
async fn a_request_begins_only_where_the_table_starts() {
    let world = World::new().await;
    world.request("a").await;
    let mut hand = world.by_hand().await;
    let starts: BTreeSet<Step> = table::moves().filter(|row| row.from.is_none()).map(|row| row.to).collect();
    for step in Step::ALL {
        let sql = format!(
            "INSERT INTO operation (operation_id, kind, workflow, subject_id, target_key, flow_order, step, status, outlook, \
               version, fields, requested_by, fingerprint, created_at, updated_at, entered_at, due_at, project, facts) \
             SELECT 'new-{code}', kind, workflow, 's{code}', target_key, flow_order, {code}, '{status}', '{outlook}', 1, fields, \
               requested_by, fingerprint, 1, 1, 1, 1, project, facts FROM operation WHERE operation_id = 'a'",
            code = step.code(),
            status = step.status().map_or("MERGING", Status::word),
            outlook = step.outlook().word()
        );
        match typed(&mut hand, &sql).await {
            Ok(_) => assert!(starts.contains(step), "{step} is no start"),
            Err(refusal) => {
                assert!(!starts.contains(step), "{refusal}");
                assert!(refusal.contains("the transition table does not start at this step"), "{refusal}");
            }
        }
    }
}

/// What nobody may type, and the words that it is refused with.
const REFUSED: &[(&str, &str)] = &[
    (
        "UPDATE operation SET step = 10005, outlook = 'waiting' WHERE operation_id = 'a'",
        "a step moves only together with its version",
    ),
    (
        "UPDATE operation SET version = version - 1 WHERE operation_id = 'a'",
        "a step moves only together with its version",
    ),
    ("UPDATE operation SET version = 0 WHERE operation_id = 'a'", "a step moves only together with its version"),
    ("UPDATE operation SET status = 'VALIDATED' WHERE operation_id = 'a'", "do not belong together"),
    ("UPDATE operation SET due_at = NULL WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET lease_owner = 'me' WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET error_class = 'terminal' WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET last_seq = 1 WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET look = -1 WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET outlook = 'stuck' WHERE operation_id = 'a'", "do not belong together"),
    ("UPDATE operation SET flow_order = 'as-you-like' WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET wish = 'merge' WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET fields = '{' WHERE operation_id = 'a'", "CHECK constraint failed"),
    ("UPDATE operation SET version = 'two' WHERE operation_id = 'a'", "cannot store TEXT value in INTEGER column"),
    ("UPDATE operation SET status = 'FINE' WHERE operation_id = 'a'", "do not belong together"),
    ("UPDATE binding SET status = 'FINE'", "there is no such outward status"),
    ("DELETE FROM operation WHERE operation_id = 'a'", "a request is never deleted"),
    ("UPDATE history SET actor_name = 'mallory'", "the history is never rewritten"),
    ("DELETE FROM history", "the history is never deleted"),
    ("REPLACE INTO history SELECT * FROM history", "the history is never"),
    ("UPDATE diff SET changes = '[]'", "the log of changes is never rewritten"),
    ("DELETE FROM diff", "the log of changes is never deleted"),
    (
        "INSERT INTO history SELECT operation_id, seq, version, at, event, from_step, from_status, to_step, to_status, actor_kind, \
           actor_name, reason, evidence, duration_ms FROM history",
        "the history is never rewritten",
    ),
    (
        "INSERT INTO history (operation_id, seq, version, at, event, to_step, to_status, actor_kind, actor_name) \
         VALUES ('a', 9, 9, 1, 'merged', 10109, 'MERGED', 'nobody', 'x')",
        "CHECK constraint failed",
    ),
    (
        "INSERT INTO history (operation_id, seq, version, at, event, to_step, to_status, actor_kind, actor_name, evidence) \
         VALUES ('a', 9, 9, 1, 'deployed', 10301, 'VALIDATED', 'deploy', 'x', 'hearsay')",
        "CHECK constraint failed",
    ),
    (
        "INSERT INTO history (operation_id, seq, version, at, event, to_step, to_status, actor_kind, actor_name) \
         VALUES ('nobody', 1, 1, 1, 'submit', 10001, 'MR_CREATING', 'system', 'x')",
        "FOREIGN KEY constraint failed",
    ),
    (
        "INSERT INTO binding (subject_id, target_key, operation_id, status, updated_at) \
         VALUES ('service-a', 'eu/cpu', 'b', 'MERGING', 1)",
        "UNIQUE constraint failed: binding.subject_id, binding.target_key",
    ),
    (
        "INSERT INTO binding (subject_id, target_key, operation_id, status, updated_at) VALUES ('x', 'y', 'a', 'MERGING', 1)",
        "UNIQUE constraint failed: binding.operation_id",
    ),
    (
        "UPDATE operation SET idempotency_key = (SELECT idempotency_key FROM operation WHERE operation_id = 'keyed') \
         WHERE operation_id = 'a'",
        "UNIQUE constraint failed: operation.kind, operation.idempotency_key",
    ),
    (
        "INSERT INTO inbox (source, delivery_id, received_at, verdict, reason, body) VALUES ('approval', '1', 1, 'believed', '{}', '{}')",
        "CHECK constraint failed",
    ),
    (
        "INSERT INTO inbox (source, delivery_id, received_at, verdict, reason, body) VALUES ('rumour', '1', 1, 'applied', '{}', '{}')",
        "CHECK constraint failed",
    ),
    (
        "INSERT INTO inbox (source, delivery_id, received_at, verdict, reason, body) \
         VALUES ('deploy', 'd', 1, 'applied', '{}', '{}'), ('deploy', 'd', 2, 'parked', '{}', '{}')",
        "UNIQUE constraint failed: inbox.source, inbox.delivery_id",
    ),
    (
        "INSERT INTO outbox (topic, operation_id, history_seq, version, step, status, at) VALUES ('operation', 'a', 1, 1, 10401, 'APPROVAL_SENDING', 1)",
        "UNIQUE constraint failed",
    ),
    (
        "INSERT INTO compensation (code, kind, operation_id, step, idempotency_key, max_retries, status, content, created_at, updated_at) \
         VALUES ('c', 'close_mr', 'a', 10404, 'k', 3, 'MAYBE', '{}', 1, 1)",
        "CHECK constraint failed",
    ),
    (
        "INSERT INTO remote_call (operation_id, version, at, remote, account, method, path, effect, attempt, outcome) \
         VALUES ('a', 1, 1, 'gitlab', 'bot', 'PUT', '/', 'perhaps', 1, 'intended')",
        "CHECK constraint failed",
    ),
];

#[tokio::test]
async fn what_must_never_be_is_refused_by_the_database() {
    let world = World::new().await;
    world.request("a").await;
    world.request("b").await;
    let keyed = signalbox_engine::store::submission::Submission {
        idempotency_key: Some("key".into()),
        ..crate::world::submission("keyed")
    };
    world.store.submit(keyed).await.expect("stored");
    let before = world.walk("a", &[Event::ApprovalSent, Event::ApprovalGranted]).await;
    let mut hand = world.by_hand().await;
    for (sql, words) in REFUSED {
        typed(&mut hand, "BEGIN IMMEDIATE").await.expect("begun");
        let refusal = match typed(&mut hand, sql).await {
            // Deferred constraints speak at the end.
            Ok(_) => typed(&mut hand, "COMMIT").await.expect_err(sql),
            Err(refusal) => refusal,
        };
        assert!(refusal.contains(words), "{sql}\n  was refused with {refusal}\n  and not with {words}");
        typed(&mut hand, "ROLLBACK").await.expect("undone");
    }
    let after = world.read("a").await;
    assert_eq!((after.step, after.version, after.status), (before.step, before.version, before.status));
    assert_eq!(number(&mut hand, "SELECT count(*) FROM history WHERE operation_id = 'a'").await, 3);
}

#[tokio::test]
async fn a_trigger_that_was_dropped_by_hand_is_back_after_the_next_start() {
    let world = World::new().await;
    world.request("a").await;
    let mut hand = world.by_hand().await;
    typed(&mut hand, "DROP TRIGGER operation_legal_move").await.expect("dropped");
    world.store.close().await;
    let _again = signalbox_engine::store::Store::open(world.dir.path()).await.expect("a store");
    let refusal = typed(&mut hand, &set_step(Step::CalledBack)).await.expect_err("refused again");
    assert!(refusal.contains("does not list this move"), "{refusal}");
}
