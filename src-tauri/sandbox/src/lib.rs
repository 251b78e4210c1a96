//! The practice remotes: GitLab's API over real git repositories, an approval desk, a deploy pipeline, and faults on demand.

mod accounts;
mod acts;
mod agenda;
mod callbacks;
mod clock;
mod deploy;
mod desk;
mod error;
mod forge;
mod git;
mod guard;
mod journal;
mod look;
mod meddle;
mod options;
mod panel;
mod sandbox;
mod secrets;
mod seed;
mod serve;
mod state;
mod switches;
mod world;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use error::SandboxError;
pub use git::GitError;
pub use options::{Options, Pace};
pub use sandbox::{Sandbox, start};

/// A lock that outlives a panic of whoever held it: the data behind it is changed in single steps.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
