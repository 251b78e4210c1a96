//! The local store: what it promises to whoever calls it, and what the database refuses by itself.

#[path = "store/backups.rs"]
mod backups;
#[path = "store/commits.rs"]
mod commits;
#[path = "store/crash.rs"]
mod crash;
#[path = "store/events.rs"]
mod events;
#[path = "store/evidence.rs"]
mod evidence;
#[path = "store/leases.rs"]
mod leases;
#[path = "store/locked.rs"]
mod locked;
#[path = "store/refusals.rs"]
mod refusals;
#[path = "store/submissions.rs"]
mod submissions;
#[path = "store/verifying.rs"]
mod verifying;
#[path = "store/world.rs"]
mod world;
