//! What a caller sends, within limits.

use std::{collections::BTreeMap, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::Query,
    http::{HeaderMap, Uri, header},
};
use futures::StreamExt;
use serde_json::Value;

use super::refusal::Refusal;

/// How long a body may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(30);
/// How many times its limit an oversized body is read and thrown away, so that its sender hears the refusal instead of a reset.
const DISCARD: usize = 16;

/// The whole body, at most `limit` bytes, whether or not its length was announced.
pub(super) async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, Refusal> {
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > (limit * DISCARD) as u64) {
        return Err(Refusal::TooLarge(limit));
    }
    tokio::time::timeout(ARRIVAL, collect(body, limit)).await.unwrap_or(Err(Refusal::TooSlow))
}

async fn collect(body: Body, limit: usize) -> Result<Bytes, Refusal> {
    let (mut kept, mut seen) = (Vec::new(), 0_usize);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Refusal::Broken)?;
        seen = seen.saturating_add(chunk.len());
        if seen > limit * DISCARD {
            break;
        }
        if seen > limit {
            kept = Vec::new();
        } else {
            kept.extend_from_slice(&chunk);
        }
    }
    if seen > limit { Err(Refusal::TooLarge(limit)) } else { Ok(kept.into()) }
}

/// The body as JSON; None when there is none.
pub(super) fn json(raw: &[u8]) -> Result<Option<Value>, Refusal> {
    if raw.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    serde_json::from_slice(raw).map(Some).map_err(|e| Refusal::BadJson {
        line: e.line(),
        column: e.column(),
        why: reason(&e),
    })
}

/// What is wrong, without the place that serde_json appends.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// The query, decoded; values of a repeated name are joined by commas.
pub(super) fn query(uri: &Uri) -> Result<BTreeMap<String, String>, Refusal> {
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| Refusal::BadQuery)?;
    let mut query = BTreeMap::<String, String>::new();
    for (name, value) in pairs {
        query.entry(name).and_modify(|all| *all = format!("{all},{value}")).or_insert(value);
    }
    Ok(query)
}
