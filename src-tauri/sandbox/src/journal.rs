//! The last calls and callbacks, for the panel.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde::Serialize;

use crate::clock::{iso, now};
use crate::held;

/// How many lines are kept.
const LINES: usize = 200;

/// One call that came in, or one callback that went out.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Line {
    pub(crate) at: String,
    /// gitlab, desk, approval callback or deploy callback.
    pub(crate) remote: &'static str,
    pub(crate) what: String,
    pub(crate) account: String,
    /// The status of the answer; 0 where there was none.
    pub(crate) status: u16,
    pub(crate) duration_ms: u64,
    /// What was done to it on purpose, or the error of a callback.
    pub(crate) note: String,
}

#[derive(Debug, Default)]
pub(crate) struct Journal(Mutex<VecDeque<Line>>);

impl Journal {
    pub(crate) fn add(&self, line: Line) {
        tracing::debug!(
            remote = line.remote,
            what = line.what,
            status = line.status,
            note = line.note,
            "practice call"
        );
        let mut lines = held(&self.0);
        lines.push_front(Line { at: iso(now()), ..line });
        lines.truncate(LINES);
    }

    /// Newest first.
    pub(crate) fn lines(&self) -> Vec<Line> {
        held(&self.0).iter().cloned().collect()
    }
}
