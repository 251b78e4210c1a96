//! Obedience to a remote's limit: once it asks for a pause, every call to that remote keeps it.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use reqwest::header::HeaderMap;
use tokio::time::Instant;

use super::http::remote_time;

/// Up to here a call waits on the spot; a longer pause is told to the caller, who has better things to do.
const SHORT: Duration = Duration::from_secs(2);
/// No pause is shorter.
const SHORTEST: Duration = Duration::from_millis(250);
/// No pause is longer, whatever the remote says: a wrong header must not stop the work for a day.
const LONGEST: Duration = Duration::from_secs(3600);

/// The pause that one remote has asked for.
#[derive(Default)]
pub(crate) struct Limiter {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    until: Option<Instant>,
    /// Throttled answers in a row that did not say how long.
    untold: u32,
}

impl Limiter {
    /// Waits out a short pause; for a longer one gives back what is left of it.
    pub(crate) async fn admit(&self) -> Result<(), Duration> {
        loop {
            match self.left() {
                None => return Ok(()),
                Some(left) if left > SHORT => return Err(left),
                Some(left) => tokio::time::sleep(left).await,
            }
        }
    }

    fn left(&self) -> Option<Duration> {
        let until = self.state.lock().unwrap_or_else(PoisonError::into_inner).until?;
        let left = until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Learns from an answer whether and how long to pause.
    pub(crate) fn learn(&self, status: u16, headers: &HeaderMap) {
        let throttled = status == 429 || (status == 503 && headers.contains_key("retry-after"));
        let used_up = text(headers, "ratelimit-remaining") == Some("0");
        let told = if throttled { pause_asked(headers) } else { reset_in(headers).filter(|_| used_up) };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = match (throttled, told) {
            // A window that ends "now" by a clock of whole seconds may still have most of a second to go.
            (_, Some(pause)) => pause.max(SHORTEST),
            (false, None) => {
                state.untold = 0;
                return;
            }
            (true, None) => {
                state.untold = (state.untold + 1).min(7);
                Duration::from_secs(1 << (state.untold - 1)).min(Duration::from_secs(60))
            }
        };
        let until = Instant::now() + pause;
        state.until = Some(state.until.map_or(until, |old| old.max(until)));
    }
}

/// How long an answer asks to wait: `Retry-After` as seconds or date, else the end of the rate limit's window.
pub(crate) fn pause_asked(headers: &HeaderMap) -> Option<Duration> {
    let retry_after =
        text(headers, "retry-after").and_then(|value| seconds(value).or_else(|| until_date(headers, value)));
    retry_after.or_else(|| reset_in(headers))
}

fn reset_in(headers: &HeaderMap) -> Option<Duration> {
    let reset = text(headers, "ratelimit-reset").and_then(|value| value.parse::<i64>().ok());
    match reset {
        // Small numbers are a distance (the IETF draft), large ones a Unix time (GitLab).
        Some(n) if n < 1_000_000_000 => seconds(&n.to_string()),
        Some(n) => distance(headers, DateTime::from_timestamp(n, 0)?),
        None => text(headers, "ratelimit-resettime").and_then(|value| until_date(headers, value)),
    }
}

fn seconds(value: &str) -> Option<Duration> {
    let n: f64 = value.parse().ok()?;
    (n >= 0.0).then(|| Duration::from_secs_f64(n.min(LONGEST.as_secs_f64())))
}

fn until_date(headers: &HeaderMap, value: &str) -> Option<Duration> {
    distance(headers, DateTime::parse_from_rfc2822(value).ok()?.with_timezone(&Utc))
}

fn distance(headers: &HeaderMap, until: DateTime<Utc>) -> Option<Duration> {
    let left = until.signed_duration_since(remote_time(headers));
    Some(left.to_std().unwrap_or(Duration::ZERO).min(LONGEST))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim)
}
