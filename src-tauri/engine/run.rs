//! The run loop: takes due requests under a lease, runs their stage, commits what came of it. Recovery runs the very same.

pub mod backups;
pub mod commit;
pub mod scheduler;
pub mod timers;
pub mod worker;
