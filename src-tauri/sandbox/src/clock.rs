//! The wall clock in milliseconds, and how the remotes write a moment.

use chrono::{DateTime, SecondsFormat, Utc};

/// Milliseconds since 1970-01-01 UTC.
pub(crate) type Millis = i64;

pub(crate) fn now() -> Millis {
    Utc::now().timestamp_millis()
}

pub(crate) fn moment(at: Millis) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at).unwrap_or_default()
}

/// RFC 3339 in UTC with milliseconds.
pub(crate) fn iso(at: Millis) -> String {
    moment(at).to_rfc3339_opts(SecondsFormat::Millis, true)
}
