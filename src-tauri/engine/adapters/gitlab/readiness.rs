//! May it be merged? GitLab's words, and what they mean here (field guide 3.3).

use super::wire::WireMergeRequest;
use crate::ports::forge::Readiness;

/// The readiness of a merge request and the word behind it: `detailed_merge_status`, or `merge_status` on servers before 15.6.
pub(super) fn of(wire: &WireMergeRequest) -> (Readiness, String) {
    match (wire.detailed_merge_status.as_deref(), wire.merge_status.as_deref()) {
        (Some(word), _) => (detailed(word), word.to_owned()),
        (None, Some(word)) => (legacy(wire, word), word.to_owned()),
        (None, None) => (Readiness::Unknown(String::new()), String::new()),
    }
}

fn detailed(word: &str) -> Readiness {
    match word {
        "preparing" | "unchecked" | "checking" | "approvals_syncing" => Readiness::Checking,
        "mergeable" => Readiness::Mergeable,
        "need_rebase" => Readiness::NeedsRebase,
        "conflict" => Readiness::Conflict,
        "not_approved" => Readiness::NotApproved,
        "ci_still_running" => Readiness::CiRunning,
        "ci_must_pass" => Readiness::CiMustPass,
        "not_open" => Readiness::NotOpen,
        "draft_status"
        | "discussions_not_resolved"
        | "commits_status"
        | "broken_status"
        | "merge_request_blocked"
        | "blocked_status"
        | "merge_time"
        | "requested_changes"
        | "status_checks_must_pass"
        | "external_status_checks"
        | "jira_association_missing"
        | "locked_paths"
        | "locked_lfs_files"
        | "security_policy_violations"
        | "policies_denied"
        | "security_policy_pipeline_check" => Readiness::Blocked(word.to_owned()),
        other => Readiness::Unknown(other.to_owned()),
    }
}

/// The old word knows git conflicts only; the rest shows when the merge is tried.
fn legacy(wire: &WireMergeRequest, word: &str) -> Readiness {
    if matches!(wire.state.as_str(), "closed" | "merged") {
        return Readiness::NotOpen;
    }
    match word {
        "unchecked" | "checking" | "cannot_be_merged_recheck" | "cannot_be_merged_rechecking" | "preparing" => {
            Readiness::Checking
        }
        "can_be_merged" if wire.is_draft() => Readiness::Blocked("draft_status".into()),
        "can_be_merged" => Readiness::Mergeable,
        "cannot_be_merged" => Readiness::Conflict,
        other => Readiness::Unknown(other.to_owned()),
    }
}
