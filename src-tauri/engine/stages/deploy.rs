//! 10109: merged, waiting for the deploy pipeline. Callback and sweep end in the same moves, told apart by their evidence.

use crate::{
    flow::{Actor, ActorKind, Event, table},
    ports::error::{ErrorClass, RemoteResult},
    say,
    store::{
        inbox::EventRow,
        operation::{Facts, Operation},
    },
    words::{Sentence, short},
};

use super::{
    Advance, Bench, Outcome, Pause,
    outcome::{backoff, told},
    remote::project_of,
};

/// Looks at the deploy results that came in and are not applied yet. Without one there is nothing to look at: the sweep comes by.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    let mut facts = operation.facts.clone();
    let mut unsettled = Vec::new();
    for event in bench.parked.iter().filter(|event| event.source == "deploy") {
        match weigh(bench, operation, &facts, event).await {
            Ok(Some(advance)) => return advance.into(),
            Ok(None) => unsettled.push(event.id),
            Err(error) if error.class == ErrorClass::Superseded => return Outcome::Drop,
            Err(error) => {
                let message = told(&error);
                facts.stumbles += 1;
                facts.seen = Some(message.clone());
                let after = backoff(bench.ladder().short.get(), facts.stumbles).min(bench.ladder().long.get());
                return Pause { facts, after: Some(after), error: Some((error.class, message)), spends_look: true }
                    .into();
            }
        }
    }
    facts.stumbles = 0;
    Pause { facts, after: None, error: None, spends_look: true }.into()
}

/// The move that an event brings, or None where it changes nothing.
async fn weigh(
    bench: &Bench<'_>,
    operation: &Operation,
    facts: &Facts,
    event: &EventRow,
) -> RemoteResult<Option<Advance>> {
    let sha = event.body.pointer("/data/sha").and_then(|sha| sha.as_str());
    let holds_our_merge = match (sha, &facts.merged_sha) {
        (Some(sha), Some(merged)) if sha != merged => {
            bench.forge.contains(&bench.scope, &project_of(facts), sha, merged).await?.unwrap_or(false)
        }
        _ => true,
    };
    if !holds_our_merge {
        return Ok(None);
    }
    let effective = event.says == "effective";
    let word = if effective { Event::Deployed } else { Event::DeployFailed };
    if !table::lists(operation.step, word) {
        return Ok(None);
    }
    let iid = facts.mr.as_ref().map_or(0, |mr| mr.iid);
    let advance = Advance::with(word, Actor::new(ActorKind::Deploy, "deploy"), facts.clone());
    let mut advance = if effective {
        let sha = facts.merged_sha.as_deref().map(short).unwrap_or_default().to_owned();
        Advance { evidence: Some("exact"), ..advance.because(say!("deploy.exact", iid = iid, sha = sha)) }
    } else {
        let why = event.body.pointer("/data/reason").and_then(|why| why.as_str()).unwrap_or("-").to_owned();
        advance.failing(ErrorClass::Terminal, say!("deploy.failed", iid = iid, why = why))
    };
    advance.verdicts = verdicts(bench, event.id);
    Ok(Some(advance))
}

fn verdicts(bench: &Bench<'_>, applied: i64) -> Vec<(i64, &'static str, Sentence)> {
    bench
        .parked
        .iter()
        .filter(|event| event.source == "deploy" && event.id <= applied)
        .map(|event| {
            if event.id == applied {
                (event.id, "applied", say!("event.deploy_applied"))
            } else {
                (event.id, "ignored_stale", say!("event.other_sha"))
            }
        })
        .collect()
}

/// The move of the sweep: a later merge request of the project is effective, so this one is.
#[must_use]
pub fn by_watermark(operation: &Operation, highest: u64) -> Advance {
    let iid = operation.facts.mr.as_ref().map_or(0, |mr| mr.iid);
    let advance = Advance::new(Event::Reconciled, Actor::new(ActorKind::Sweep, "sweep"), operation).because(say!(
        "deploy.watermark",
        iid = iid,
        highest = highest
    ));
    Advance { evidence: Some("watermark"), ..advance }
}
