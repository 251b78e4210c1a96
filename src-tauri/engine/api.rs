//! The table of calls: one row for each call of the HTTP contract. Both hosts dispatch through it, and the list of calls,
//! the OpenAPI document and the UI's types come from it.

pub mod act;
pub mod change;
pub mod edit;
pub mod follow;
pub mod inbound;
pub mod keep;
pub mod list;
pub mod look;
pub mod meta;
pub mod metrics;
pub mod problem;
pub mod recovery;
pub mod types;

use std::{collections::BTreeMap, sync::LazyLock};

use chrono::{DateTime, SecondsFormat, Utc};
use futures::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;

pub use problem::Problem;

use crate::{engine::Engine, run::caught, store::operation::Millis, words::Lang};

/// A call as a host hands it over: the person is known, the body is JSON.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST` or `PATCH`.
    pub method: String,
    /// Path without query, such as `/api/v1/operations`.
    pub path: String,
    /// Query.
    pub query: BTreeMap<String, String>,
    /// Who acts.
    pub person: String,
    /// The language to answer in.
    pub lang: Lang,
    /// Body, where there is one.
    pub body: Option<Value>,
}

/// An answer, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers beside the content type.
    pub headers: Vec<(&'static str, String)>,
    /// Content type.
    pub content_type: &'static str,
    /// Body.
    pub body: String,
}

impl Reply {
    /// A JSON answer.
    #[must_use]
    pub fn json(status: u16, value: &impl Serialize) -> Self {
        match serde_json::to_string(value) {
            Ok(body) => Self { status, headers: Vec::new(), content_type: "application/json", body },
            Err(error) => Problem::store(&error.to_string()).into(),
        }
    }

