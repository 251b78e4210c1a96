//! Changes as server-sent events: what was missed first, then live, with no gap and nothing twice.

use std::{collections::VecDeque, convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::Stream;
use serde_json::json;
use signalbox_engine::store::outbox::Change;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::{Front, refusal::Refusal};

/// Silence after which a comment is sent, so that nobody between us closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Changes read at once when catching up.
const PAGE: i64 = 500;

/// `GET /api/v1/stream`.
pub(super) async fn changes(State(front): State<Arc<Front>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    if front.tokens.person(&parts.headers).is_none() {
        return Refusal::Unauthorized.answer(&parts);
    }
    let seen = match last_seen(&parts.headers) {
        Ok(Some(seen)) if is_ahead(&front, seen).await => None,
        Ok(seen) => seen,
        Err(refusal) => return refusal.answer(&parts),
    };
    Sse::new(follow(front, seen)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE).text("")).into_response()
}

/// A number beyond the newest is of another store, such as the one before a restore: whoever named it hears what comes now.
async fn is_ahead(front: &Front, seen: i64) -> bool {
    seen > 0
        && front.engine.changes_since(seen.saturating_sub(1), 1).await.is_ok_and(|from_there| from_there.is_empty())
}

fn last_seen(headers: &HeaderMap) -> Result<Option<i64>, Refusal> {
    match headers.get("last-event-id") {
        None => Ok(None),
        Some(id) if id.is_empty() => Ok(None),
        Some(id) => id.to_str().ok().and_then(|id| id.trim().parse().ok()).map(Some).ok_or(Refusal::BadEventId),
    }
}

/// A caller that follows the changes.
struct Follower {
    front: Arc<Front>,
    live: Receiver<Change>,
    /// Number of the last change that was given out.
    seen: Option<i64>,
    /// Changes read from the store that are still to be given out.
    pending: VecDeque<Change>,
    /// More may be in the store than we have seen.
    behind: bool,
}

fn follow(front: Arc<Front>, seen: Option<i64>) -> impl Stream<Item = Result<Event, Infallible>> {
    // Subscribed before the first page is read: what is committed in between comes twice, and is told apart by its number.
    let live = front.engine.changes();
    let start = Follower { front, live, seen, pending: VecDeque::new(), behind: seen.is_some() };
    futures::stream::unfold(start, |mut follower| async move {
        let stop = follower.front.stop.clone();
        let change = stop.run_until_cancelled(follower.next()).await.flatten()?;
        Some((Ok(event(&change)), follower))
    })
}

impl Follower {
    async fn next(&mut self) -> Option<Change> {
        loop {
            if let Some(change) = self.pending.pop_front() {
                self.seen = Some(change.seq);
                return Some(change);
            }
            if self.behind {
                self.catch_up().await?;
                continue;
            }
            match self.live.recv().await {
                Ok(change) => match self.seen {
                    Some(seen) if change.seq <= seen => {}
                    // Something lies between: the store says what.
                    Some(seen) if change.seq > seen + 1 => self.behind = true,
                    _ => {
                        self.seen = Some(change.seq);
                        return Some(change);
                    }
                },
                Err(RecvError::Lagged(_)) => self.behind = self.seen.is_some(),
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Reads the next page. None ends the stream: the caller comes again with the last number it has seen.
    async fn catch_up(&mut self) -> Option<()> {
        let seen = self.seen.unwrap_or_default();
        match self.front.engine.changes_since(seen, PAGE).await {
            Ok(page) => {
                self.behind = page.len() as i64 >= PAGE;
                self.pending = page.into();
                Some(())
            }
            Err(why) => {
                tracing::warn!("a stream of changes ends, because they cannot be read from the store: {why}");
                None
            }
        }
    }
}

fn event(change: &Change) -> Event {
    let data = json!({
        "operation_id": change.operation_id,
        "version": change.version,
        "step": change.step,
        "status": change.status,
    });
    Event::default().event("operation").id(change.seq.to_string()).data(data.to_string())
}
