//! The tables of the specification as text, so that a changed row of the program meets a second writing of it.

use std::collections::BTreeSet;

/// Section 2: code, name, outward status, outlook.
pub(crate) const STEPS: &str = "
10001 CREATE_STARTED MR_CREATING running
10002 CREATE_SUCCEEDED MR_CREATED running
10003 CREATE_FAILED CREATE_FAILED failed
10004 CREATE_PIPELINE_FAILED CREATE_FAILED failed
10005 CREATE_PIPELINE_RUNNING MR_CREATING waiting
10006 CREATE_OVERLOADED CREATE_FAILED failed
10007 CREATE_CONFLICT CREATE_FAILED failed
10101 HANDLE_STARTED MERGING running
10102 HANDLE_APPROVED MERGING running
10103 HANDLE_APPROVE_FAILED HANDLE_FAILED failed
10104 HANDLE_MERGE_FAILED HANDLE_FAILED failed
10105 HANDLE_REBASE_CONFLICT HANDLE_FAILED failed
10106 HANDLE_PIPELINE_FAILED HANDLE_FAILED failed
10107 HANDLE_REBASING MERGING waiting
10108 HANDLE_PIPELINE_RUNNING MERGING waiting
10109 HANDLE_MERGED MERGED waiting
10110 HANDLE_HEAD_MOVED HANDLE_FAILED failed
10111 HANDLE_MR_CLOSED HANDLE_FAILED failed
10201 CLOSE_STARTED keeps running
10202 CLOSE_SUCCEEDED CLOSED done
10203 CLOSE_FAILED HANDLE_FAILED failed
10301 CALLED_BACK VALIDATED done
10302 DEPLOY_FAILED MERGED failed
10401 APPROVAL_SENDING APPROVAL_SENDING running
10402 APPROVAL_WAITING APPROVAL_SENT waiting
10403 APPROVAL_SEND_FAILED CREATE_FAILED failed
10404 APPROVAL_REJECTED REJECTED done
10405 APPROVAL_WITHDRAWN REJECTED done
10501 HANDLE_PIPELINE_PENDING MERGING unknown
10502 CREATE_PIPELINE_PENDING MR_CREATING unknown
10503 HANDLE_REBASE_PENDING MERGING unknown
10504 HANDLE_MERGE_PENDING MERGING unknown
";

/// Section 3, in its order.
pub(crate) const STATUSES: &str = "APPROVAL_SENDING APPROVAL_SENT MR_CREATING MR_CREATED MERGING MERGED VALIDATED \
    CREATE_FAILED HANDLE_FAILED REJECTED CLOSED";

/// Section 4: from | events | to | guard. OPEN and UNMERGED are the two sets below.
const MOVES: &str = "
new | submit | 10401 | approval-first
new | submit | 10001 | mr-first
new | submit_overloaded | 10006 |
10006 | resume | 10401 | approval-first
10006 | resume | 10001 | mr-first
10401 | approval_sent | 10402 |
10401 | approval_send_failed | 10403 |
10403 | resume retry_approval | 10401 |
10401 10402 | approval_granted | 10001 | no MR yet
10401 10402 | approval_granted | 10101 | has an MR
10402 | retry_approval | 10402 |
10401 10402 | approval_denied | 10404 |
10401 10402 | approval_withdrawn | 10405 |
10001 | mr_opened | 10005 |
10001 | create_failed | 10003 |
10001 | create_conflict | 10007 |
10003 10004 10007 | resume | 10001 |
10005 10502 | pipeline_passed | 10002 |
10005 10502 | pipeline_failed | 10004 |
10005 | wait_exhausted | 10502 |
10502 | resume | 10005 |
10002 | handle | 10101 | approval-first
10002 | send_approval | 10401 | mr-first
10101 | approved | 10102 |
10101 | approve_failed | 10103 |
10103 | resume retry_approval | 10101 |
10102 10504 | merged | 10109 |
10102 | needs_rebase | 10107 |
10102 | rebase_conflict | 10105 |
10102 | approval_lost | 10101 |
10102 10504 | merge_failed | 10104 |
10102 | wait_exhausted | 10504 |
10504 | resume | 10101 |
10107 10503 | rebased | 10108 |
10107 10503 | rebase_conflict | 10105 |
10107 | wait_exhausted | 10503 |
10503 | resume | 10107 |
10108 10501 | pipeline_passed | 10101 |
10108 10501 | pipeline_failed | 10106 |
10108 | wait_exhausted | 10501 |
10501 | resume | 10108 |
10104 10105 10106 10110 | resume | 10101 |
10111 | resume | 10001 |
OPEN 10111 10203 | remote_merged | 10109 |
OPEN | remote_closed | 10111 |
10002 10005 10101 10102 10107 10108 | head_moved | 10110 |
10402 | head_moved | 10110 | has an MR
10001 10002 | step_failed | 10003 |
10101 | step_failed | 10103 |
10102 | step_failed | 10104 |
10201 | step_failed | 10203 |
10401 | step_failed | 10403 |
10109 10302 | deployed reconciled | 10301 |
10109 | deploy_failed | 10302 |
UNMERGED | close | 10201 |
10201 | closed | 10202 |
10201 | close_failed | 10203 |
10201 | remote_merged | 10109 |
10203 | resume | 10201 |
";

/// Steps that may have an open merge request, before it is merged and before closing began.
const OPEN: &[u16] = &[
    10001, 10002, 10003, 10004, 10005, 10007, 10101, 10102, 10103, 10104, 10105, 10106, 10107, 10108, 10110, 10401,
    10402, 10403, 10501, 10502, 10503, 10504,
];

/// Steps that are neither done nor merged, and are not closing already.
const UNMERGED: &[u16] = &[
    10001, 10002, 10003, 10004, 10005, 10006, 10007, 10101, 10102, 10103, 10104, 10105, 10106, 10107, 10108, 10110,
    10111, 10203, 10401, 10402, 10403, 10501, 10502, 10503, 10504,
];

/// A row for one step and one event: from (None for a new request), event, to, guard in words.
pub(crate) type SpecMove = (Option<u16>, String, u16, String);

/// Section 4, spread out.
pub(crate) fn moves() -> BTreeSet<SpecMove> {
    let mut moves = BTreeSet::new();
    for line in MOVES.lines().filter(|line| !line.is_empty()) {
        let [from, events, to, guard] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("four columns in {line:?}");
        };
        for from in from.split(' ').flat_map(origins) {
            for event in events.split(' ') {
                let new = moves.insert((from, event.to_owned(), to.parse().expect("a code"), guard.to_owned()));
                assert!(new, "the text of the specification lists {line:?} twice");
            }
        }
    }
    moves
}

fn origins(word: &str) -> Vec<Option<u16>> {
    match word {
        "new" => vec![None],
        "OPEN" => OPEN.iter().copied().map(Some).collect(),
        "UNMERGED" => UNMERGED.iter().copied().map(Some).collect(),
        code => vec![Some(code.parse().expect("a code"))],
    }
}
