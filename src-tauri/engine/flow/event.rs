//! The events that move a request. Their words are public: history, diagram and errors use them.

macro_rules! events {
    ($($name:ident = $word:literal),+ $(,)?) => {
        /// Something that happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are the specification's")]
        pub enum Event { $($name),+ }

        impl Event {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The public word.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }
        }
    };
}

events! {
    Submit = "submit",
    SubmitOverloaded = "submit_overloaded",
    Resume = "resume",
    RetryApproval = "retry_approval",
    Close = "close",
    ApprovalSent = "approval_sent",
    ApprovalSendFailed = "approval_send_failed",
    ApprovalGranted = "approval_granted",
    ApprovalDenied = "approval_denied",
    ApprovalWithdrawn = "approval_withdrawn",
    MrOpened = "mr_opened",
    CreateFailed = "create_failed",
    CreateConflict = "create_conflict",
    PipelinePassed = "pipeline_passed",
    PipelineFailed = "pipeline_failed",
    WaitExhausted = "wait_exhausted",
    Handle = "handle",
    SendApproval = "send_approval",
    Approved = "approved",
    ApproveFailed = "approve_failed",
    ApprovalLost = "approval_lost",
    Merged = "merged",
    MergeFailed = "merge_failed",
    NeedsRebase = "needs_rebase",
    Rebased = "rebased",
    RebaseConflict = "rebase_conflict",
    RemoteMerged = "remote_merged",
    RemoteClosed = "remote_closed",
    HeadMoved = "head_moved",
    StepFailed = "step_failed",
    Deployed = "deployed",
    DeployFailed = "deploy_failed",
    Reconciled = "reconciled",
    Closed = "closed",
    CloseFailed = "close_failed",
}
