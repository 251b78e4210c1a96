//! The adapters against servers that misbehave in every known way.
#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    clippy::type_complexity,
    unreachable_pub,
    reason = "a test stops where an expectation fails"
)]

#[path = "adapters/approval.rs"]
mod approval;
#[path = "adapters/approvals.rs"]
mod approvals;
#[path = "adapters/cases.rs"]
mod cases;
#[path = "adapters/contents.rs"]
mod contents;
#[path = "adapters/faults.rs"]
mod faults;
#[path = "adapters/forge.rs"]
mod forge;
#[path = "adapters/journal.rs"]
mod journal;
#[path = "adapters/limits.rs"]
mod limits;
#[path = "adapters/refusals.rs"]
mod refusals;
#[path = "adapters/secrets.rs"]
mod secrets;
#[path = "adapters/support.rs"]
mod support;
#[path = "adapters/webhook.rs"]
mod webhook;
#[path = "adapters/wire.rs"]
mod wire;
