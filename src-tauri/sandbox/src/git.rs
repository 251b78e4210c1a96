//! Real git: every repository is a bare one, and every question and every change goes through the `git` program.

mod commits;
mod diff;
mod facts;
mod files;
mod merge;
mod run;

pub(crate) use commits::{Commit, Person};
pub(crate) use diff::FileDiff;
pub(crate) use files::{Edit, EditError};
pub(crate) use merge::{Merged, Rebased};
pub use run::GitError;
pub(crate) use run::{Repo, check_version};
