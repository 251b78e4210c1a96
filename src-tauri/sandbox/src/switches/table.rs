//! The table of switches. A sentence says what the switch will do, before it is used.

/// How a switch is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// The next n times; each use counts it down.
    Next,
    /// Milliseconds.
    Millis,
    /// A plain number.
    Number,
    OnOff,
    Choice(&'static [&'static str]),
}

impl Unit {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Millis => "milliseconds",
            Self::Number => "number",
            Self::OnOff => "on or off",
            Self::Choice(_) => "choice",
        }
    }

    /// The allowed values in words.
    pub(crate) fn allowed(self) -> String {
        match self {
            Self::Next | Self::Number => "a whole number from 0".to_owned(),
            Self::Millis => "milliseconds from 0 to 86400000".to_owned(),
            Self::OnOff => "true or false".to_owned(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
        }
    }
}

/// One row of the switchboard.
#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) key: &'static str,
    pub(crate) group: &'static str,
    pub(crate) title: &'static str,
    pub(crate) sentence: &'static str,
    pub(crate) unit: Unit,
    pub(crate) default: u64,
    /// Faults are put back by "Reset faults"; settings stay.
    pub(crate) fault: bool,
}

const fn fault(
    key: &'static str,
    group: &'static str,
    unit: Unit,
    title: &'static str,
    sentence: &'static str,
) -> Switch {
    Switch { key, group, title, sentence, unit, default: 0, fault: true }
}

const fn setting(
    key: &'static str,
    group: &'static str,
    (unit, default): (Unit, u64),
    title: &'static str,
    sentence: &'static str,
) -> Switch {
    Switch { key, group, title, sentence, unit, default, fault: false }
}

const APPROVAL: &str = "Approval callbacks";
const DEPLOY: &str = "Deploy callbacks";
const GITLAB: &str = "GitLab";
const LOST: &str = "GitLab: answers lost after the effect";
const PIPELINES: &str = "Pipelines";
const DESK: &str = "Approval desk";
const PACE: &str = "Pace and rules";

/// Merge methods in the words of GitLab's project settings.
const METHODS: Unit = Unit::Choice(&["merge", "rebase_merge", "ff"]);