    /// A text answer.
    #[must_use]
    pub fn text(content_type: &'static str, body: String) -> Self {
        Self { status: 200, headers: Vec::new(), content_type, body }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

/// What a handler gives back.
pub type Answer = Result<Reply, Problem>;
type Handler = fn(Engine, Call) -> BoxFuture<'static, Answer>;

/// A call with the variable parts of its path.
#[derive(Debug, Clone)]
pub struct Call {
    /// The request.
    pub request: Request,
    /// Variable parts of the path.
    pub parts: BTreeMap<String, String>,
}

impl Call {
    /// A variable part of the path; empty where the row has none of that name.
    #[must_use]
    pub fn part(&self, name: &str) -> &str {
        self.parts.get(name).map_or("", String::as_str)
    }

    /// A parameter of the query.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<&str> {
        self.request.query.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// A list in the query, separated by commas.
    #[must_use]
    pub fn queries(&self, name: &str) -> Vec<String> {
        self.query(name).map(|list| list.split(',').map(str::to_owned).collect()).unwrap_or_default()
    }

    /// The body as a type; unknown and missing fields are refused with their place.
    pub fn body<T: serde::de::DeserializeOwned>(&self) -> Result<T, Problem> {
        let body = self.request.body.clone().unwrap_or_else(|| serde_json::json!({}));
        serde_json::from_value(body)
            .map_err(|error| Problem::unprocessable(format!("The body cannot be used: {error}.")))
    }
}

/// A row of the table.
pub struct CallRow {
    /// HTTP method.
    pub method: &'static str,
    /// Path; `{id}` stands for one segment.
    pub path: &'static str,
    /// What it does.
    pub about: &'static str,
    handler: Handler,
}

macro_rules! calls {
    ($($method:ident $path:literal $about:literal $handler:path;)+) => {
        /// Every call, in the order of the contract.
        pub static CALLS: &[CallRow] = &[$(CallRow {
            method: stringify!($method), path: $path, about: $about,
            handler: |engine, call| Box::pin($handler(engine, call)),
        }),+];
    };
}

calls! {
    POST  "/api/v1/changes"                              "Submits a change, or with dry_run=true shows what would be written." change::submit;
    GET   "/api/v1/operations"                           "Requests, newest first, with counts."                                list::operations;
    GET   "/api/v1/operations/{id}"                      "One request."                                                        look::operation;
    GET   "/api/v1/operations/{id}/history"              "Every move, and every act that moved nothing."                       look::history;
    GET   "/api/v1/operations/{id}/diffs"                "Every change of state and of fields."                                look::diffs;
    GET   "/api/v1/operations/{id}/events"               "Everything that came in, with verdicts."                             look::events;
    GET   "/api/v1/operations/{id}/calls"                "Every remote call."                                                  look::calls;
    GET   "/api/v1/operations/{id}/files"                "The files as rendered for the requester."                            look::files;
    GET   "/api/v1/operations/{id}/evidence"             "Everything about a request as one sealed file, one JSON object in each line." keep::evidence;
    GET   "/api/v1/operations/{id}/actions"              "What the remotes say now, and what each button would do."            act::actions;
    POST  "/api/v1/operations/{id}/actions/{action}"     "Presses a button."                                                   act::press;
    PATCH "/api/v1/operations/{id}/fields"               "Edits the fields of a request that is rejected or failed before its merge request." edit::fields;
    POST  "/api/v1/operations/{id}/reapply"              "Applies again for the relation of an ended request."                 change::reapply;
    GET   "/api/v1/kinds"                                "The catalogue of change kinds."                                      meta::kinds;
    GET   "/api/v1/kinds/{kind}"                         "One change kind."                                                    meta::kind;
    GET   "/api/v1/workflows/{workflow}"                 "States and moves, from the one table, as json, mermaid or dot."      meta::workflow;
    GET   "/api/v1/recovery"                             "Requests that need a person, by what stopped them."                   recovery::recovery;
    GET   "/api/v1/compensations"                        "Work that must follow and may be retried."                           follow::list;
    POST  "/api/v1/compensations/{code}/replay"          "Tries a record now."                                                 follow::replay;
    POST  "/api/v1/compensations/{code}/ignore"          "Gives a record up, with a reason."                                   follow::ignore;
    POST  "/api/v1/reconcile"                            "One sweep of merged requests now."                                   act::reconcile;
    GET   "/api/v1/settings"                             "Settings, secrets masked."                                           edit::settings;
    PATCH "/api/v1/settings"                             "Turns switches while requests are in flight."                        edit::turn;
    GET   "/api/v1/backups"                              "Backups of the store in its data directory, newest first."           keep::backups;
    POST  "/api/v1/backups"                              "Makes a backup now."                                                 keep::back_up;
    GET   "/api/v1/backups/{name}"                       "What putting a backup in the place of the store would mean."         keep::meaning;
    GET   "/api/v1/status"                               "Version, remotes, switches, and how many requests need somebody."    meta::status;
}

static PATHS: LazyLock<matchit::Router<Vec<usize>>> = LazyLock::new(|| {
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (n, row) in CALLS.iter().enumerate() {
        rows.entry(row.path).or_default().push(n);
    }
    let mut router = matchit::Router::new();
    for (path, rows) in rows {
        if let Err(error) = router.insert(path, rows) {
            tracing::error!(path, %error, "a row of the table of calls cannot be reached");
        }
    }
    router
});

impl Engine {
    /// Makes a call of the table. Never fails: a problem is an answer too.
    pub async fn call(&self, request: Request) -> Reply {
        let (path, lang) = (request.path.clone(), request.lang);
        let Ok(found) = PATHS.at(&path) else {
            return Problem::new(404, "not-found", "No such call")
                .detail(format!("There is no call at {path}."))
                .into();
        };
        let parts = found.params.iter().map(|(name, value)| (name.to_owned(), decoded(value))).collect();
        let rows = found.value.iter().map(|n| &CALLS[*n]);
        let Some(row) = rows.clone().find(|row| row.method == request.method) else {
            let allowed: Vec<_> = rows.map(|row| row.method).collect();
            let detail = format!("{} is not for {path}; it takes {}.", request.method, allowed.join(", "));
            return Reply::from(Problem::new(405, "method-not-allowed", "Wrong method").detail(detail).at(&path))
                .header("allow", allowed.join(", "));
        };
        match caught((row.handler)(self.clone(), Call { request, parts })).await {
            Some(Ok(reply)) => reply,
            Some(Err(problem)) => problem.at(&path).reply(lang),
            None => Problem::bug().at(&path).reply(lang),
        }
    }
}

fn decoded(part: &str) -> String {
    percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned()
}

/// A moment as RFC 3339 in UTC.
#[must_use]
pub fn time(at: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}
