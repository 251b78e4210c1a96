//! The one list of behaviours that every forge must show. Each forge runs all of it.

#[path = "approving.rs"]
pub mod approving;
#[path = "merging.rs"]
pub mod merging;
#[path = "opening.rs"]
pub mod opening;
#[path = "reading.rs"]
pub mod reading;
#[path = "rebasing.rs"]
pub mod rebasing;
#[path = "writing.rs"]
pub mod writing;

/// Hands the list to a macro: `module::behaviour`, separated by commas.
macro_rules! each_behaviour {
    ($run:ident) => {
        $run! {
            reading::a_project_is_the_same_by_path_and_by_number,
            reading::each_credential_names_its_own_account,
            reading::things_that_are_not_there_are_none,
            reading::a_file_names_the_commits_behind_it,
            reading::histories_are_told_oldest_first,
            writing::one_commit_creates_updates_and_deletes,
            writing::bytes_are_read_back_as_they_were_written,
            writing::special_characters_in_branch_and_path,
            writing::a_branch_that_is_there_is_told_and_left_alone,
            writing::a_commit_is_made_whole_or_not_at_all,
            writing::a_file_that_changed_since_it_was_read_is_not_overwritten,
            opening::a_merge_request_is_found_by_its_branch,
            opening::all_merge_requests_of_a_branch_are_found_newest_first,
            opening::a_second_open_merge_request_is_told,
            opening::a_branch_that_is_not_there_opens_nothing,
            opening::a_merge_request_becomes_mergeable,
            opening::closing_is_done_once_and_stays,
            approving::two_accounts_approve_each_for_itself,
            approving::a_repeated_approval_adds_nothing,
            approving::an_approval_of_another_head_is_refused,
            merging::a_merge_leaves_its_commit_on_the_target,
            merging::a_second_merge_changes_nothing,
            merging::a_merge_of_another_head_is_refused,
            merging::a_squashed_merge_tells_what_is_on_the_target,
            rebasing::a_rebase_brings_the_head_onto_the_target,
            rebasing::a_rebase_without_need_leaves_the_head,
            rebasing::a_rebase_into_a_conflict_says_so_and_leaves_the_head,
        }
    };
}
pub(crate) use each_behaviour;
