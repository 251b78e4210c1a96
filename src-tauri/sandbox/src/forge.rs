//! The GitLab look-alike: the part of REST v4 that a change needs, over real repositories.

mod answer;
mod approvals;
mod branches;
mod call;
mod commits;
mod compare;
mod files;
mod layer;
mod merge_requests;
mod mergeable;
mod merging;
mod moves;
mod notes;
mod pages;
mod pipelines;
mod projects;
mod rebase;
mod routes;
mod views;
mod web;

pub(crate) use approvals::withdraw;
pub(crate) use mergeable::{Snapshot, facts, snapshot};
pub(crate) use merging::{merge_by_hand, merge_when_green};
pub(crate) use moves::{catch_up, close, commit_edits, notice_moves, reopen};
pub(crate) use pipelines::{Told, tell};
pub(crate) use rebase::finish as finish_rebase;
pub(crate) use routes::router;
