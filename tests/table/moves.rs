//! Every row, both ways.

use std::collections::BTreeSet;

use signalbox_engine::{
    flow::{Event, Step, table},
    settings::FlowOrder,
};

use crate::specification;

const ORDERS: [FlowOrder; 2] = [FlowOrder::ApprovalFirst, FlowOrder::MrFirst];

#[test]
fn the_table_is_the_specification() {
    let ours: BTreeSet<_> = table::moves()
        .map(|row| (row.from.map(Step::code), row.event.word().to_owned(), row.to.code(), row.guard.word().to_owned()))
        .collect();
    let theirs = specification::moves();
    let missing: Vec<_> = theirs.difference(&ours).collect();
    let extra: Vec<_> = ours.difference(&theirs).collect();
    assert!(missing.is_empty(), "in the specification and not in the table: {missing:#?}");
    assert!(extra.is_empty(), "in the table and not in the specification: {extra:#?}");
    assert_eq!(table::moves().count(), theirs.len(), "a row stands in the table twice");
}

#[test]
fn every_step_answers_every_event_once_or_refuses_it() {
    let steps = || std::iter::once(None).chain(Step::ALL.iter().copied().map(Some));
    for order in ORDERS {
        for has_mr in [false, true] {
            for from in steps() {
                for event in Event::ALL {
                    let rows: Vec<_> = table::moves()
                        .filter(|row| row.from == from && row.event == *event && row.guard.holds(order, has_mr))
                        .map(|row| row.to)
                        .collect();
                    let answer = table::next(from, *event, order, has_mr);
                    match rows[..] {
                        [] => {
                            let refusal = answer.expect_err("no row lists it").to_string();
                            assert!(refusal.contains(event.word()), "{refusal}");
                            let place = from.map_or_else(|| "the start".into(), |step| step.to_string());
                            assert!(refusal.contains(&place), "{refusal}");
                        }
                        [to] => assert_eq!(answer, Ok(to)),
                        _ => panic!("{from:?} answers {event:?} in {} ways at {order:?}, MR {has_mr}", rows.len()),
                    }
                }
            }
        }
    }
}

#[test]
fn every_event_is_used() {
    for event in Event::ALL {
        assert!(table::moves().any(|row| row.event == *event), "no row for {}", event.word());
    }
}

#[test]
fn a_refusal_reads_as_a_sentence() {
    let refusal = table::next(Some(Step::CalledBack), Event::Merged, FlowOrder::MrFirst, true);
    assert_eq!(
        refusal.expect_err("not in the table").to_string(),
        "`merged` is not a legal move from 10301 CALLED_BACK; nothing was changed"
    );
}
