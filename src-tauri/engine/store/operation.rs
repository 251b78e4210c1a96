//! One request as it is stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{Store, StoreError, StoreResult};
use crate::{
    flow::{Status, Step},
    settings::FlowOrder,
    words::Sentence,
};

/// A moment: milliseconds since 1970 in UTC.
pub type Millis = i64;

/// What the engine knows of a request beyond its step: found at the remotes, or needed to find things again there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Path of the project with namespace.
    pub project: String,
    /// Number of the project; it survives a rename.
    pub project_id: Option<u64>,
    /// Branch to merge into.
    pub target_branch: String,
    /// Branch that carries the change.
    pub branch: String,
    /// Title of the merge request.
    pub title: String,
    /// The merge request.
    pub mr: Option<MrFacts>,
    /// Head that this operation made (by commit or by a rebase it asked for).
    pub head: Option<String>,
    /// The head whose checks have passed. Nothing else is approved or merged.
    pub checked: Option<String>,
    /// The commit on the target branch, once merged.
    pub merged_sha: Option<String>,
    /// Merge requests of this operation that were closed by somebody and given up.
    pub given_up: Vec<u64>,
    /// The ticket.
    pub ticket: Option<TicketFacts>,
    /// The values that the change edits, as the requester saw them; None where the target could not be read.
    pub observed: Option<BTreeMap<String, Value>>,
    /// Where each reviewer's approval stands.
    pub reviews: BTreeMap<String, Review>,
    /// How often an approval was lost on a head.
    pub lost: Option<LostApproval>,
    /// The rebase that is running.
    pub rebase: Option<RebaseFacts>,
    /// Rebases since the last press of a button.
    pub rebases: u32,
    /// Errors in a row that time may cure; they spend no look of a ladder that has its own end.
    pub stumbles: u32,
    /// Quick looks since the last one of the ladder, while GitLab tests whether it can merge.
    pub glances: u32,
    /// What the last look showed, for the one sentence.
    pub seen: Option<Sentence>,
    /// The pipeline that the last look showed.
    pub pipeline: Option<PipelineFacts>,
    /// What the last look believed of the remotes, for comparison in the recovery dialog.
    pub believed: Believed,
}

/// The merge request of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MrFacts {
    /// Number within the project.
    pub iid: u64,
    /// Page for people.
    pub web_url: String,
}

/// The ticket of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TicketFacts {
    /// Id at the approval system.
    pub id: String,
    /// Page for people.
    pub url: Option<String>,
    /// The state last read.
    #[serde(default)]
    pub state: Option<String>,
}

/// Where a reviewer's approval stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// Approve calls on this head so far.
    pub tries: u32,
    /// The head they were made for.
    pub head: String,
    /// Our own call was answered with success for this head.
    pub answered: bool,
    /// The last refusal, in words.
    pub refusal: Option<String>,
}

/// An approval that was seen and is gone, although the head is the same.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LostApproval {
    /// The head.
    pub head: String,
    /// How often; the first time it is given again.
    pub times: u32,
}

/// A rebase that is running.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RebaseFacts {
    /// The head before it.
    pub from: String,
    /// `merge_error` before it: the same text afterwards proves nothing.
    pub error_before: Option<String>,
}

/// A pipeline as last seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PipelineFacts {
    /// Number.
    pub id: u64,
    /// The word GitLab uses.
    pub status: String,
    /// Page for people.
    pub web_url: String,
}

/// What the last read of each remote showed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Believed {
    /// When.
    pub at: Option<Millis>,
    /// State of the merge request.
    pub mr_state: Option<String>,
    /// Its head.
    pub head_sha: Option<String>,
    /// Who had approved.
    pub approved_by: Vec<String>,
}

/// An error that is shown on the request.
#[derive(Debug, Clone, PartialEq)]
pub struct LastError {
    /// Its class.
    pub class: String,
    /// What happened.
    pub message: Sentence,
    /// When.
    pub at: Millis,
}

/// One request as it is stored.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are the columns', which the migration explains")]
pub struct Operation {
    pub operation_id: String,
    pub kind: String,
    pub subject_id: String,
    pub target_key: String,
    pub flow_order: FlowOrder,
    pub step: Step,
    pub status: Status,
    pub version: i64,
    pub fields: Value,
    pub comment: Option<String>,
    pub requested_by: String,
    pub created_at: Millis,
    pub updated_at: Millis,
    pub entered_at: Millis,
    pub due_at: Option<Millis>,
    pub look: u32,
    pub leased: bool,
    pub wish: Option<String>,
    pub attempts: u32,
    pub facts: Facts,
    pub error: Option<LastError>,
    /// Does it own its relation?
    pub owner: bool,
}

