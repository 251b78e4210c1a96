//! One request for each write and each fault, through the whole engine: it ends where it should, and every effect is there once.

use std::time::Duration;

use futures::future::join_all;
use serde_json::Value;

use crate::{
    engine_world::{Asking, LATE, World},
    faulty::{Write, name},
    practice::{CONFIG, NETWORK, Practice},
    proxy::FAULTS,
};

fn asking(write: Write, project: &'static str, target: impl Fn(&str) -> String) -> Vec<Asking> {
    let ask = |name: String| Asking { project, target_branch: target(&name), name };
    FAULTS.iter().map(|fault| ask(name(write, *fault))).collect()
}

/// Everything that one finished request left at the remotes, read from the remotes themselves.
struct Left {
    tickets: Vec<Value>,
    branches: usize,
    /// Commits of this request anywhere in the repository.
    commits: usize,
    /// Commits of this request on its target branch.
    on_target: usize,
    merge_requests: Vec<Value>,
}

async fn left(world: &World, operation: &str, project: &str, target: &str) -> Left {
    let (practice, mark) = (&world.practice, format!("--grep=^Signalbox-Operation: {operation}$"));
    let lines = |text: String| text.lines().count();
    let place = practice.place(project, &practice.sandbox.gitlab_url, "20s");
    let branch = format!("signalbox/{operation}");
    let list = format!("/merge_requests?state=all&per_page=100&source_branch={branch}");
    let mine = |ticket: &Value| ticket["operation_id"] == operation;
    Left {
        tickets: practice.tickets().await.into_iter().filter(mine).collect(),
        branches: lines(practice.git(project, &["for-each-ref", &format!("refs/heads/{branch}")]).await),
        commits: lines(practice.git(project, &["log", "--all", "--format=%H", &mark]).await),
        on_target: lines(practice.git(project, &["log", target, "--format=%H", &mark]).await),
        merge_requests: place.raw.list(&list).await,
    }
}

/// What a validated request has left: one of each.
async fn assert_one_of_each(world: &World, name: &str, operation: &str, project: &str, target: &str) {
    let left = left(world, operation, project, target).await;
    assert_eq!(left.tickets.len(), 1, "{name}: tickets");
    assert_eq!((left.branches, left.commits, left.on_target), (1, 1, 1), "{name}: branches, commits, on the target");
    // A call to open one that arrives when ours is merged makes another, which nobody can prevent: it must not stay.
    let (merged, rest): (Vec<_>, Vec<_>) = left.merge_requests.iter().partition(|mr| mr["state"] == "merged");
    let [mr] = merged.as_slice() else { panic!("{name}: {:#?}", left.merge_requests) };
    assert!(rest.iter().all(|mr| mr["state"] == "closed"), "{name} left one open: {rest:#?}");
    let place = world.practice.place(project, &world.practice.sandbox.gitlab_url, "20s");
    let approved = place.forge.approvals(&place.scope, project, mr["iid"].as_u64().unwrap()).await.unwrap();
    assert_eq!(approved, ["reviewer-a", "reviewer-b"], "{name}");
}

/// What the remotes counted over all requests: nothing was done that no request shows.
async fn assert_totals(world: &World, totals: &[(&str, usize)]) {
    for (what, wanted) in totals {
        assert_eq!(world.practice.happened(what).await, *wanted as u64, "{what}");
    }
}

fn assert_met(world: &World, asking: &[Asking]) {
    let met = world.rules.met();
    for asking in asking {
        assert!(met.contains(&asking.name), "{} went through without its fault", asking.name);
    }
}

