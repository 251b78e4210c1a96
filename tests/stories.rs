//! Whole stories on virtual time. Together they walk every move of the table.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

mod support;

use signalbox_engine::flow::table;

/// The stories by chapter: each is a test of its own, and the coverage of the table is counted on all of them.
macro_rules! chapters {
    ($($chapter:ident $path:literal { $($story:ident)+ })+) => {
        $(#[path = $path] mod $chapter;)+
        mod told {
            $(mod $chapter { $(#[test] fn $story() { crate::$chapter::$story(); })+ })+
        }
        const STORIES: &[fn()] = &[$($($chapter::$story),+),+];
    };
}

chapters! {
    ends "stories/ends.rs" {
        an_approval_first_request_goes_all_the_way
        an_mr_first_request_goes_all_the_way
        both_orders_are_in_flight_at_once
        a_request_that_meets_a_moving_target_is_rebased_and_merged
        merged_results_and_push_pipelines_count_for_the_head_they_merge
        a_kind_without_checks_passes_when_the_ladder_ends
        a_stop_waits_for_no_sweep_that_gets_no_answer
    }
    approval "stories/approval.rs" {
        a_denial_ends_it_and_says_why
        a_withdrawal_is_not_a_denial
        a_look_before_our_own_note_finds_the_decision
        a_denial_with_an_open_mr_closes_it_afterwards
        a_bug_in_what_follows_a_denial_is_that_record_s_alone
        a_ticket_that_cannot_be_sent_is_sent_again_by_a_person
        an_approval_without_a_callback_is_found_by_the_poll
        an_approval_that_comes_before_our_own_note_is_taken
        a_decision_that_comes_while_the_ticket_is_read_is_not_lost
        a_decision_nobody_waits_for_any_more_is_told_so
        a_decision_word_nobody_knows_approves_nothing
        an_overloaded_engine_keeps_the_request_and_takes_it_up_later
    }
    create "stories/create.rs" {
        what_hinders_the_merge_request_is_told_and_cured_by_resume
        values_changed_meanwhile_are_a_conflict
        an_edit_elsewhere_in_the_file_is_none
        a_foreign_branch_with_our_name_is_not_written_to
        a_bug_in_a_stage_fails_this_request_only
        fields_are_edited_only_where_nothing_of_them_has_left
        a_target_that_could_not_be_read_is_told_beside_the_comment
        a_refusal_is_told_in_the_language_of_whoever_asked
    }
    checks "stories/checks.rs" {
        a_failed_pipeline_fails_and_resumes_on_the_same_mr
        an_endless_pipeline_becomes_unknown_and_may_still_pass
        an_endless_pipeline_becomes_unknown_and_may_still_fail
        the_checks_after_a_rebase_have_the_same_ways_out
        a_hook_after_the_ladder_has_ended_brings_one_more_look
        a_hook_about_a_request_that_nobody_looks_at_is_told_so
    }
    robots "stories/robots.rs" {
        a_refused_approval_is_named_and_tried_again_on_demand
        an_approval_that_is_taken_away_is_given_again_once
        an_approval_whose_answer_was_lost_is_found_by_the_last_read
    }
    merge "stories/merge.rs" {
        a_refused_merge_fails_and_resumes
        a_merge_that_is_confirmed_and_not_done_is_asked_for_again
        a_locked_merge_is_waited_for
        a_test_for_conflicts_is_waited_for_and_not_slept_through
        mergeability_that_never_comes_becomes_unknown
        an_unknown_merge_is_found_by_reconcile
        too_many_rebases_end_in_a_failure
        a_rebase_that_conflicts_is_told
        an_unknown_rebase_may_still_end_either_way
    }
    people "stories/people.rs" {
        a_merge_by_hand_is_noticed_at_every_step
        a_close_by_hand_is_noticed_at_every_step
        a_commit_by_hand_is_noticed_before_anything_is_merged
        a_retargeted_merge_request_is_noticed
        a_closed_merge_request_is_replaced_after_a_person_says_so
        what_people_ended_comes_before_a_merge_request_that_came_late
        a_merge_request_that_was_opened_again_is_given_up_no_longer
    }
    close "stories/close.rs" {
        every_step_that_may_be_closed_closes
        a_close_that_fails_is_tried_again
        a_close_gives_way_to_a_merge
        a_close_pressed_while_a_merge_is_out_gives_way_if_it_was_the_merge
        a_merge_request_that_opens_while_close_is_pressed_is_closed_too
        a_merge_request_that_is_not_shown_for_a_while_is_closed_when_it_is
        a_merge_request_that_was_deleted_keeps_nobody_from_closing
    }
    deploy "stories/deploy.rs" {
        a_failed_deploy_is_told_and_a_later_one_heals_it
        the_sweep_takes_what_a_later_merge_request_proves
        a_deploy_that_failed_is_healed_by_a_look
        a_failed_and_a_good_deploy_at_once_end_well
        a_deploy_that_failed_twice_keeps_its_reason
        callback_and_sweep_at_once_flip_it_once
        a_deploy_result_before_the_merge_is_kept_until_it_is_merged
        a_bug_in_the_sweep_stops_no_other_request
        a_failed_deploy_of_a_commit_that_shows_late_is_not_lost
        a_deploy_of_a_project_that_was_renamed_since_counts
    }
    bugs "stories/bugs.rs" {
        a_bug_in_a_call_of_a_person_is_answered_and_the_next_call_works
    }
    time "stories/time.rs" {
        a_day_of_waiting_is_one_look_a_minute
        nine_hours_asleep_cost_one_look
        a_clock_that_is_set_back_delays_nothing_for_long
        a_clock_that_is_set_back_while_nothing_runs_delays_nothing_either
        a_clock_that_is_set_forward_loses_nothing
        a_hundred_that_are_overdue_are_each_looked_at_once
    }
    buttons "stories/buttons.rs" {
        two_people_with_the_same_version_cannot_both_win
        a_press_while_a_call_is_out_fences_the_worker
        reconcile_without_a_finding_changes_no_step_and_loses_no_look
        a_look_during_a_rebase_does_not_ask_for_another
        a_button_on_an_ended_request_does_nothing
        an_ended_request_hears_nothing_any_more
        one_request_that_cannot_be_read_stops_no_other
        one_merged_request_that_cannot_be_read_keeps_no_other_from_being_swept_or_listed
        a_press_during_a_look_on_demand_is_not_lost
        nobody_looks_twice_because_a_lease_ran_out_in_sleep
    }
    recovery "stories/recovery.rs" {
        one_broken_pipeline_with_many_victims_is_one_cause
        what_is_unknown_is_a_cause_of_its_own_and_the_rest_is_none
        a_person_grants_work_that_was_given_over_one_more_try_each_time
        work_is_given_up_only_with_a_reason_and_stays_so
        work_that_is_being_tried_is_left_alone
        work_that_was_being_tried_when_the_engine_died_is_due_at_the_next_start
    }
}

/// Moves that no story can walk, because nothing in the engine can bring them about; the table lists them as the safety net.
const UNREACHABLE: &[(i64, &str)] = &[
    // 10002 makes no remote call, so that nothing in it can go wrong.
    (10002, "step_failed"),
];

#[test]
fn every_move_of_the_table_is_walked() {
    for story in STORIES {
        story();
    }
    let walked = support::coverage::walked();
    let missing: Vec<_> = table::moves()
        .map(|row| (row.from.map(|step| i64::from(step.code())), row.event.word().to_owned(), i64::from(row.to.code())))
        .filter(|row| !walked.contains(row))
        .filter(|(from, event, _)| !UNREACHABLE.iter().any(|(step, word)| *from == Some(*step) && event == word))
        .collect();
    assert!(missing.is_empty(), "no story walks {missing:#?}");
}
