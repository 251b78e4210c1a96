//! Codes, names, statuses and outlooks.

use signalbox_engine::flow::{Event, Outlook, Status, Step};

use crate::specification::{STATUSES, STEPS};

#[test]
fn steps_are_those_of_the_specification() {
    let ours: Vec<String> = Step::ALL
        .iter()
        .map(|step| {
            let status = step.status().map_or("keeps", Status::word);
            format!("{} {} {status} {}", step.code(), step.name(), step.outlook().word())
        })
        .collect();
    let theirs: Vec<&str> = STEPS.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(ours, theirs);
}

#[test]
fn codes_and_words_are_read_back() {
    for step in Step::ALL {
        assert_eq!(Step::from_code(step.code().into()), Some(*step));
    }
    for status in Status::ALL {
        assert_eq!(Status::from_word(status.word()), Some(*status));
    }
    assert_eq!(Step::from_code(10000), None);
    assert_eq!(Status::from_word("DONE"), None);
}

#[test]
fn outward_statuses_are_those_of_the_specification() {
    let ours: Vec<_> = Status::ALL.iter().map(|status| status.word()).collect();
    assert_eq!(ours, STATUSES.split_whitespace().collect::<Vec<_>>());
    for status in Status::ALL {
        assert!(Step::ALL.iter().any(|step| step.status() == Some(*status)), "no step brings {}", status.word());
    }
}

#[test]
fn a_relation_may_be_applied_for_again_after_an_end_only() {
    let again = |repeatable| -> Vec<_> {
        Status::ALL.iter().filter(|status| status.reappliable(repeatable)).map(|status| status.word()).collect()
    };
    assert_eq!(again(false), ["REJECTED", "CLOSED"]);
    assert_eq!(again(true), ["VALIDATED", "REJECTED", "CLOSED"]);
    assert_eq!(Status::REAPPLIABLE, [Status::Rejected, Status::Closed]);
    assert_eq!(Status::AWAITING_APPROVAL, [Status::ApprovalSending, Status::ApprovalSent]);
}

#[test]
fn the_four_ends_are_the_done_ones() {
    let ends: Vec<_> = Step::ALL.iter().filter(|step| step.is_terminal()).map(|step| step.code()).collect();
    assert_eq!(ends, [10202, 10301, 10404, 10405]);
    for step in Step::ALL {
        assert_eq!(step.is_terminal(), step.outlook() == Outlook::Done);
    }
}

#[test]
fn running_and_ladders_count_against_the_limit_and_people_do_not() {
    let active: Vec<_> = Step::ALL.iter().filter(|step| step.is_active()).map(|step| step.code()).collect();
    assert_eq!(active, [10001, 10002, 10005, 10101, 10102, 10107, 10108, 10201, 10401]);
}

#[test]
fn stages_are_the_first_three_digits() {
    for step in Step::ALL {
        assert_eq!(step.stage().0, step.code() / 100);
        assert_ne!(step.stage().name(), "");
    }
}

#[test]
fn no_event_word_is_used_twice() {
    let mut words: Vec<_> = Event::ALL.iter().map(|event| event.word()).collect();
    let all = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), all);
}
