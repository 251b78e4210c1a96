//! Errors of the API: RFC 9457 `application/problem+json`, one sentence each.

use serde_json::{Map, Value, json};

use crate::{
    documents::kinds::FieldError,
    say,
    store::{StoreError, history::HistoryRow},
    submit::Refused,
    words::{Lang, Sentence},
};

use super::{Reply, time};

/// A refused call. Its sentences are put into the caller's language when it is answered.
#[derive(Debug, Clone)]
pub struct Problem {
    status: u16,
    word: &'static str,
    title: &'static str,
    detail: Sentence,
    errors: Vec<FieldError>,
    instance: String,
    more: Map<String, Value>,
}

impl Problem {
    /// A problem of a kind.
    #[must_use]
    pub fn new(status: u16, word: &'static str, title: &'static str) -> Self {
        Self {
            status,
            word,
            title,
            detail: title.into(),
            errors: Vec::new(),
            instance: String::new(),
            more: Map::new(),
        }
    }

    /// Says what happened.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Sentence>) -> Self {
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
        Self::new(404, "not-found", "No such request").detail(say!("problem.no_operation", id = id))
    }

    /// 422 in general.
    #[must_use]
    pub fn unprocessable(detail: impl Into<Sentence>) -> Self {
        Self::new(422, "unprocessable", "The request cannot be used").detail(detail)
    }

    /// 503: the store did not do it.
    #[must_use]
    pub fn store(detail: &str) -> Self {
        Self::new(503, "store-unavailable", "The local store did not do it").detail(say!("problem.store", why = detail))
    }

    /// 500: a bug of ours.
    #[must_use]
    pub fn bug() -> Self {
        Self::new(500, "bug", "An unforeseen error").detail(say!("problem.bug"))
    }

    /// 422 with a place and a message for each field.
    #[must_use]
    pub fn fields(errors: Vec<FieldError>) -> Self {
        let detail = errors.first().map_or_else(|| "".into(), |error| error.message.clone());
        Self { errors, ..Self::new(422, "invalid-fields", "Some fields cannot be used").detail(detail) }
    }

    /// 409: somebody was first.
    #[must_use]
    pub fn stale(version: i64, last: Option<&HistoryRow>) -> Self {
        let detail = match last {
            Some(row) => say!("problem.stale", who = row.actor_name.clone(), event = row.event.clone()),
            None => say!("problem.stale_nobody"),
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
            Refused::UnknownKind(kind) => {
                let message = say!("problem.no_kind", kind = kind);
                let errors = vec![FieldError { path: String::new(), message: message.clone() }];
                Self { errors, ..Self::unprocessable(message) }
            }
            Refused::OtherWorkflow(workflow) => {
                Self::unprocessable(format!("The workflow {workflow:?} is not served by this version."))
            }
            Refused::Fields(errors) => Self::fields(errors),
            Refused::NothingToChange => {
                Self::new(422, "nothing-to-change", "Nothing to change").detail(say!("problem.nothing_to_change"))
            }
            Refused::KeyMismatch(id) => Self::new(409, "idempotency-mismatch", "The key was used before")
                .detail(say!("problem.key_mismatch", id = id.clone()))
                .with("operation_id", id),
            Refused::Busy(id) => Self::new(409, "in-progress", "The relation is held")
                .detail(say!("problem.busy", id = id.clone()))
                .with("operation_id", id),
            Refused::NotReappliable(id) => Self::new(409, "not-reappliable", "Done already")
                .detail(say!("problem.not_reappliable", id = id.clone()))
                .with("operation_id", id),
            Refused::Store(error) => error.into(),
        }
    }
}

impl Problem {
    /// The answer in a language.
    #[must_use]
    pub fn reply(self, lang: Lang) -> Reply {
        let mut body = Map::new();
        body.insert("type".into(), format!("https://signalbox.dev/problems/{}", self.word).into());
        body.insert("title".into(), self.title.into());
        body.insert("status".into(), self.status.into());
        body.insert("detail".into(), self.detail.render(lang).into());
        body.insert("instance".into(), self.instance.into());
        if !self.errors.is_empty() {
            let error = |error: &FieldError| json!({"path": error.path, "message": error.message.render(lang)});
            body.insert("errors".into(), self.errors.iter().map(error).collect());
        }
        body.extend(self.more);
        Reply {
            status: self.status,
            headers: Vec::new(),
            content_type: "application/problem+json",
            body: Value::Object(body).to_string(),
        }
    }
}

/// For callers that are programs.
impl From<Problem> for Reply {
    fn from(problem: Problem) -> Self {
        problem.reply(Lang::En)
    }
}