impl Facts {
    /// Forgets what counts tries, because a person set the request going again.
    pub fn start_over(&mut self) {
        self.reviews.clear();
        self.lost = None;
        self.rebases = 0;
        self.stumbles = 0;
        self.seen = None;
    }
}

impl Operation {
    /// True once a merge request is known.
    #[must_use]
    pub fn has_mr(&self) -> bool {
        self.facts.mr.is_some()
    }
}

/// The columns of [`Operation`], in one place. A macro, because the driver takes only literal SQL.
#[macro_export]
#[doc(hidden)]
macro_rules! operation_select {
    ($rest:literal) => {
        concat!(
            "SELECT o.operation_id, o.kind, o.subject_id, o.target_key, o.flow_order, o.step, o.status, o.version, o.fields, o.comment, \
             o.requested_by, o.created_at, o.updated_at, o.entered_at, o.due_at, o.look, o.lease_owner, o.wish, o.attempts, o.facts, \
             o.error_class, o.error_message, o.error_at, \
             EXISTS (SELECT 1 FROM binding b WHERE b.operation_id = o.operation_id) AS owner FROM operation o ",
            $rest
        )
    };
}

/// The same, passing over a row that cannot be read: one broken request must keep nobody from the others.
pub(super) fn readable(row: &SqliteRow) -> Option<Operation> {
    let unreadable = match from_row(row) {
        Ok(operation) => return Some(operation),
        Err(unreadable) => unreadable,
    };
    let operation = row.try_get::<String, _>("operation_id").unwrap_or_default();
    tracing::error!(operation, error = %unreadable, "a request cannot be read; it is passed over");
    None
}

/// Reads a row that was selected with `operation_select!`.
pub(super) fn from_row(row: &SqliteRow) -> StoreResult<Operation> {
    let unreadable = |what: String| StoreError::Unreadable { what };
    let step: i64 = row.try_get("step")?;
    let status: String = row.try_get("status")?;
    let order: String = row.try_get("flow_order")?;
    let json = |column: &str| -> StoreResult<Value> {
        serde_json::from_str(&row.try_get::<String, _>(column)?).map_err(|e| unreadable(format!("{column} ({e})")))
    };
    let error = match row.try_get::<Option<String>, _>("error_class")? {
        None => None,
        Some(class) => Some(LastError {
            class,
            message: read_sentence(row.try_get::<Option<String>, _>("error_message")?.as_deref()),
            at: row.try_get("error_at")?,
        }),
    };
    Ok(Operation {
        operation_id: row.try_get("operation_id")?,
        kind: row.try_get("kind")?,
        subject_id: row.try_get("subject_id")?,
        target_key: row.try_get("target_key")?,
        flow_order: if order == FlowOrder::MrFirst.word() { FlowOrder::MrFirst } else { FlowOrder::ApprovalFirst },
        step: Step::from_code(step).ok_or_else(|| unreadable(format!("the step {step}")))?,
        status: Status::from_word(&status).ok_or_else(|| unreadable(format!("the status {status}")))?,
        version: row.try_get("version")?,
        fields: json("fields")?,
        comment: row.try_get("comment")?,
        requested_by: row.try_get("requested_by")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
        entered_at: row.try_get("entered_at")?,
        due_at: row.try_get("due_at")?,
        look: row.try_get("look")?,
        leased: row.try_get::<Option<String>, _>("lease_owner")?.is_some(),
        wish: row.try_get("wish")?,
        attempts: row.try_get("attempts")?,
        facts: serde_json::from_value(json("facts")?).map_err(|e| unreadable(format!("facts ({e})")))?,
        error,
        owner: row.try_get("owner")?,
    })
}

/// A stored sentence; text that is none is shown as it is.
pub(super) fn read_sentence(text: Option<&str>) -> Sentence {
    let text = text.unwrap_or_default();
    serde_json::from_str(text).unwrap_or_else(|_| Sentence::quoted(text))
}

impl Store {
    /// One request, or None.
    pub async fn operation(&self, operation_id: &str) -> StoreResult<Option<Operation>> {
        let row = sqlx::query(operation_select!("WHERE o.operation_id = ?"))
            .bind(operation_id.to_owned())
            .fetch_optional(&self.readers)
            .await?;
        row.as_ref().map(from_row).transpose()
    }

    /// The request that owns a relation now.
    pub async fn owner_of(&self, subject_id: &str, target_key: &str) -> StoreResult<Option<Operation>> {
        let row = sqlx::query(operation_select!(
            "JOIN binding r ON r.operation_id = o.operation_id WHERE r.subject_id = ? AND r.target_key = ?"
        ))
        .bind(subject_id.to_owned())
        .bind(target_key.to_owned())
        .fetch_optional(&self.readers)
        .await?;
        row.as_ref().map(from_row).transpose()
    }
}
