//! A new request: key first, then the relation, then admission; all in one commit.

use serde_json::{Value, json};
use sqlx::{Row as _, SqliteConnection};

use super::{
    Store, StoreResult, moves,
    operation::{Facts, Millis},
};
use crate::{
    flow::{Event, Status, Step, table},
    say,
    settings::FlowOrder,
    words::Sentence,
};

/// A file as it was rendered for the requester.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFile {
    /// Path in the repository.
    pub path: String,
    /// `create`, `update` or `delete`.
    pub action: &'static str,
    /// Text before; None where there was no file.
    pub before: Option<String>,
    /// Text after; None where it is deleted.
    pub after: Option<String>,
    /// Unified diff.
    pub diff: String,
}

/// A request that has passed every check that needs no store.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are the columns'")]
pub struct Submission {
    pub operation_id: String,
    pub kind: String,
    pub workflow: String,
    pub subject_id: String,
    pub target_key: String,
    pub repeatable: bool,
    pub flow_order: FlowOrder,
    pub fields: Value,
    pub comment: Option<String>,
    pub requested_by: String,
    pub idempotency_key: Option<String>,
    /// What makes two submissions under one key the same: kind and fields, not the comment.
    pub fingerprint: String,
    pub facts: Facts,
    pub files: Vec<RenderedFile>,
    pub warning: Option<Sentence>,
    pub at: Millis,
    /// Admission limit.
    pub max_active: u32,
    /// Set where this is a reapplication: the operation that must still own the relation.
    pub instead_of: Option<String>,
}

/// What became of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored, at this step.
    Accepted(Step),
    /// The same key and body came before.
    Repeated(String),
    /// The same key came before with other fields.
    KeyMismatch(String),
    /// The relation is held by a request that is not finished.
    Busy(String, Status),
    /// The relation's last request was validated, and the kind is not repeatable.
    NotReappliable(String),
    /// The relation has been taken over by another request since.
    NotOwner(String),
}

impl Store {
    /// Stores a submission, or says why not. An overloaded engine stores it as a visible failure.
    pub async fn submit(&self, submission: Submission) -> StoreResult<Submitted> {
        self.writer.run(move |connection| Box::pin(submit(connection, submission))).await
    }

    /// The operation that a key named first, and whether the body is the same.
    pub async fn by_key(&self, kind: &str, key: &str, fingerprint: &str) -> StoreResult<Option<(String, bool)>> {
        let row = sqlx::query("SELECT operation_id, fingerprint FROM operation WHERE kind = ? AND idempotency_key = ?")
            .bind(kind.to_owned())
            .bind(key.to_owned())
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map(|row| (row.get(0), row.get::<String, _>(1) == fingerprint)))
    }

    /// The files of a request as they were rendered.
    pub async fn rendered_files(&self, operation_id: &str) -> StoreResult<Vec<RenderedFile>> {
        let rows = sqlx::query(
            "SELECT path, action, before_text, after_text, diff FROM rendered_file WHERE operation_id = ? ORDER BY path",
        )
        .bind(operation_id.to_owned())
        .fetch_all(&self.readers)
        .await?;
        let action = |word: String| match word.as_str() {
            "create" => "create",
            "delete" => "delete",
            _ => "update",
        };
        Ok(rows
            .into_iter()
            .map(|row| RenderedFile {
                path: row.get(0),
                action: action(row.get(1)),
                before: row.get(2),
                after: row.get(3),
                diff: row.get(4),
            })
            .collect())
    }
}

async fn submit(connection: &mut SqliteConnection, new: Submission) -> StoreResult<Submitted> {
    if let Some(key) = &new.idempotency_key {
        let held =
            sqlx::query("SELECT operation_id, fingerprint FROM operation WHERE kind = ? AND idempotency_key = ?")
                .bind(new.kind.clone())
                .bind(key.clone())
                .fetch_optional(&mut *connection)
                .await?;
        if let Some(row) = held {
            let (id, fingerprint): (String, String) = (row.get(0), row.get(1));
            return Ok(if fingerprint == new.fingerprint {
                Submitted::Repeated(id)
            } else {
                Submitted::KeyMismatch(id)
            });
        }
    }
    if let Some(refused) = relation(connection, &new).await? {
        return Ok(refused);
    }
    let (active,): (i64,) =
        sqlx::query_as("SELECT count(*) FROM operation WHERE outlook = 'running' OR step IN (10005, 10107, 10108)")
            .fetch_one(&mut *connection)
            .await?;
    let event = if active >= i64::from(new.max_active) { Event::SubmitOverloaded } else { Event::Submit };
    let Ok(step) = table::next(None, event, new.flow_order, false) else {
        return Ok(Submitted::Accepted(Step::CreateOverloaded));
    };
    insert(connection, &new, event, step).await?;
    Ok(Submitted::Accepted(step))
}

/// None when the relation is free or may be applied for again.
async fn relation(connection: &mut SqliteConnection, new: &Submission) -> StoreResult<Option<Submitted>> {
    let held = sqlx::query("SELECT operation_id, status FROM binding WHERE subject_id = ? AND target_key = ?")
        .bind(new.subject_id.clone())
        .bind(new.target_key.clone())
        .fetch_optional(connection)
        .await?;
    let Some(row) = held else { return Ok(None) };
    let (owner, word): (String, String) = (row.get(0), row.get(1));
    let Some(status) = Status::from_word(&word) else { return Ok(Some(Submitted::Busy(owner, Status::Merging))) };
    if new.instead_of.as_ref().is_some_and(|expected| *expected != owner) {
        return Ok(Some(Submitted::NotOwner(owner)));
    }
    Ok(if status.reappliable(new.repeatable) {
        None
    } else if status == Status::Validated {
        Some(Submitted::NotReappliable(owner))
    } else {
        Some(Submitted::Busy(owner, status))
    })
}

