//! What must hold of the graph as a whole: no dead end, no step out of reach, no wait without a limit.

use std::collections::BTreeSet;

use signalbox_engine::{
    flow::{Cause, Event, Outlook, Step, table},
    settings::FlowOrder,
};

const ORDERS: [FlowOrder; 2] = [FlowOrder::ApprovalFirst, FlowOrder::MrFirst];

fn targets(from: Option<Step>, order: FlowOrder) -> BTreeSet<Step> {
    table::moves()
        .filter(|row| row.from == from && (row.guard.holds(order, false) || row.guard.holds(order, true)))
        .map(|row| row.to)
        .collect()
}

fn reachable(first: impl IntoIterator<Item = Step>, order: FlowOrder) -> BTreeSet<Step> {
    let mut seen: BTreeSet<Step> = first.into_iter().collect();
    let mut next: Vec<Step> = seen.iter().copied().collect();
    while let Some(step) = next.pop() {
        next.extend(targets(Some(step), order).into_iter().filter(|to| seen.insert(*to)));
    }
    seen
}

#[test]
fn every_step_is_reached_from_the_start_in_either_order() {
    for order in ORDERS {
        let seen = reachable(targets(None, order), order);
        let missed: Vec<_> = Step::ALL.iter().filter(|step| !seen.contains(step)).collect();
        assert!(missed.is_empty(), "{order:?} never comes to {missed:?}");
    }
}

#[test]
fn only_the_ends_are_dead_ends() {
    for order in ORDERS {
        for step in Step::ALL {
            let onward = targets(Some(*step), order).into_iter().any(|to| to != *step);
            assert_eq!(onward, !step.is_terminal(), "{step}");
        }
    }
}

#[test]
fn every_step_can_come_to_an_end() {
    for order in ORDERS {
        for step in Step::ALL {
            assert!(reachable([*step], order).iter().any(|step| step.is_terminal()), "{step} never ends");
        }
    }
}

#[test]
fn every_wait_has_a_limit_or_somebody_else_ends_it() {
    for step in Step::ALL.iter().filter(|step| step.outlook() == Outlook::Waiting) {
        let by_event_alone = [Step::ApprovalWaiting, Step::HandleMerged].contains(step);
        assert_eq!(table::lists(*step, Event::WaitExhausted), !by_event_alone, "{step}");
    }
    for step in Step::ON_A_LADDER {
        assert!(table::lists(*step, Event::WaitExhausted), "{step}");
    }
    for row in table::moves().filter(|row| row.event == Event::WaitExhausted) {
        assert_eq!(row.to.outlook(), Outlook::Unknown, "{} is unknown, never a failure", row.to);
    }
}

#[test]
fn an_unknown_result_may_still_come_and_may_be_waited_for_again() {
    for step in Step::ALL.iter().filter(|step| step.outlook() == Outlook::Unknown) {
        assert!(table::lists(*step, Event::Resume), "{step}");
        let by_news = table::moves().any(|row| row.from == Some(*step) && row.by != Cause::Operator);
        assert!(by_news, "{step} takes no late result");
    }
}

#[test]
fn every_running_step_declares_where_the_unforeseen_leads() {
    for step in Step::ALL {
        let failed = table::failed_step_of(*step);
        assert_eq!(failed.is_some(), step.outlook() == Outlook::Running, "{step}");
        if let Some(failed) = failed {
            assert_eq!(failed.outlook(), Outlook::Failed, "{step}");
        }
    }
}

#[test]
fn every_failure_can_be_taken_up_by_a_person() {
    for step in Step::ALL.iter().filter(|step| step.outlook() == Outlook::Failed && !step.is_merged()) {
        assert!(table::lists(*step, Event::Resume), "{step}");
        assert!(table::lists(*step, Event::Close), "{step}");
    }
}

#[test]
fn what_is_merged_stays_merged() {
    for row in table::moves().filter(|row| row.from.is_some_and(Step::is_merged)) {
        assert!(row.to.is_merged(), "{row:?}");
    }
}

#[test]
fn only_a_person_may_set_going_what_has_failed() {
    for row in table::moves().filter(|row| row.from.is_some_and(|from| from.outlook() == Outlook::Failed)) {
        let active = row.to.is_active();
        assert!(!active || row.by == Cause::Operator, "{row:?}");
    }
}
