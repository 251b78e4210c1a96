//! What may go wrong with a call.

use std::time::Duration;

use signalbox_engine::ports::error::ErrorClass;

/// What goes wrong with a call.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The remote answers with an error and does nothing.
    Refuse { class: ErrorClass, status: Option<u16>, message: String, retry_after: Option<Duration> },
    /// The call has its effect, the answer is lost.
    LoseAnswer,
    /// The call never arrives: nothing happens, and nobody says so.
    LoseCall,
    /// The answer is lost at the timeout, and the effect comes after so long.
    Late(Duration),
    /// Nothing happens until `release` is called; then the call goes on.
    Hold,
    /// The call has its effect, or reads what is there; its answer arrives only after `release`.
    HoldAnswer,
    /// The stage meets a bug of its own.
    Panic,
    /// The engine dies at this point of the call.
    Die(Moment),
}

/// A point of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before its intent is stored.
    BeforeIntent,
    /// After the intent, before the call arrives.
    BeforeEffect,
    /// After the effect, before the answer is recorded.
    AfterEffect,
    /// After the answer was recorded in the journal, before the stage learns of it.
    AfterAnswer,
}

impl Moment {
    pub const ALL: [Self; 4] = [Self::BeforeIntent, Self::BeforeEffect, Self::AfterEffect, Self::AfterAnswer];
}

impl Fault {
    /// An answer with this status, classed as the adapter would class it for a write.
    pub fn status(status: u16, message: &str) -> Self {
        let class = match status {
            401 | 403 if message.contains("token") || message.contains("scope") => ErrorClass::Auth,
            429 => ErrorClass::Throttled,
            408 | 500.. => ErrorClass::Ambiguous,
            _ => ErrorClass::Terminal,
        };
        Self::Refuse { class, status: Some(status), message: message.into(), retry_after: None }
    }

    /// 429 with a Retry-After.
    pub fn slow_down(pause: Duration) -> Self {
        let message = "Retry later".into();
        Self::Refuse { class: ErrorClass::Throttled, status: Some(429), message, retry_after: Some(pause) }
    }
}
