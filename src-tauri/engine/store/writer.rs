//! The one writer. Work that is queued together is committed together; each piece is still all or nothing, and each
//! caller is answered after the commit.

use std::sync::Arc;

use futures::future::BoxFuture;
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tracing::error;

use super::{
    StoreError, StoreResult,
    moves::{self, Moved, Transition},
};

/// The most pieces of work in one commit (measured optimum of group commit lies between 32 and 256).
const BATCH: usize = 128;
/// Work that may queue before callers wait.
const QUEUE: usize = 1024;

type Work = Box<dyn for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, StoreResult<Answer>> + Send>;
/// Sends the answer once the commit is durable.
type Answer = Box<dyn FnOnce(StoreResult<()>) + Send>;

enum Job {
    Move(Arc<Transition>, oneshot::Sender<StoreResult<Moved>>),
    Work(Work),
    Close(oneshot::Sender<()>),
}

/// The queue to the one connection that writes.
#[derive(Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    pub(super) fn start(connection: SqliteConnection) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        tokio::spawn(run(connection, jobs));
        Self { queue }
    }

    /// Commits a transition together with whatever else is queued.
    pub(super) async fn transition(&self, transition: Arc<Transition>) -> StoreResult<Moved> {
        let (reply, answer) = oneshot::channel();
        self.queue.send(Job::Move(transition, reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Runs a piece of work in a savepoint of the next commit.
    pub(super) async fn run<T, F>(&self, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, StoreResult<T>> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let work: Work = Box::new(move |connection| {
            Box::pin(async move {
                match work(connection).await {
                    Ok(value) => {
                        let answer: Answer = Box::new(move |committed| {
                            drop(reply.send(committed.map(|()| value)));
                        });
                        Ok(answer)
                    }
                    Err(error) => {
                        drop(reply.send(Err(error.clone())));
                        Err(error)
                    }
                }
            })
        });
        self.queue.send(Job::Work(work)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    pub(super) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if self.queue.send(Job::Close(reply)).await.is_ok() {
            drop(closed.await);
        }
    }
}

async fn run(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut batch = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        let mut closing = None;
        let mut transitions = Vec::new();
        let mut works = Vec::new();
        for job in batch.drain(..) {
            match job {
                Job::Move(transition, reply) => transitions.push((transition, reply)),
                Job::Work(work) => works.push(work),
                Job::Close(reply) => closing = Some(reply),
            }
        }
        commit(&mut connection, transitions, works).await;
        if let Some(reply) = closing {
            jobs.close();
            for sql in ["PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"] {
                if let Err(failed) = sqlx::query(sql).execute(&mut connection).await {
                    error!(error = %failed, "the store could not be tidied while closing; its content is safe");
                }
            }
            drop(connection.close().await);
            // Whoever asked may have given up waiting; the store is closed all the same.
            let _closed = reply.send(());
            return;
        }
    }
}

type Waiting = (Arc<Transition>, oneshot::Sender<StoreResult<Moved>>);

async fn commit(connection: &mut SqliteConnection, transitions: Vec<Waiting>, works: Vec<Work>) {
    let mut answers: Vec<Answer> = Vec::new();
    let outcome = write(connection, transitions, works, &mut answers).await;
    if let Err(failed) = &outcome {
        error!(error = %failed, "a commit of the local store failed; nothing of it was kept");
        drop(sqlx::query("ROLLBACK").execute(connection).await);
    }
    for answer in answers {
        answer(outcome.clone());
    }
}

async fn write(
    connection: &mut SqliteConnection,
    transitions: Vec<Waiting>,
    works: Vec<Work>,
    answers: &mut Vec<Answer>,
) -> StoreResult<()> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    for work in works {
        sqlx::query("SAVEPOINT piece").execute(&mut *connection).await?;
        match work(connection).await {
            Ok(answer) => answers.push(answer),
            Err(_) => {
                sqlx::query("ROLLBACK TO piece").execute(&mut *connection).await?;
            }
        }
        sqlx::query("RELEASE piece").execute(&mut *connection).await?;
    }
    let results = together_or_each(connection, &transitions).await?;
    for ((_, reply), result) in transitions.into_iter().zip(results) {
        answers.push(Box::new(move |committed| drop(reply.send(committed.and(result)))));
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

/// The whole batch as sets; where one row is refused by the database, each on its own, so that the others are kept.
async fn together_or_each(
    connection: &mut SqliteConnection,
    transitions: &[Waiting],
) -> StoreResult<Vec<StoreResult<Moved>>> {
    if transitions.is_empty() {
        return Ok(Vec::new());
    }
    let all: Vec<_> = transitions.iter().map(|(transition, _)| transition.as_ref()).collect();
    sqlx::query("SAVEPOINT batch").execute(&mut *connection).await?;
    let together = moves::write(connection, &all).await;
    let results = match together {
        Ok(results) => results.into_iter().map(Ok).collect(),
        Err(_) if all.len() > 1 => {
            sqlx::query("ROLLBACK TO batch").execute(&mut *connection).await?;
            let mut results = Vec::with_capacity(all.len());
            for one in &all {
                sqlx::query("SAVEPOINT one").execute(&mut *connection).await?;
                let result = moves::write(connection, std::slice::from_ref(one)).await;
                if result.is_err() {
                    sqlx::query("ROLLBACK TO one").execute(&mut *connection).await?;
                }
                sqlx::query("RELEASE one").execute(&mut *connection).await?;
                results.push(result.map(|mut moved| moved.remove(0)));
            }
            results
        }
        Err(error) => {
            sqlx::query("ROLLBACK TO batch").execute(&mut *connection).await?;
            vec![Err(error)]
        }
    };
    sqlx::query("RELEASE batch").execute(connection).await?;
    Ok(results)
}
