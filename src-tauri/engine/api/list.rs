//! The list of requests.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;

use crate::{
    engine::Engine,
    flow::Status,
    store::{list::Filter, operation::Operation},
};

use super::{
    Answer, Call, Problem, Reply,
    types::{OperationView, view},
};

/// Rows of a page unless asked otherwise, and the most there may be.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 500;

/// Counts over all requests.
#[derive(Debug, Default, Serialize, ts_rs::TS)]
pub struct CountsView {
    /// By outward status.
    #[ts(type = "Record<string, number>")]
    pub by_status: BTreeMap<String, i64>,
    /// By code prefix of the stage.
    #[ts(type = "Record<string, number>")]
    pub by_stage: BTreeMap<String, i64>,
    /// By outlook.
    #[ts(type = "Record<string, number>")]
    pub by_outlook: BTreeMap<String, i64>,
    /// Requested by who asks.
    #[ts(type = "number")]
    pub mine: i64,
}

/// A page of requests.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct ListView {
    /// Newest first.
    pub items: Vec<OperationView>,
    /// What to send as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
    /// Counts over all requests, whatever the filter.
    pub counts: CountsView,
}

pub(super) async fn operations(engine: Engine, call: Call) -> Answer {
    let filter = filter(&call)?;
    let store = &engine.core.store;
    let mut found = store.list(&Filter { limit: filter.limit + 1, ..filter.clone() }).await?;
    let more = found.len() > filter.limit as usize;
    found.truncate(filter.limit as usize);
    let next_cursor = more.then(|| found.last().map(cursor)).flatten();
    let usual = store.usual_stays().await?;
    let counts = counts(&engine, &call.request.person).await?;
    let items = found.iter().map(|operation| view(&engine.core, operation, &usual, call.request.lang)).collect();
    Ok(Reply::json(200, &ListView { items, next_cursor, counts }))
}

async fn counts(engine: &Engine, person: &str) -> Result<CountsView, Problem> {
    let mut counts = CountsView { mine: engine.core.store.count_of(person).await?, ..CountsView::default() };
    for (status, step, outlook, n) in engine.core.store.counts().await? {
        *counts.by_status.entry(status).or_default() += n;
        *counts.by_stage.entry((step / 100).to_string()).or_default() += n;
        *counts.by_outlook.entry(outlook).or_default() += n;
    }
    Ok(counts)
}

fn filter(call: &Call) -> Result<Filter, Problem> {
    let statuses = call.queries("status");
    if let Some(unknown) = statuses.iter().find(|word| Status::from_word(word).is_none()) {
        let known: Vec<_> = Status::ALL.iter().map(|status| status.word()).collect();
        return Err(Problem::unprocessable(format!("There is no status {unknown:?}; there are {}.", known.join(", "))));
    }
    let stages = call.queries("stage").iter().map(|prefix| prefix.parse()).collect::<Result<Vec<i64>, _>>();
    let stages = stages
        .map_err(|_| Problem::unprocessable("stage is a code prefix such as 101, or a whole code such as 10103."))?;
    let mut outlooks = call.queries("outlook");
    if call.query("attention") == Some("true") {
        outlooks.extend(["failed".to_owned(), "unknown".to_owned()]);
    }
    let limit = call.query("limit").map_or(Ok(PAGE), str::parse);
    let limit = limit.map_err(|_| Problem::unprocessable("limit is a number from 1 to 500."))?.clamp(1, LARGEST_PAGE);
    let mine = (call.query("mine") == Some("true")).then(|| call.request.person.clone());
    Ok(Filter {
        statuses,
        stages,
        kinds: call.queries("kind"),
        outlooks,
        requested_by: mine.or_else(|| call.query("requested_by").map(str::to_owned)),
        text: call.query("q").map(str::to_owned),
        after: call.query("cursor").map(read_cursor).transpose()?,
        limit,
    })
}

fn cursor(operation: &Operation) -> String {
    URL_SAFE_NO_PAD.encode(format!("{} {}", operation.created_at, operation.operation_id))
}

fn read_cursor(text: &str) -> Result<(i64, String), Problem> {
    let broken = || Problem::unprocessable("cursor is not one that this list gave.");
    let text = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(broken)?;
    let (at, id) = text.split_once(' ').ok_or_else(broken)?;
    Ok((at.parse().map_err(|_| broken())?, id.to_owned()))
}
