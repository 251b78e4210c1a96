//! What is done later: rebases, deploys, callbacks, decisions by the desk itself. Jobs are stored, so a restart goes on with them.

use std::sync::Arc;
use std::time::Duration;

use crate::accounts::PLACES;
use crate::callbacks;
use crate::clock::now;
use crate::held;
use crate::state::{Job, Work};
use crate::world::World;
use crate::{deploy, desk, forge};

/// Branches that were pushed to with plain git are noticed within this time.
const SCAN: Duration = Duration::from_secs(2);

/// What becomes of a job that was tried.
enum Next {
    Done,
    Again(Work, Duration),
}

/// Does what is due, until the sandbox stops.
pub(crate) async fn run(world: Arc<World>) {
    loop {
        let due = take_due(&world);
        for job in due {
            let world = Arc::clone(&world);
            tokio::spawn(async move { finish(&world, job).await });
        }
        let wait = until_next(&world).unwrap_or(SCAN);
        tokio::select! {
            () = world.stop.cancelled() => return,
            () = world.agenda.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Looks for what was done with plain git, until the sandbox stops.
pub(crate) async fn watch_repositories(world: Arc<World>) {
    loop {
        tokio::select! {
            () = world.stop.cancelled() => return,
            () = tokio::time::sleep(SCAN) => {}
        }
        for place in PLACES {
            if let Err(error) = forge::notice_moves(&world, place.id).await {
                tracing::warn!(project = place.path, %error, "the branches cannot be read");
            }
        }
    }
}

fn take_due(world: &World) -> Vec<Job> {
    let now = now();
    let mut busy = held(&world.busy);
    let due: Vec<Job> = world
        .read(|state| state.jobs.values().filter(|job| job.due <= now && !busy.contains(&job.id)).cloned().collect());
    busy.extend(due.iter().map(|job| job.id));
    due
}

fn until_next(world: &World) -> Option<Duration> {
    let busy = held(&world.busy).clone();
    let due = world.read(|state| state.jobs.values().filter(|job| !busy.contains(&job.id)).map(|job| job.due).min())?;
    Some(Duration::from_millis((due - now()).max(0) as u64))
}

async fn finish(world: &World, job: Job) {
    let next = act(world, job.work).await;
    world.write(|state| match next {
        Next::Done => {
            state.jobs.remove(&job.id);
        }
        Next::Again(work, wait) => {
            let due = now() + wait.as_millis() as i64;
            state.jobs.insert(job.id, Job { id: job.id, due, work });
        }
    });
    held(&world.busy).remove(&job.id);
    world.agenda.notify_one();
}

async fn act(world: &World, work: Work) -> Next {
    let failed = match work.clone() {
        Work::Rebase { project, iid } => forge::finish_rebase(world, project, iid).await.err(),
        Work::MergeWhenGreen { project, iid } => match forge::merge_when_green(world, project, iid).await {
            Ok(true) => return Next::Again(work, Duration::from_millis(300)),
            other => other.err(),
        },
        Work::RemoveBranch { project, branch, sha } => {
            let repo = world.repo(project);
            let _held = repo.writing.lock().await;
            match repo.head(&branch) {
                Some(head) if head == sha => repo.delete_branch(&branch).await.err(),
                _ => None,
            }
        }
        Work::Deploy { project, iid } => {
            deploy::finish(world, project, iid);
            None
        }
        Work::ApproveTicket { number } => {
            desk::approve_by_itself(world, number);
            None
        }
        Work::Send { delivery } => {
            return match callbacks::send(world, delivery).await {
                Some((delivery, wait)) => Next::Again(Work::Send { delivery }, wait),
                None => Next::Done,
            };
        }
    };
    if let Some(error) = failed {
        tracing::warn!(%error, ?work, "a practice job failed");
    }
    Next::Done
}
