//! From what a stage says to what is written: the table decides where a move leads, and nothing else does.

use crate::{
    flow::{Event, Outlook, Step, table},
    settings::Settings,
    stages::Advance,
    store::{
        moves::Transition,
        operation::{LastError, Millis, Operation},
    },
    words::Sentence,
};

/// The transition of a stage's move, or the table's refusal.
pub fn transition(
    operation: &Operation,
    advance: Advance,
    settings: &Settings,
    at: Millis,
) -> Result<Transition, table::Illegal> {
    let has_mr = advance.facts.mr.is_some();
    let to = table::next(Some(operation.step), advance.event, operation.flow_order, has_mr)?;
    let error = advance.error.map(|(class, message)| LastError { class: class.word().into(), message, at });
    let mut facts = advance.facts;
    if advance.event != Event::WaitExhausted {
        // What the last look showed belongs to the step that is left; only an unknown result is explained by it.
        facts.seen = None;
    }
    let text = text_of(operation, &facts, error.as_ref().map(|error| &error.message));
    Ok(Transition {
        operation_id: operation.operation_id.clone(),
        version: operation.version,
        from: operation.step,
        from_status: operation.status,
        to,
        event: advance.event.word().into(),
        actor: advance.actor,
        reason: advance.reason,
        evidence: advance.evidence,
        at,
        entered_at: operation.entered_at,
        due_at: first_look(to, &facts, settings, at),
        facts,
        error,
        wish: None,
        fulfils: None,
        releases: true,
        new_version: true,
        new_attempt: false,
        verdicts: advance.verdicts,
        compensation: advance.compensation,
        text,
    })
}

/// When a step is looked at first. Running steps and ladders at once; a ticket when its poll comes; ends and failures never.
#[must_use]
pub fn first_look(to: Step, facts: &crate::store::operation::Facts, settings: &Settings, at: Millis) -> Option<Millis> {
    match (to, to.outlook()) {
        (_, Outlook::Running) => Some(at),
        (Step::ApprovalWaiting, _) => {
            let open = facts.ticket.as_ref().and_then(|ticket| ticket.state.as_deref()) == Some("pending");
            let poll = settings.approval.poll;
            let long = settings.gitlab.wait.ladder(&crate::settings::LadderPart::default()).long;
            let after = match (open, poll.is_off(), facts.mr.is_some()) {
                (false, ..) => return Some(at),
                (true, true, false) => return None,
                (true, true, true) => long.get(),
                (true, false, false) => poll.get(),
                (true, false, true) => poll.get().min(long.get()),
            };
            Some(at + millis(after))
        }
        (Step::HandleMerged, _) => None,
        (_, Outlook::Waiting) => Some(at),
        _ => None,
    }
}

/// A duration in whole milliseconds.
#[must_use]
pub fn millis(time: std::time::Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

/// The text a request is found by, where this move changes it.
fn text_of(operation: &Operation, facts: &crate::store::operation::Facts, error: Option<&Sentence>) -> Option<String> {
    let mr = |facts: &crate::store::operation::Facts| facts.mr.as_ref().map(|mr| mr.iid);
    let ticket = |facts: &crate::store::operation::Facts| facts.ticket.as_ref().map(|ticket| ticket.id.clone());
    if error.is_none() && mr(facts) == mr(&operation.facts) && ticket(facts) == ticket(&operation.facts) {
        return None;
    }
    let mut text = format!(
        "{} {} {} {} {}",
        operation.operation_id, operation.kind, operation.subject_id, operation.target_key, operation.fields
    );
    if let Some(iid) = mr(facts) {
        text.push_str(&format!(" !{iid} {}", facts.title));
    }
    if let Some(ticket) = ticket(facts) {
        text.push_str(&format!(" {ticket}"));
    }
    if let Some(error) = error {
        text.push_str(&format!(" {}", error.render(crate::words::Lang::En)));
    }
    Some(text)
}
