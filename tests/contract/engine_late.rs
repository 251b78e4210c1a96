//! A request that is closed while one of its calls is still under way: what the call makes when it arrives does not stay.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};

use crate::{
    engine_world::{Asking, World},
    faulty::{Write, name},
    practice::{CONFIG, Practice},
    proxy::Fault,
};

/// Waits until a call that was sent has had no answer yet.
async fn under_way(world: &World, operation: &str, tail: &str) {
    let begun = Instant::now();
    loop {
        let (_, found) = world.call("GET", &format!("/api/v1/operations/{operation}/calls"), None).await;
        let sent = |call: &Value| call["outcome"] == "intended" && call["path"].as_str().unwrap().ends_with(tail);
        if found["items"].as_array().unwrap().iter().any(sent) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "no call to {tail} was under way: {found:#}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The states of what the remotes have of this request: merge requests and tickets.
async fn states(world: &World, operation: &str) -> Vec<Value> {
    let place = world.practice.place(CONFIG, &world.practice.sandbox.gitlab_url, "20s");
    let list = format!("/merge_requests?state=all&source_branch=signalbox/{operation}");
    let tickets = world.practice.tickets().await.into_iter().filter(|ticket| ticket["operation_id"] == operation);
    place.raw.list(&list).await.into_iter().chain(tickets).map(|found| found["state"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_arrives_after_a_close_is_ended() {
    let late = [
        (Write::Open, "/merge_requests", json!(["closed"])),
        (Write::Ticket, "/approvals", json!(["closed", "withdrawn"])),
    ];
    let asking: Vec<_> = late
        .iter()
        .map(|(write, ..)| Asking {
            name: name(*write, Fault::ArrivesLate),
            project: CONFIG,
            target_branch: "main".into(),
        })
        .collect();
    let world = World::open(Practice::begin().await, "mr-first", &asking).await;
    let walk = async |(asking, (_, tail, wanted)): (&Asking, &(Write, &str, Value))| {
        let operation = world.submit(&asking.name).await;
        under_way(&world, &operation, tail).await;
        world.press(&operation, "close").await;
        world.until_status(&operation, "CLOSED").await;
        let begun = Instant::now();
        while json!(states(&world, &operation).await) != *wanted {
            let found = states(&world, &operation).await;
            assert!(begun.elapsed() < Duration::from_secs(20), "{}: {found:?}", asking.name);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(world.read(&operation).await["status"], "CLOSED");
    };
    join_all(asking.iter().zip(&late).map(walk)).await;
    world.engine.stop(Duration::from_secs(5)).await;
}
