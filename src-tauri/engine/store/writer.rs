//! The one writer. Work that is queued together is committed together; each piece is still all or nothing, and each
//! caller is answered after the commit.

use std::{collections::VecDeque, sync::Arc};

use futures::future::BoxFuture;
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tracing::error;

use super::{
    StoreError, StoreResult,
    moves::{self, Moved, Transition},
};
use crate::run::caught;

/// The most pieces of work in one commit (measured optimum of group commit lies between 32 and 256).
const BATCH: usize = 128;
/// Work that may queue before callers wait.
const QUEUE: usize = 1024;

/// Sends the answer once it is known whether the commit is durable.
type Answer = Box<dyn FnOnce(StoreResult<()>) + Send>;

/// Work with the caller who waits for it.
trait Piece: Send {
    /// Does the work. A caller whose work fails is told at once, since no commit can change that.
    fn run<'c>(self: Box<Self>, connection: &'c mut SqliteConnection) -> BoxFuture<'c, StoreResult<Answer>>;
    /// Tells the caller that it was not done.
    fn refuse(self: Box<Self>, error: StoreError);
}

struct Work<T, F> {
    work: F,
    reply: oneshot::Sender<StoreResult<T>>,
}

impl<T, F> Piece for Work<T, F>
where
    T: Send + 'static,
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, StoreResult<T>> + Send + 'static,
{
    fn run<'c>(self: Box<Self>, connection: &'c mut SqliteConnection) -> BoxFuture<'c, StoreResult<Answer>> {
        Box::pin(async move {
            let Self { work, reply } = *self;
            match sheltered(async { work(connection).await }).await {
                Ok(value) => {
                    let answer: Answer = Box::new(move |committed| drop(reply.send(committed.map(|()| value))));
                    Ok(answer)
                }
                Err(error) => {
                    drop(reply.send(Err(error.clone())));
                    Err(error)
                }
            }
        })
    }

    fn refuse(self: Box<Self>, error: StoreError) {
        drop(self.reply.send(Err(error)));
    }
}

enum Job {
    Move(Arc<Transition>, oneshot::Sender<StoreResult<Moved>>),
    Work(Box<dyn Piece>),
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

    /// A queue that nobody works on: whoever asks is told that the store is closed.
    pub(super) fn closed() -> Self {
        Self { queue: mpsc::channel(1).0 }
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
        self.queue.send(Job::Work(Box::new(Work { work, reply }))).await.map_err(|_| StoreError::Closed)?;
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
    let mut jobs_at_once = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut jobs_at_once, BATCH).await > 0 {
        let mut closing = None;
        let mut batch = Batch::default();
        for job in jobs_at_once.drain(..) {
            match job {
                Job::Move(transition, reply) => batch.moves.push((transition, reply)),
                Job::Work(work) => batch.works.push_back(work),
                Job::Close(reply) => closing = Some(reply),
            }
        }
        batch.commit(&mut connection).await;
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

/// What is committed together, and who waits for it: whatever becomes of the commit, everybody is answered.
#[derive(Default)]
struct Batch {
    works: VecDeque<Box<dyn Piece>>,
    moves: Vec<Waiting>,
    answers: Vec<Answer>,
}

impl Batch {
    async fn commit(mut self, connection: &mut SqliteConnection) {
        if self.works.is_empty() && self.moves.is_empty() {
            return;
        }
        let outcome = self.write(connection).await;
        if let Err(failed) = &outcome {
            error!(error = %failed, "a commit of the local store failed; nothing of it was kept");
            drop(sqlx::query("ROLLBACK").execute(connection).await);
            self.works.into_iter().for_each(|work| work.refuse(failed.clone()));
            for (_, reply) in self.moves {
                drop(reply.send(Err(failed.clone())));
            }
        }
        for answer in self.answers {
            answer(outcome.clone());
        }
    }

    async fn write(&mut self, connection: &mut SqliteConnection) -> StoreResult<()> {
        execute(connection, "BEGIN IMMEDIATE").await?;
        while let Some(work) = self.works.pop_front() {
            execute(connection, "SAVEPOINT piece").await?;
            match work.run(connection).await {
                Ok(answer) => self.answers.push(answer),
                Err(error) => undo_to(connection, "ROLLBACK TO piece", error).await.map(drop)?,
            }
            execute(connection, "RELEASE piece").await?;
        }
        let results = together_or_each(connection, &self.moves).await?;
        for ((_, reply), result) in self.moves.drain(..).zip(results) {
            self.answers.push(Box::new(move |committed| drop(reply.send(committed.and(result)))));
        }
        execute(connection, "COMMIT").await
    }
}

/// A bug in one piece of work is that piece's failure: the writer, and all who wait for it, go on.
async fn sheltered<T>(work: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    caught(work).await.unwrap_or_else(|| {
        error!("a piece of work panicked in the store; this is a bug, and only this piece is affected");
        Err(StoreError::Panicked)
    })
}

async fn execute(connection: &mut SqliteConnection, sql: &'static str) -> StoreResult<()> {
    sqlx::query(sql).execute(connection).await?;
    Ok(())
}

/// Goes back to a savepoint and gives the error back to go on with. A full disk can end the whole transaction, savepoints
/// and all: then this error is why the commit fails.
async fn undo_to(connection: &mut SqliteConnection, sql: &'static str, error: StoreError) -> StoreResult<StoreError> {
    match execute(connection, sql).await {
        Ok(()) => Ok(error),
        Err(_) => Err(error),
    }
}

/// The whole batch as sets; where one row is refused by the database, each on its own, so that the others are kept. A request
/// that stands in a batch twice is refused by the key of the history, and so comes here one at a time.
async fn together_or_each(
    connection: &mut SqliteConnection,
    transitions: &[Waiting],
) -> StoreResult<Vec<StoreResult<Moved>>> {
    if transitions.is_empty() {
        return Ok(Vec::new());
    }
    let all: Vec<_> = transitions.iter().map(|(transition, _)| transition.as_ref()).collect();
    execute(connection, "SAVEPOINT batch").await?;
    let together = sheltered(moves::write(connection, &all)).await;
    let results = match together {
        Ok(results) => results.into_iter().map(Ok).collect(),
        Err(error) => {
            let error = undo_to(connection, "ROLLBACK TO batch", error).await?;
            if all.len() == 1 { vec![Err(error)] } else { each(connection, &all).await? }
        }
    };
    execute(connection, "RELEASE batch").await?;
    Ok(results)
}

async fn each(connection: &mut SqliteConnection, all: &[&Transition]) -> StoreResult<Vec<StoreResult<Moved>>> {
    let mut results = Vec::with_capacity(all.len());
    for one in all {
        execute(connection, "SAVEPOINT one").await?;
        let result = match sheltered(moves::write(connection, std::slice::from_ref(one))).await {
            Ok(mut moved) => Ok(moved.remove(0)),
            Err(error) => Err(undo_to(connection, "ROLLBACK TO one", error).await?),
        };
        execute(connection, "RELEASE one").await?;
        results.push(result);
    }
    Ok(results)
}
