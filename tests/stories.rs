//! Whole stories on virtual time: every listed move is walked by one of them.
#![allow(clippy::unwrap_used, unreachable_pub, missing_docs, reason = "a test stops where an expectation fails")]

mod support;

#[path = "stories/ends.rs"]
mod ends;
