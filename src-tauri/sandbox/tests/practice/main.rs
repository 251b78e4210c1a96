//! The practice remotes over HTTP, as a program or a person uses them.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod approvals;
mod desk;
mod faults;
mod merging;
mod pages;
mod reading;
mod rebasing;
mod restart;
mod starting;
mod support;
