//! What was found, one line each.

use std::{fmt, io::Write};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// As it should be.
    Ok,
    /// Works now, and needs a look.
    Warning,
    /// Requests will fail.
    Fault,
}

/// Something that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// How bad it is.
    pub(super) level: Level,
    /// What was looked at, such as `gitlab.bot_token`.
    pub(super) what: String,
    /// What was found and what to do.
    pub(super) sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Ok => "ok",
            Level::Warning => "warning",
            Level::Fault => "fault",
        };
        // One line each, whatever a remote or a file put into the sentence.
        let sentence = self.sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        write!(f, "{level:<7}  {}  {sentence}", self.what)
    }
}

/// All findings, in the order they were made.
#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    /// Something is as it should be.
    pub(super) fn ok(&mut self, what: impl Into<String>, sentence: impl Into<String>) {
        self.add(Level::Ok, what, sentence);
    }
    /// Something works now, and needs a look.
    pub(super) fn warning(&mut self, what: impl Into<String>, sentence: impl Into<String>) {
        self.add(Level::Warning, what, sentence);
    }
    /// Requests will fail.
    pub(super) fn fault(&mut self, what: impl Into<String>, sentence: impl Into<String>) {
        self.add(Level::Fault, what, sentence);
    }
    /// True when there is a fault.
    #[must_use]
    pub(super) fn any_fault(&self) -> bool {
        self.0.iter().any(|finding| finding.level == Level::Fault)
    }
    /// Prints one line for each.
    pub(super) fn print(&self) {
        let mut out = std::io::stdout().lock();
        for finding in &self.0 {
            // Whoever closed the pipe has read enough.
            let _ = writeln!(out, "{finding}");
        }
    }

    fn add(&mut self, level: Level, what: impl Into<String>, sentence: impl Into<String>) {
        self.0.push(Finding { level, what: what.into(), sentence: sentence.into() });
    }
}