async fn insert(connection: &mut SqliteConnection, new: &Submission, event: Event, step: Step) -> StoreResult<()> {
    let status = step.status().unwrap_or(Status::CreateFailed);
    let overloaded = step == Step::CreateOverloaded;
    let due = (!overloaded).then_some(new.at);
    sqlx::query(
        "INSERT INTO operation (operation_id, kind, workflow, subject_id, target_key, flow_order, step, status, outlook, version, \
           fields, comment, requested_by, idempotency_key, fingerprint, created_at, updated_at, entered_at, due_at, project, \
           project_id, facts, error_class, error_message, error_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?11, ?12, ?13, ?14, ?15, ?15, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)",
    )
    .bind(new.operation_id.clone())
    .bind(new.kind.clone())
    .bind(new.workflow.clone())
    .bind(new.subject_id.clone())
    .bind(new.target_key.clone())
    .bind(new.flow_order.word())
    .bind(step.code())
    .bind(status.word())
    .bind(step.outlook().word())
    .bind(new.fields.to_string())
    .bind(new.comment.clone())
    .bind(new.requested_by.clone())
    .bind(new.idempotency_key.clone())
    .bind(new.fingerprint.clone())
    .bind(new.at)
    .bind(due)
    .bind(new.facts.project.clone())
    .bind(new.facts.project_id.map(u64::cast_signed))
    .bind(json!(new.facts).to_string())
    .bind(overloaded.then_some("overloaded"))
    .bind(overloaded.then(|| json!(crate::say!("create.overloaded", limit = new.max_active)).to_string()))
    .bind(overloaded.then_some(new.at))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO binding (subject_id, target_key, operation_id, status, updated_at) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT (subject_id, target_key) DO UPDATE SET operation_id = excluded.operation_id, status = excluded.status, \
           updated_at = excluded.updated_at",
    )
    .bind(new.subject_id.clone())
    .bind(new.target_key.clone())
    .bind(new.operation_id.clone())
    .bind(status.word())
    .bind(new.at)
    .execute(&mut *connection)
    .await?;
    first_history(connection, new, event, step, status).await?;
    replace_files(connection, &new.operation_id, &new.files).await?;
    let text = format!("{} {} {} {} {}", new.operation_id, new.kind, new.subject_id, new.target_key, new.fields);
    moves::write_text(connection, &new.operation_id, &text).await
}

/// Keeps the files of a request as they are rendered now.
pub(super) async fn replace_files(
    connection: &mut SqliteConnection,
    operation_id: &str,
    files: &[RenderedFile],
) -> StoreResult<()> {
    sqlx::query("DELETE FROM rendered_file WHERE operation_id = ?")
        .bind(operation_id.to_owned())
        .execute(&mut *connection)
        .await?;
    for file in files {
        sqlx::query("INSERT INTO rendered_file (operation_id, path, action, before_text, after_text, diff) VALUES (?, ?, ?, ?, ?, ?)")
            .bind(operation_id.to_owned())
            .bind(file.path.clone())
            .bind(file.action)
            .bind(file.before.clone())
            .bind(file.after.clone())
            .bind(file.diff.clone())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn first_history(
    connection: &mut SqliteConnection,
    new: &Submission,
    event: Event,
    step: Step,
    status: Status,
) -> StoreResult<()> {
    let reason = match (new.comment.as_deref().map(Sentence::quoted), new.warning.clone()) {
        (Some(comment), Some(warning)) => Some(say!("submit.commented", warning = warning, comment = comment)),
        (comment, warning) => comment.or(warning),
    };
    sqlx::query(
        "INSERT INTO history (operation_id, seq, version, at, event, to_step, to_status, actor_kind, actor_name, reason) \
         VALUES (?, 1, 1, ?, ?, ?, ?, 'operator', ?, ?)",
    )
    .bind(new.operation_id.clone())
    .bind(new.at)
    .bind(event.word())
    .bind(step.code())
    .bind(status.word())
    .bind(new.requested_by.clone())
    .bind(reason.map(|reason| json!(reason).to_string()))
    .execute(&mut *connection)
    .await?;
    let changes = json!([
        {"path": "step", "pointer": "/step", "from": null, "to": step.code(), "op": "add"},
        {"path": "status", "pointer": "/status", "from": null, "to": status.word(), "op": "add"},
    ]);
    sqlx::query(
        "INSERT INTO diff (operation_id, seq, at, kind, actor_kind, actor_name, comment, changes) \
         VALUES (?, 1, ?, 'state', 'operator', ?, ?, ?)",
    )
    .bind(new.operation_id.clone())
    .bind(new.at)
    .bind(new.requested_by.clone())
    .bind(new.comment.clone())
    .bind(changes.to_string())
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO outbox (topic, operation_id, history_seq, version, step, status, at) VALUES ('operation', ?, 1, 1, ?, ?, ?)",
    )
    .bind(new.operation_id.clone())
    .bind(step.code())
    .bind(status.word())
    .bind(new.at)
    .execute(connection)
    .await?;
    Ok(())
}