/// Approval first, with each request meeting its fault at one write on the way.
async fn walks_through(write: Write) {
    let asking = asking(write, CONFIG, |_| "main".to_owned());
    let world = World::open(Practice::approving().await, "approval-first", &asking).await;
    let walk = async |asking: &Asking| {
        let operation = world.submit(&asking.name).await;
        world.until_status(&operation, "VALIDATED").await;
        (asking.name.clone(), operation)
    };
    let done = join_all(asking.iter().map(walk)).await;
    // What was held back arrives after everything is over.
    tokio::time::sleep(LATE).await;
    settled(&world).await;
    assert_met(&world, &asking);
    for (name, operation) in &done {
        assert_one_of_each(&world, name, operation, CONFIG, "main").await;
        assert_eq!(world.read(operation).await["status"], "VALIDATED", "{name}");
    }
    let n = done.len();
    let totals = [("tickets opened", n), ("commits made", n), ("approvals given", 2 * n), ("merge requests merged", n)];
    assert_totals(&world, &totals).await;
    world.engine.stop(Duration::from_secs(5)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_is_made_once() {
    walks_through(Write::Ticket).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_is_made_once() {
    walks_through(Write::Commit).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_merge_request_is_opened_once() {
    walks_through(Write::Open).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_reviewer_approves_once() {
    walks_through(Write::Approve).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_merge_is_done_once() {
    walks_through(Write::Merge).await;
}

/// Fast-forward only: the target moves while the checks run, so that each request is rebased before it is merged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rebase_is_done_once() {
    let target = |name: &str| format!("target/{name}");
    let asking = asking(Write::Rebase, NETWORK, target);
    let practice = Practice::approving().await;
    let place = practice.place(NETWORK, &practice.sandbox.gitlab_url, "20s");
    for asking in &asking {
        let body = serde_json::json!({"branch": asking.target_branch, "ref": "main"});
        let (status, answer) = place.raw.send(reqwest::Method::POST, "/repository/branches", body).await;
        assert_eq!(status, 201, "{answer}");
    }
    practice.switch("pace.pipeline", 1500).await;
    let world = World::open(practice, "approval-first", &asking).await;
    let walk = async |asking: &Asking| {
        let operation = world.submit(&asking.name).await;
        let opened = world.until(&operation, "a merge request", |now| !now["mr"].is_null()).await;
        world.practice.by_hand(32, opened["mr"]["iid"].as_u64().unwrap(), "move-target").await;
        let done = world.until_status(&operation, "VALIDATED").await;
        assert_eq!(done["rebases"], 1, "{done:#}");
        (asking.name.clone(), operation)
    };
    let done = join_all(asking.iter().map(walk)).await;
    tokio::time::sleep(LATE).await;
    assert_met(&world, &asking);
    for (name, operation) in &done {
        assert_one_of_each(&world, name, operation, NETWORK, &target(name)).await;
    }
    let n = done.len();
    // The other half of the commits are those that moved the targets.
    let totals =
        [("rebases done", n), ("commits made", 2 * n), ("merge requests merged", n), ("approvals given", 2 * n)];
    assert_totals(&world, &totals).await;
    world.engine.stop(Duration::from_secs(5)).await;
}

/// Closed by the operator while the ticket waits: the merge request and the ticket end once, and nothing is merged.
async fn closes(write: Write) {
    let asking = asking(write, CONFIG, |_| "main".to_owned());
    let world = World::open(Practice::begin().await, "mr-first", &asking).await;
    let walk = async |asking: &Asking| {
        let operation = world.submit(&asking.name).await;
        world.until_status(&operation, "APPROVAL_SENT").await;
        world.press(&operation, "close").await;
        world.until_status(&operation, "CLOSED").await;
        (asking.name.clone(), operation)
    };
    let done = join_all(asking.iter().map(walk)).await;
    tokio::time::sleep(LATE).await;
    assert_met(&world, &asking);
    for (name, operation) in &done {
        assert_ended(&world, name, operation, "withdrawn").await;
        assert_eq!(world.read(operation).await["status"], "CLOSED", "{name}");
    }
    assert_totals(&world, &[("merge requests merged", 0), ("merge requests opened", done.len())]).await;
    world.engine.stop(Duration::from_secs(5)).await;
}

async fn assert_ended(world: &World, name: &str, operation: &str, ticket: &str) {
    let left = left(world, operation, CONFIG, "main").await;
    assert_eq!((left.branches, left.commits, left.on_target), (1, 1, 0), "{name}");
    let states: Vec<_> = left.merge_requests.iter().map(|mr| &mr["state"]).collect();
    assert_eq!(states, ["closed"], "{name}");
    let tickets: Vec<_> = left.tickets.iter().map(|ticket| &ticket["state"]).collect();
    assert_eq!(tickets, [ticket], "{name}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_merge_request_is_closed_once() {
    closes(Write::Close).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_is_cancelled_once() {
    closes(Write::Cancel).await;
}

/// Rejected after the merge request was opened: the compensation closes it, whatever happens to its call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejected_merge_request_is_closed_by_its_compensation() {
    let asking = asking(Write::Close, CONFIG, |_| "main".to_owned());
    let world = World::open(Practice::begin().await, "mr-first", &asking).await;
    let walk = async |asking: &Asking| {
        let operation = world.submit(&asking.name).await;
        let sent = world.until_status(&operation, "APPROVAL_SENT").await;
        world.practice.decide(sent["ticket"]["id"].as_str().unwrap(), "reject").await;
        world.until_status(&operation, "REJECTED").await;
        (asking.name.clone(), operation)
    };
    let done = join_all(asking.iter().map(walk)).await;
    tokio::time::sleep(LATE).await;
    settled(&world).await;
    assert_met(&world, &asking);
    for (name, operation) in &done {
        assert_ended(&world, name, operation, "rejected").await;
    }
    world.engine.stop(Duration::from_secs(5)).await;
}

/// Waits until every merge request that must be closed is, and every other record of work to follow has had its first look.
async fn settled(world: &World) {
    let begun = std::time::Instant::now();
    loop {
        let (_, found) = world.call("GET", "/api/v1/compensations", None).await;
        let items = found["items"].as_array().unwrap();
        let over = |item: &Value| match item["kind"].as_str() {
            Some("close_mr") => matches!(item["status"].as_str(), Some("SUCCESS" | "IGNORED")),
            _ => item["status"] != "INIT",
        };
        if items.iter().all(over) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "not all were tried: {found:#}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