/// All switches, in the order in which the panel shows them.
pub(crate) const SWITCHES: &[Switch] = &[
    fault(
        "approval.lose",
        APPROVAL,
        Unit::Next,
        "Lose",
        "The next n decisions are not called back at all; only a poll finds them.",
    ),
    fault(
        "approval.duplicate",
        APPROVAL,
        Unit::Next,
        "Duplicate",
        "The next n callbacks arrive twice with the same delivery id.",
    ),
    fault("approval.delay", APPROVAL, Unit::Millis, "Delay", "Every callback leaves this many milliseconds late."),
    fault(
        "approval.reorder",
        APPROVAL,
        Unit::Next,
        "Reorder",
        "The next n callbacks are held back until a later one has overtaken them, or for a few seconds where none follows.",
    ),
    fault(
        "deploy.lose",
        DEPLOY,
        Unit::Next,
        "Lose",
        "The next n deploy results are not called back at all; only the sweep can tell, once a later deploy of the project was called back.",
    ),
    fault(
        "deploy.duplicate",
        DEPLOY,
        Unit::Next,
        "Duplicate",
        "The next n callbacks arrive twice with the same delivery id.",
    ),
    fault("deploy.delay", DEPLOY, Unit::Millis, "Delay", "Every callback leaves this many milliseconds late."),
    fault(
        "deploy.reorder",
        DEPLOY,
        Unit::Next,
        "Reorder",
        "The next n callbacks are held back until a later one has overtaken them, or for a few seconds where none follows.",
    ),
    fault(
        "deploy.fail_next",
        DEPLOY,
        Unit::Next,
        "Fail the deploy",
        "The next n deploys end as failed, with a reason.",
    ),
    Switch {
        default: 1,
        ..fault(
            "gitlab.repeat_401",
            GITLAB,
            Unit::OnOff,
            "401 on a repeated approval",
            "An account that approves a second time is answered 401, as by most GitLab versions. Off: 304, as by the newest.",
        )
    },
    fault(
        "gitlab.conflict_next",
        GITLAB,
        Unit::Next,
        "Conflict at the merge",
        "Just before each of the next n merges, Hanna commits to the same lines on the target branch: the merge is refused and a rebase fails.",
    ),
    fault(
        "gitlab.target_moves",
        GITLAB,
        Unit::Next,
        "Target moves before the merge",
        "Just before each of the next n merges, Hanna commits elsewhere on the target branch. With the merge methods ff and rebase_merge the \
         merge is refused until a rebase; with merge it goes through.",
    ),
    fault(
        "gitlab.merge_lies",
        GITLAB,
        Unit::Next,
        "Merge confirmed, not done",
        "The next n merges are answered 200 although the merge request stays open, as older versions do now and then.",
    ),
    fault(
        "gitlab.rebase_conflict",
        GITLAB,
        Unit::Next,
        "Conflict at the rebase",
        "Just before each of the next n rebases, Hanna commits to the same lines on the target branch: the rebase fails.",
    ),
    fault(
        "gitlab.rebase_stuck",
        GITLAB,
        Unit::Next,
        "Rebase hangs",
        "The next n rebases stay in progress for half an hour, as when GitLab loses the job.",
    ),
    fault(
        "gitlab.check_stuck",
        GITLAB,
        Unit::OnOff,
        "Mergeability stays unknown",
        "Every open merge request shows \"checking\", and merges are refused, until this is off again.",
    ),
    fault("gitlab.burst_5xx", GITLAB, Unit::Next, "Burst of 5xx", "The next n calls are answered 502 and do nothing."),
    fault(
        "gitlab.throttle",
        GITLAB,
        Unit::Next,
        "Too many requests",
        "The next n calls are answered 429 with Retry-After: 1 and do nothing.",
    ),
    fault("gitlab.slow", GITLAB, Unit::Millis, "Slow answers", "Every call takes this many milliseconds longer."),
    fault(
        "gitlab.token_refused",
        GITLAB,
        Unit::OnOff,
        "Token of the robot expired",
        "Calls of signalbox-bot are answered 401 with invalid_token until this is off again.",
    ),
    fault(
        "gitlab.drop.branch",
        LOST,
        Unit::Next,
        "Branch created",
        "The next n branches are created, and the connection breaks before the answer.",
    ),
    fault(
        "gitlab.drop.commit",
        LOST,
        Unit::Next,
        "Commit made",
        "The next n commits are made, and the connection breaks before the answer.",
    ),
    fault(
        "gitlab.drop.mr",
        LOST,
        Unit::Next,
        "Merge request opened",
        "The next n merge requests are opened, and the connection breaks before the answer.",
    ),
    fault(
        "gitlab.drop.update",
        LOST,
        Unit::Next,
        "Merge request closed or edited",
        "The next n edits of a merge request happen, and the connection breaks before the answer.",
    ),
    fault(
        "gitlab.drop.approve",
        LOST,
        Unit::Next,
        "Approval given",
        "The next n approvals are stored, and the connection breaks before the answer.",
    ),
    fault(
        "gitlab.drop.rebase",
        LOST,
        Unit::Next,
        "Rebase asked for",
        "The next n rebases are queued, and the connection breaks before the answer.",
    ),
    fault(
        "gitlab.drop.merge",
        LOST,
        Unit::Next,
        "Merged",
        "The next n merges happen, and the connection breaks before the answer.",
    ),
    fault("pipeline.fail_next", PIPELINES, Unit::Next, "Fail", "The next n pipelines that start end as failed."),
    fault("pipeline.none_next", PIPELINES, Unit::Next, "Do not appear", "The next n heads get no pipeline at all."),
    fault(
        "pipeline.stuck_next",
        PIPELINES,
        Unit::Next,
        "Never end",
        "The next n pipelines stay running until they are told how to end.",
    ),
    fault(
        "desk.burst_5xx",
        DESK,
        Unit::Next,
        "Burst of 5xx",
        "The next n calls to the desk are answered 503 and do nothing.",
    ),
    fault(
        "desk.slow",
        DESK,
        Unit::Millis,
        "Slow answers",
        "Every call to the desk takes this many milliseconds longer.",
    ),
    fault(
        "desk.drop",
        DESK,
        Unit::Next,
        "Answers lost after the effect",
        "The next n tickets are opened or cancelled, and the connection breaks before the answer.",
    ),
    setting(
        "desk.auto",
        DESK,
        (Unit::OnOff, 0),
        "Approve by itself",
        "New tickets are approved by the desk without a person.",
    ),
    setting(
        "desk.auto_after",
        DESK,
        (Unit::Millis, 5000),
        "Approve after",
        "So long the desk waits before it approves by itself.",
    ),
    setting(
        "pace.pipeline",
        PACE,
        (Unit::Millis, 6000),
        "Pipeline time",
        "So long a pipeline takes from pending to its end.",
    ),
    setting("pace.deploy", PACE, (Unit::Millis, 5000), "Deploy time", "So long after a merge the deploy calls back."),
    setting(
        "config.merge_method",
        PACE,
        (METHODS, 0),
        "Merge method of platform/config",
        "ff and rebase_merge demand a rebase when the target has moved; merge does not.",
    ),
    setting(
        "network.merge_method",
        PACE,
        (METHODS, 2),
        "Merge method of platform/network",
        "ff and rebase_merge demand a rebase when the target has moved; merge does not.",
    ),
    setting(
        "gitlab.approvals_required",
        PACE,
        (Unit::Number, 2),
        "Approvals required",
        "So many different accounts must approve before a merge.",
    ),
    setting(
        "gitlab.approvals_reset",
        PACE,
        (Unit::Choice(&["patch", "all", "none"]), 0),
        "Approvals after a push",
        "patch drops approvals whose change is not the same any more, all drops every one, none keeps them.",
    ),
    setting(
        "gitlab.pipeline_required",
        PACE,
        (Unit::OnOff, 1),
        "Pipelines must succeed",
        "A merge waits for a green pipeline of its head.",
    ),
    setting(
        "gitlab.checklist",
        PACE,
        (Unit::OnOff, 0),
        "Approvals need the checklist",
        "An approval without every item checked is answered 422 with the items in force.",
    ),
    fault(
        "gitlab.checklist_stale",
        GITLAB,
        Unit::OnOff,
        "Checklist endpoint out of date",
        "The endpoint leaves out the newest item, so that an approval built from it is answered 422 while the checklist is needed.",
    ),
];
