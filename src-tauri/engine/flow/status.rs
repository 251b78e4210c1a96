//! Step statuses, outward statuses, outlooks and stages (workflow.md, sections 2 and 3). Codes and names are public.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a person needs to know at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum Outlook {
    /// The engine is acting.
    Running,
    /// On somebody else, with a known next look.
    Waiting,
    /// The limit of waiting is reached and the result is not known. Never a failure.
    Unknown,
    /// Definite: somebody must act.
    Failed,
    /// Ended.
    Done,
}

impl Outlook {
    /// The word of the API.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Unknown => "unknown",
            Self::Failed => "failed",
            Self::Done => "done",
        }
    }
}

macro_rules! statuses {
    ($($name:ident = $word:literal),+ $(,)?) => {
        /// The outward status: what requesters read, and what says whether a relation may be applied for again.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are the specification's")]
        pub enum Status { $($name),+ }

        impl Status {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The word of store and API.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }

            /// Reads a word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$name),)+ _ => None }
            }
        }
    };
}

statuses! {
    ApprovalSending = "APPROVAL_SENDING",
    ApprovalSent = "APPROVAL_SENT",
    MrCreating = "MR_CREATING",
    MrCreated = "MR_CREATED",
    Merging = "MERGING",
    Merged = "MERGED",
    Validated = "VALIDATED",
    CreateFailed = "CREATE_FAILED",
    HandleFailed = "HANDLE_FAILED",
    Rejected = "REJECTED",
    Closed = "CLOSED",
}

impl Status {
    /// Statuses in which a relation may be applied for again (workflow.md, section 3).
    pub const REAPPLIABLE: &[Self] = &[Self::Rejected, Self::Closed];
    /// Statuses in which an approval is awaited (workflow.md, section 5).
    pub const AWAITING_APPROVAL: &[Self] = &[Self::ApprovalSending, Self::ApprovalSent];

    /// May the relation be applied for again? A repeatable kind may follow a validated request too.
    #[must_use]
    pub fn reappliable(self, repeatable: bool) -> bool {
        Self::REAPPLIABLE.contains(&self) || (repeatable && self == Self::Validated)
    }
}

/// The stage that a step belongs to: the first three digits of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stage(pub u16);

impl Stage {
    /// The name of the stage.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            100 => "create",
            101 => "handle",
            102 => "close",
            103 => "effective",
            104 => "approval",
            _ => "unknown",
        }
    }
}

macro_rules! steps {
    ($($code:literal $name:ident $word:literal $status:tt $outlook:ident;)+) => {
        /// The step status of a request.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "the names are the specification's")]
        pub enum Step { $($name = $code),+ }

        impl Step {
            /// All of them, in the order of the specification.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The public code.
            #[must_use]
            pub fn code(self) -> u16 { self as u16 }

            /// The public name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }

            /// The outward status it brings; None keeps the one there was.
            #[must_use]
            pub fn status(self) -> Option<Status> {
                match self { $(Self::$name => steps!(@status $status)),+ }
            }

            /// The outlook.
            #[must_use]
            pub fn outlook(self) -> Outlook {
                match self { $(Self::$name => Outlook::$outlook),+ }
            }

            /// Reads a code.
            #[must_use]
            pub fn from_code(code: i64) -> Option<Self> {
                match code { $($code => Some(Self::$name),)+ _ => None }
            }
        }
    };
    (@status keeps) => { None };
    (@status $status:ident) => { Some(Status::$status) };
}

steps! {
    10001 CreateStarted         "CREATE_STARTED"          MrCreating      Running;
    10002 CreateSucceeded       "CREATE_SUCCEEDED"        MrCreated       Running;
    10003 CreateFailed          "CREATE_FAILED"           CreateFailed    Failed;
    10004 CreatePipelineFailed  "CREATE_PIPELINE_FAILED"  CreateFailed    Failed;
    10005 CreatePipelineRunning "CREATE_PIPELINE_RUNNING" MrCreating      Waiting;
    10006 CreateOverloaded      "CREATE_OVERLOADED"       CreateFailed    Failed;
    10007 CreateConflict        "CREATE_CONFLICT"         CreateFailed    Failed;
    10101 HandleStarted         "HANDLE_STARTED"          Merging         Running;
    10102 HandleApproved        "HANDLE_APPROVED"         Merging         Running;
    10103 HandleApproveFailed   "HANDLE_APPROVE_FAILED"   HandleFailed    Failed;
    10104 HandleMergeFailed     "HANDLE_MERGE_FAILED"     HandleFailed    Failed;
    10105 HandleRebaseConflict  "HANDLE_REBASE_CONFLICT"  HandleFailed    Failed;
    10106 HandlePipelineFailed  "HANDLE_PIPELINE_FAILED"  HandleFailed    Failed;
    10107 HandleRebasing        "HANDLE_REBASING"         Merging         Waiting;
    10108 HandlePipelineRunning "HANDLE_PIPELINE_RUNNING" Merging         Waiting;
    10109 HandleMerged          "HANDLE_MERGED"           Merged          Waiting;
    10110 HandleHeadMoved       "HANDLE_HEAD_MOVED"       HandleFailed    Failed;
    10111 HandleMrClosed        "HANDLE_MR_CLOSED"        HandleFailed    Failed;
    10201 CloseStarted          "CLOSE_STARTED"           keeps           Running;
    10202 CloseSucceeded        "CLOSE_SUCCEEDED"         Closed          Done;
    10203 CloseFailed           "CLOSE_FAILED"            HandleFailed    Failed;
    10301 CalledBack            "CALLED_BACK"             Validated       Done;
    10302 DeployFailed          "DEPLOY_FAILED"           Merged          Failed;
    10401 ApprovalSending       "APPROVAL_SENDING"        ApprovalSending Running;
    10402 ApprovalWaiting       "APPROVAL_WAITING"        ApprovalSent    Waiting;
    10403 ApprovalSendFailed    "APPROVAL_SEND_FAILED"    CreateFailed    Failed;
    10404 ApprovalRejected      "APPROVAL_REJECTED"       Rejected        Done;
    10405 ApprovalWithdrawn     "APPROVAL_WITHDRAWN"      Rejected        Done;
    10501 HandlePipelinePending "HANDLE_PIPELINE_PENDING" Merging         Unknown;
    10502 CreatePipelinePending "CREATE_PIPELINE_PENDING" MrCreating      Unknown;
    10503 HandleRebasePending   "HANDLE_REBASE_PENDING"   Merging         Unknown;
    10504 HandleMergePending    "HANDLE_MERGE_PENDING"    Merging         Unknown;
}

impl Step {
    /// Steps that stand on a ladder; with the running ones they count against the admission limit.
    pub const ON_A_LADDER: &[Self] = &[Self::CreatePipelineRunning, Self::HandleRebasing, Self::HandlePipelineRunning];

    /// The stage.
    #[must_use]
    pub fn stage(self) -> Stage {
        Stage(self.code() / 100)
    }

    /// True for the four ends.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        self.outlook() == Outlook::Done
    }

    /// True while the request costs the engine something.
    #[must_use]
    pub fn is_active(self) -> bool {
        self.outlook() == Outlook::Running || Self::ON_A_LADDER.contains(&self)
    }

    /// True once the change is on the target branch.
    #[must_use]
    pub fn is_merged(self) -> bool {
        matches!(self, Self::HandleMerged | Self::DeployFailed | Self::CalledBack)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code(), self.name())
    }
}
