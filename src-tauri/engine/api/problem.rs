//! Errors of the API: RFC 9457 `application/problem+json`, one sentence each.

use serde_json::{Map, Value, json};

use crate::{
    documents::kinds::FieldError,
    store::{StoreError, history::HistoryRow},
    submit::Refused,
    words::Lang,
};

use super::{Reply, time};

/// A refused call.
#[derive(Debug, Clone)]
pub struct Problem {
    status: u16,
    word: &'static str,
    title: &'static str,
    detail: String,
    instance: String,
    more: Map<String, Value>,
}

impl Problem {
    /// A problem of a kind.
    #[must_use]
    pub fn new(status: u16, word: &'static str, title: &'static str) -> Self {
        Self { status, word, title, detail: title.into(), instance: String::new(), more: Map::new() }
    }

    /// Says what happened.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.into(), value.into());
        self
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, path: &str) -> Self {
        self.instance = path.into();
        self
    }

    /// 404 for a request.
    #[must_use]
    pub fn no_operation(id: &str) -> Self {
        Self::new(404, "not-found", "No such request").detail(format!("There is no request {id:?} here."))
    }

    /// 422 in general.
    #[must_use]
    pub fn unprocessable(detail: &str) -> Self {
        Self::new(422, "unprocessable", "The request cannot be used").detail(detail)
    }

    /// 503: the store did not do it.
    #[must_use]
    pub fn store(detail: &str) -> Self {
        Self::new(503, "store-unavailable", "The local store did not do it")
            .detail(format!("{detail}. Nothing was changed; try again."))
    }

    /// 500: a bug of ours.
    #[must_use]
    pub fn bug() -> Self {
        Self::new(500, "bug", "An unforeseen error").detail(
            "A bug in Signalbox stopped this call. Everything else goes on; look what is there before you try again.",
        )
    }

    /// 422 with a place and a message for each field.
    #[must_use]
    pub fn fields(errors: &[FieldError]) -> Self {
        let list: Vec<_> = errors.iter().map(|e| json!({"path": e.path, "message": e.message})).collect();
        let detail = errors.first().map_or_else(String::new, |error| error.message.clone());
        Self::new(422, "invalid-fields", "Some fields cannot be used").detail(detail).with("errors", list)
    }

    /// 409: somebody was first.
    #[must_use]
    pub fn stale(version: i64, last: Option<&HistoryRow>, lang: Lang) -> Self {
        let detail = match (last, lang) {
            (Some(row), Lang::En) => {
                format!(
                    "{} was first ({}). Nothing was changed by you; look again, then decide.",
                    row.actor_name, row.event
                )
            }
            (Some(row), Lang::ZhCn) => {
                format!("{} 已先行操作（{}）。您的操作未生效；请重新查看后再决定。", row.actor_name, row.event)
            }
            (None, _) => "Somebody was first. Nothing was changed by you; look again, then decide.".into(),
        };
        let last = last.map(|row| {
            json!({"at": time(row.at), "actor": {"kind": row.actor_kind, "name": row.actor_name}, "event": row.event})
        });
        Self::new(409, "stale", "The request has moved since you looked")
            .detail(detail)
            .with("version", version)
            .with("last_change", last.unwrap_or_default())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a call could not be answered");
        Self::store(&error.to_string())
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::UnknownKind(kind) => Self::unprocessable(&format!("There is no change kind {kind:?}."))
                .with("errors", json!([{"path": "", "message": format!("There is no change kind {kind:?}.")}])),
            Refused::OtherWorkflow(workflow) => {
                Self::unprocessable(&format!("The workflow {workflow:?} is not served by this version."))
            }
            Refused::Fields(errors) => Self::fields(&errors),
            Refused::NothingToChange => Self::new(422, "nothing-to-change", "Nothing to change").detail(
                "Nothing to change: the target branch has these values already. Nothing was stored or sent.",
            ),
            Refused::KeyMismatch(id) => Self::new(409, "idempotency-mismatch", "The key was used before")
                .detail(format!("The idempotency key belongs to request {id}, which has other fields. Use a new key for a new change."))
                .with("operation_id", id),
            Refused::Busy(id) => Self::new(409, "in-progress", "The relation is held")
                .detail(format!("Request {id} holds this relation and is not finished. Resume or close it first."))
                .with("operation_id", id),
            Refused::NotReappliable(id) => Self::new(409, "not-reappliable", "Done already")
                .detail(format!("Request {id} made this change effective, and its kind may be applied for only once."))
                .with("operation_id", id),
            Refused::Store(error) => error.into(),
        }
    }
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Self {
        let mut body = Map::new();
        body.insert("type".into(), format!("https://signalbox.dev/problems/{}", problem.word).into());
        body.insert("title".into(), problem.title.into());
        body.insert("status".into(), problem.status.into());
        body.insert("detail".into(), problem.detail.into());
        body.insert("instance".into(), problem.instance.into());
        body.extend(problem.more);
        Self {
            status: problem.status,
            headers: Vec::new(),
            content_type: "application/problem+json",
            body: Value::Object(body).to_string(),
        }
    }
}
