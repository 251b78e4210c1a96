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
    words::{Sentence, short},
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
    let gitlab = Actor::new(ActorKind::Gitlab, "gitlab");
    Ok(match verdict(bench, facts, mr.iid, &head).await? {
        Verdict::Passed(reason) => {
            facts.checked = Some(head);
            Advance::with(Event::PipelinePassed, gitlab, facts.clone()).because(reason).into()
        }
        Verdict::Failed(reason) => {
            Advance::with(Event::PipelineFailed, gitlab, facts.clone()).failing(ErrorClass::Terminal, reason).into()
        }
        Verdict::Waiting => Outcome::look_again(operation, &ladder, facts.clone(), exhausted),
        Verdict::None if is_optional(bench) => {
            Outcome::look_again(operation, &ladder, facts.clone(), |facts| passed_without(facts, head))
        }
        Verdict::None => Outcome::look_again(operation, &ladder, facts.clone(), exhausted),
    })
}

/// True for a kind that goes on where no pipeline comes.
#[must_use]
pub fn is_optional(bench: &Bench<'_>) -> bool {
    bench.kind.as_ref().is_some_and(|kind| kind.checks == Checks::Optional)
}

/// What the checks of a head say.
pub enum Verdict {
    /// Passed, in words.
    Passed(Sentence),
    /// Failed, in words.
    Failed(Sentence),
    /// Neither yet; `facts.seen` says what was seen.
    Waiting,
    /// No pipeline of this head.
    None,
}

/// Reads the pipelines of a merge request and says what they mean for its head.
pub async fn verdict(bench: &Bench<'_>, facts: &mut Facts, iid: u64, head: &str) -> RemoteResult<Verdict> {
    let sha = short(head).to_owned();
    let pipelines = bench.forge.pipelines(&bench.scope, &project_of(facts), iid).await?;
    let Some(pipeline) = deciding(bench, facts, head, pipelines).await? else {
        facts.pipeline = None;
        facts.seen = Some(say!("checks.none", sha = sha));
        return Ok(Verdict::None);
    };
    let (id, status) = (pipeline.id, pipeline.status.clone());
    facts.pipeline = Some(PipelineFacts { id, status: status.clone(), web_url: pipeline.web_url });
    Ok(match pipeline.verdict {
        PipelineVerdict::Passed => Verdict::Passed(say!("checks.passed", pipeline = id, sha = sha)),
        PipelineVerdict::Failed => Verdict::Failed(say!("checks.failed", pipeline = id, sha = sha, status = status)),
        PipelineVerdict::Neither => {
            facts.seen = Some(say!("checks.neither", pipeline = id, sha = sha, status = status));
            Verdict::Waiting
        }
        PipelineVerdict::Running => {
            facts.seen = Some(say!("checks.running", pipeline = id, sha = sha, status = status));
            Verdict::Waiting
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
    Advance::exhausted(facts, say!("checks.unknown"))
}

fn passed_without(mut facts: Facts, head: String) -> Advance {
    facts.checked = Some(head);
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
