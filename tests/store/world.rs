//! A store in a directory of its own, requests to fill it with, and a second connection to type SQL by hand.

use std::path::{Path, PathBuf};

use serde_json::json;
use signalbox_engine::{
    flow::{Actor, Event, Step, table},
    settings::FlowOrder,
    store::{
        Store,
        moves::{Moved, Transition},
        operation::{Facts, Millis, MrFacts, Operation},
        submission::{Submission, Submitted},
    },
};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};

/// The first moment of every test.
pub(crate) const NOON: Millis = 1_750_000_000_000;

/// A store and its directory.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) dir: tempfile::TempDir,
}

impl World {
    pub(crate) async fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        Self { store: Store::open(dir.path()).await.expect("a store"), dir }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.dir.path().join("signalbox.db")
    }

    /// A connection as a person with the `sqlite3` program has it.
    pub(crate) async fn by_hand(&self) -> SqliteConnection {
        by_hand(&self.file()).await
    }

    /// A request that was just submitted, approval-first.
    pub(crate) async fn request(&self, id: &str) -> Operation {
        assert_eq!(
            self.store.submit(submission(id)).await.expect("stored"),
            Submitted::Accepted(Step::ApprovalSending)
        );
        self.read(id).await
    }

    pub(crate) async fn read(&self, id: &str) -> Operation {
        self.store.operation(id).await.expect("readable").expect("a request")
    }

    /// Moves a request by events of the table.
    pub(crate) async fn walk(&self, id: &str, events: &[Event]) -> Operation {
        for event in events {
            let operation = self.read(id).await;
            let moved = self.store.commit(transition(&operation, *event)).await.expect("written");
            assert_eq!(moved, Moved::To(operation.version + 1));
        }
        self.read(id).await
    }
}

pub(crate) async fn by_hand(file: &Path) -> SqliteConnection {
    SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Wal)
        .connect()
        .await
        .expect("a second connection")
}

/// Runs what was typed. The message of the database where it refused.
pub(crate) async fn typed(connection: &mut SqliteConnection, sql: &str) -> Result<u64, String> {
    sqlx::query(AssertSqlSafe(sql.to_owned()))
        .execute(connection)
        .await
        .map(|done| done.rows_affected())
        .map_err(|error| error.to_string())
}

/// A number that a query answers.
pub(crate) async fn number(connection: &mut SqliteConnection, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(connection).await.expect("a number")
}

/// A request for a relation of its own.
pub(crate) fn submission(id: &str) -> Submission {
    Submission {
        operation_id: id.into(),
        kind: "service-quota".into(),
        workflow: "merge-request".into(),
        subject_id: format!("service-{id}"),
        target_key: "eu/cpu".into(),
        repeatable: false,
        flow_order: FlowOrder::ApprovalFirst,
        fields: json!({"service": format!("service-{id}"), "limit": 4}),
        comment: None,
        requested_by: "alice".into(),
        idempotency_key: None,
        fingerprint: "4".into(),
        facts: Facts { project: "platform/config".into(), target_branch: "main".into(), ..Facts::default() },
        files: Vec::new(),
        warning: None,
        at: NOON,
        max_active: 100_000,
        instead_of: None,
    }
}

/// The move that the table lists for this event.
pub(crate) fn transition(operation: &Operation, event: Event) -> Transition {
    let mut facts = operation.facts.clone();
    if event == Event::MrOpened {
        facts.mr = Some(MrFacts { iid: 7, web_url: "http://gitlab/7".into() });
    }
    let to = table::next(Some(operation.step), event, operation.flow_order, facts.mr.is_some()).expect("a legal move");
    Transition { facts, ..to_step(operation, event.word(), to) }
}

/// A move to any step, asked of the table or not.
pub(crate) fn to_step(operation: &Operation, event: &str, to: Step) -> Transition {
    Transition {
        operation_id: operation.operation_id.clone(),
        version: operation.version,
        from: operation.step,
        from_status: operation.status,
        to,
        event: event.into(),
        actor: Actor::system(),
        reason: None,
        evidence: None,
        at: operation.entered_at + 1000,
        entered_at: operation.entered_at,
        due_at: Some(operation.entered_at + 1000),
        facts: operation.facts.clone(),
        error: None,
        wish: None,
        fulfils: None,
        releases: true,
        new_version: true,
        new_attempt: false,
        verdicts: Vec::new(),
        compensation: None,
        text: None,
    }
}
