//! Pipelines: they run by the wall clock and end as they are told.

use serde_json::Value;

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::merge_requests::named;
use super::moves;
use super::pages::paged;
use super::views;
use crate::accounts::{DEFAULT_BRANCH, place};
use crate::clock::now;
use crate::state::{Pipeline, State, Verdict};
use crate::world::World;

pub(super) async fn list(call: Call) -> Answer {
    let place = call.project()?;
    let now = now();
    let asked = |name: &str| call.asked(name).filter(|value| !value.is_empty());
    let mut found: Vec<Pipeline> = call.world.read(|state| {
        let all = state.projects.get(&place.id).into_iter().flat_map(|project| project.pipelines.values().rev());
        all.filter(|pipeline| {
            pipeline.created <= now
                && asked("sha").is_none_or(|sha| sha == pipeline.sha)
                && asked("ref").is_none_or(|name| name == pipeline.reference)
                && asked("source").is_none_or(|source| source == pipeline.source)
                && asked("status").is_none_or(|status| Some(status) == pipeline.status(now))
        })
        .cloned()
        .collect()
    });
    if asked("sort") == Some("asc") {
        found.reverse();
    }
    paged(
        &call,
        &found.iter().map(|pipeline| views::pipeline(&call.world, place, pipeline, now, false)).collect::<Vec<_>>(),
    )
}

pub(super) async fn of_merge_request(call: Call) -> Answer {
    let shot = named(&call)?;
    let place = place(shot.project);
    let view = |pipeline: &Pipeline| views::pipeline(&call.world, place, pipeline, shot.now, false);
    paged(&call, &shot.pipelines.iter().map(view).collect::<Vec<_>>())
}

pub(super) async fn create_for_merge_request(call: Call) -> Answer {
    let shot = named(&call)?;
    let (project, iid) = (shot.project, shot.mr.iid);
    let id = call.world.write(|state| moves::add_pipeline(&call.world, state, project, iid, &shot.mr.head, "", now()));
    answer(&call, 201, project, id)
}

fn find(call: &Call) -> Result<(u64, Pipeline), Refuse> {
    let project = call.project()?.id;
    let id = call.number("pipeline")?;
    let found = call.world.read(|state| state.projects.get(&project)?.pipelines.get(&id).cloned());
    let seen = found.filter(|pipeline| pipeline.created <= now());
    seen.map(|pipeline| (project, pipeline)).ok_or_else(Refuse::not_found)
}

fn answer(call: &Call, status: u16, project: u64, id: u64) -> Answer {
    let found = call.world.read(|state| state.projects.get(&project)?.pipelines.get(&id).cloned());
    let found = found.ok_or_else(Refuse::not_found)?;
    ok(status, views::pipeline(&call.world, place(project), &found, now(), true))
}

pub(super) async fn get(call: Call) -> Answer {
    let (project, pipeline) = find(&call)?;
    answer(&call, 200, project, pipeline.id)
}

pub(super) async fn latest(call: Call) -> Answer {
    let project = call.project()?.id;
    let reference = call.asked("ref").unwrap_or(DEFAULT_BRANCH);
    let found = call.world.read(|state| {
        let all = state.projects.get(&project)?.pipelines.values().rev();
        all.filter(|pipeline| pipeline.created <= now())
            .find(|pipeline| pipeline.reference == reference)
            .map(|found| found.id)
    });
    answer(&call, 200, project, found.ok_or_else(Refuse::not_found)?)
}

pub(super) async fn retry(call: Call) -> Answer {
    let (project, pipeline) = find(&call)?;
    call.world.write(|state| tell(&call.world, state, project, pipeline.id, Told::Retry));
    answer(&call, 201, project, pipeline.id)
}

pub(super) async fn cancel(call: Call) -> Answer {
    let (project, pipeline) = find(&call)?;
    call.world.write(|state| tell(&call.world, state, project, pipeline.id, Told::Cancel));
    answer(&call, 200, project, pipeline.id)
}

pub(super) async fn jobs(call: Call) -> Answer {
    let (_, pipeline) = find(&call)?;
    let status = pipeline.status(now()).unwrap_or("created");
    let job: Value = serde_json::json!({
        "id": pipeline.id * 10, "name": "validate", "stage": "test", "status": status, "allow_failure": false,
        "failure_reason": (status == "failed").then_some("script_failure"), "ref": pipeline.reference,
        "pipeline": { "id": pipeline.id, "sha": pipeline.sha, "status": status },
    });
    paged(&call, &[job])
}

/// What a pipeline can be told by the API, the panel or the control API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// Runs again from the beginning and succeeds.
    Retry,
    /// Ends now as failed.
    Fail,
    /// Ends now as passed.
    Pass,
    /// Ends now as canceled, where it runs.
    Cancel,
}

/// Changes how a pipeline goes on. False when there is no such pipeline.
pub(crate) fn tell(world: &World, state: &mut State, project: u64, id: u64, told: Told) -> bool {
    let total = world.switches.value(state, "pace.pipeline") as i64;
    let Some(pipeline) = state.projects.get_mut(&project).and_then(|found| found.pipelines.get_mut(&id)) else {
        return false;
    };
    let now = now();
    let ended = now >= pipeline.finished;
    let mut end = |verdict| {
        pipeline.created = pipeline.created.min(now);
        pipeline.running = pipeline.running.min(now);
        (pipeline.finished, pipeline.verdict) = (now, verdict);
    };
    match told {
        Told::Retry => {
            (pipeline.running, pipeline.finished) = (now + (total / 4).min(1500), now + total);
            pipeline.verdict = Verdict::Success;
        }
        Told::Fail => end(Verdict::Failed),
        Told::Pass => end(Verdict::Success),
        Told::Cancel if !ended => end(Verdict::Canceled),
        Told::Cancel => {}
    }
    state.count(match told {
        Told::Retry => "pipelines retried",
        Told::Fail => "pipelines failed by hand",
        Told::Pass => "pipelines passed by hand",
        Told::Cancel => "pipelines canceled",
    });
    true
}
