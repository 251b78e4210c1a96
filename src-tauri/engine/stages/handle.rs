//! From green checks to the merge: robot approvals, the merge itself, the rebase loop.

pub mod approve;
pub mod merge;
pub mod rebase;
