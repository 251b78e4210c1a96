//! The deploy pipeline: some time after a merge it says how the rollout went.

use serde_json::{Map, Value, json};

use crate::accounts::place;
use crate::callbacks;
use crate::state::{Deployed, MergeRequest, Source, State};
use crate::world::World;

/// Ends the deploy of a merged merge request and calls back.
pub(crate) fn finish(world: &World, project: u64, iid: u64) {
    let found = world.read(|state| {
        let mr = state.projects.get(&project)?.merge_requests.get(&iid)?;
        Some((mr.result.clone(), operation_of(state, mr)))
    });
    let Some((sha, operation)) = found else { return };
    let failed = world.take("deploy.fail_next");
    let ended = if failed { Deployed::Failed } else { Deployed::Effective };
    let mut data = Map::new();
    data.insert("project".to_owned(), json!(place(project).path));
    data.insert("mr_iid".to_owned(), json!(iid));
    data.insert("status".to_owned(), json!(ended.word()));
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            data.insert(name.to_owned(), Value::String(value));
        }
    };
    add("operation_id", operation);
    add("sha", sha);
    add("reason", failed.then(|| "The rollout stopped: the health check of the first region failed.".to_owned()));
    world.write(|state| {
        let found = state.projects.get_mut(&project).and_then(|found| found.merge_requests.get_mut(&iid));
        if let Some(mr) = found {
            mr.deployed = Some(ended);
        }
        state.count(if failed { "deploys failed" } else { "deploys finished" });
    });
    let about = format!("{}!{iid} {}", place(project).path, ended.word());
    callbacks::queue(world, Source::Deploy, &about, None, "deploy.finished", &Value::Object(data));
}

/// The operation that a merge request belongs to: one of a known ticket named in it, else the end of a `signalbox/` branch.
fn operation_of(state: &State, mr: &MergeRequest) -> Option<String> {
    let named = |id: &str| mr.source.contains(id) || mr.description.contains(id) || mr.title.contains(id);
    let known = state.tickets.values().rev().map(|ticket| &ticket.operation_id).find(|id| named(id));
    known.cloned().or_else(|| mr.source.strip_prefix("signalbox/").map(str::to_owned))
}
