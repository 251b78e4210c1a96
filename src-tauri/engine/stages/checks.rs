//! Waiting for the pipeline of the head: 10005 after the merge request was opened, 10108 after a rebase.

use crate::{
    documents::kinds::Checks,
    flow::{Actor, ActorKind, Event, Step},
    ports::{
        error::{ErrorClass, RemoteResult},
        forge::{Pipeline, PipelineVerdict},
    },
    say,
    store::operation::{Facts, Operation, PipelineFacts},
    words::short,
};

use super::{
    Advance, Bench, Outcome,
    outcome::told,
    remote::{self, Reading, project_of},
};

/// One look.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    match look(bench, operation, &mut facts).await {
        Ok(outcome) => outcome,
        Err(error) => {
            // The checks themselves said nothing: even a refused credential is no result of a pipeline.
            let mut passing = error.clone();
            if !error.class.passes() && error.class != ErrorClass::Superseded {
                passing.class = ErrorClass::Retryable;
            }
            let told = told(&error);
            match Outcome::stumble(operation, &bench.pipeline_ladder(), facts, &passing, exhausted) {
                Outcome::Pause(mut pause) => {
                    pause.error = Some((error.class, told.clone()));
                    pause.facts.seen = Some(told);
                    Outcome::Pause(pause)
                }
                other => other,
            }
        }
    }
}

async fn look(bench: &Bench<'_>, operation: &Operation, facts: &mut Facts) -> RemoteResult<Outcome> {
    let ladder = bench.pipeline_ladder();
    let mr = match remote::read(bench, operation, facts).await? {
        Reading::Ended(outcome) => return Ok(outcome),
        Reading::Ours(mr) => mr,
        Reading::Locked(_) | Reading::Absent => {
            return Ok(Outcome::look_again(operation, &ladder, facts.clone(), exhausted));
        }
    };
    let Some(head) = mr.head_sha.clone() else {
        return Ok(Outcome::look_again(operation, &ladder, facts.clone(), exhausted));
    };
    let pipelines = bench.forge.pipelines(&bench.scope, &project_of(facts), mr.iid).await?;
    let Some(pipeline) = deciding(bench, facts, &head, pipelines).await? else {
        facts.pipeline = None;
        facts.seen = Some(say!("checks.none", sha = short(&head)));
        let optional = bench.kind.as_ref().is_some_and(|kind| kind.checks == Checks::Optional);
        return Ok(Outcome::look_again(operation, &ladder, facts.clone(), |facts| {
            if optional { passed_without(facts) } else { exhausted(facts) }
        }));
    };
    facts.pipeline =
        Some(PipelineFacts { id: pipeline.id, status: pipeline.status.clone(), web_url: pipeline.web_url.clone() });
    let sha = short(&head).to_owned();
    let gitlab = Actor::new(ActorKind::Gitlab, format!("pipeline {}", pipeline.id));
    Ok(match pipeline.verdict {
        PipelineVerdict::Passed => Advance::with(Event::PipelinePassed, gitlab, facts.clone())
            .because(say!("checks.passed", pipeline = pipeline.id, sha = sha))
            .into(),
        PipelineVerdict::Failed => Advance::with(Event::PipelineFailed, gitlab, facts.clone())
            .failing(
                ErrorClass::Terminal,
                say!(
                    "checks.failed",
                    pipeline = pipeline.id,
                    sha = sha,
                    status = pipeline.status,
                    url = pipeline.web_url
                ),
            )
            .into(),
        PipelineVerdict::Neither => {
            facts.seen = Some(say!("checks.neither", pipeline = pipeline.id, sha = sha, status = pipeline.status));
            Outcome::look_again(operation, &ladder, facts.clone(), exhausted)
        }
        PipelineVerdict::Running => {
            facts.seen = Some(say!("checks.running", pipeline = pipeline.id, sha = sha, status = pipeline.status));
            Outcome::look_again(operation, &ladder, facts.clone(), exhausted)
        }
    })
}

/// The newest merge-request pipeline of the head decides, else the newest of that sha. A merged-results pipeline runs on a
/// temporary merge commit: it counts when our head is one of its parents.
async fn deciding(
    bench: &Bench<'_>,
    facts: &Facts,
    head: &str,
    pipelines: Vec<Pipeline>,
) -> RemoteResult<Option<Pipeline>> {
    let mut newest: Option<Pipeline> = None;
    for pipeline in pipelines {
        if newest.as_ref().is_some_and(|held| rank(held) >= rank(&pipeline)) {
            continue;
        }
        if pipeline.sha == head || merges_head(bench, facts, head, &pipeline).await? {
            newest = Some(pipeline);
        }
    }
    Ok(newest)
}

fn rank(pipeline: &Pipeline) -> (bool, u64) {
    (pipeline.of_merge_request, pipeline.id)
}

async fn merges_head(bench: &Bench<'_>, facts: &Facts, head: &str, pipeline: &Pipeline) -> RemoteResult<bool> {
    if !(pipeline.of_merge_request && pipeline.r#ref.ends_with("/merge")) {
        return Ok(false);
    }
    let commit = bench.forge.commit(&bench.scope, &project_of(facts), &pipeline.sha).await?;
    Ok(commit.is_some_and(|commit| commit.parents.iter().any(|parent| parent == head)))
}

fn exhausted(facts: Facts) -> Advance {
    let seen = facts.seen.clone();
    let advance = Advance::with(Event::WaitExhausted, Actor::system(), facts);
    match seen {
        Some(seen) => advance.because(seen),
        None => advance.because(say!("checks.unknown")),
    }
}

fn passed_without(facts: Facts) -> Advance {
    Advance::with(Event::PipelinePassed, Actor::system(), facts).because(say!("checks.optional"))
}

/// The steps in which this stage waits; the reconcile action looks in their unknown twins as well.
#[must_use]
pub fn waits_in(step: Step) -> bool {
    matches!(
        step,
        Step::CreatePipelineRunning
            | Step::CreatePipelinePending
            | Step::HandlePipelineRunning
            | Step::HandlePipelinePending
    )
}
