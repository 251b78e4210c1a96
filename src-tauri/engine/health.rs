//! How the remotes are: looked at when somebody wants to know, and not more often than every few seconds.

use std::{sync::Mutex, time::Instant};

use serde::Serialize;

use crate::{
    engine::Core,
    ports::{
        error::{ErrorClass, RemoteError},
        forge::Who,
        journal::Scope,
    },
    stages::outcome::told,
    store::operation::Millis,
    words::{Lang, Sentence},
};

/// A reading older than this is taken again when somebody asks.
const FRESH_MS: Millis = 10_000;

/// What was last seen of the remotes.
#[derive(Default)]
pub(crate) struct Health(Mutex<Vec<Reading>>);

#[derive(Clone)]
struct Reading {
    remote: &'static str,
    label: &'static str,
    at: Millis,
    latency_ms: i64,
    error: Option<(ErrorClass, Sentence)>,
}

/// A remote as the top bar shows it.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct RemoteHealth {
    /// `gitlab` or `approval`.
    pub remote: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// Did it answer?
    pub reachable: bool,
    /// How long the answer took.
    pub latency_ms: i64,
    /// When it was read, RFC 3339.
    pub read_at: String,
    /// `valid`, `refused` or `unknown`.
    #[ts(type = "\"valid\" | \"refused\" | \"unknown\"")]
    pub credential: &'static str,
    /// What is wrong, in words.
    pub detail: Option<String>,
}

/// The remotes as they are now, read again where the last reading is old.
pub(crate) async fn read(core: &Core, lang: Lang) -> Vec<RemoteHealth> {
    let now = core.now();
    let held = core.health.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    let readings =
        if held.iter().any(|reading| (0..FRESH_MS).contains(&(now - reading.at))) { held } else { look(core).await };
    readings.iter().map(|reading| shown(reading, lang)).collect()
}

async fn look(core: &Core) -> Vec<Reading> {
    let scope = Scope::unrecorded();
    let gitlab = async {
        let since = Instant::now();
        let result = core.forge.account(&scope, Who::Bot).await.map(drop);
        (since.elapsed(), result)
    };
    let desk = async {
        let since = Instant::now();
        let result = core.desk.probe(&scope).await;
        (since.elapsed(), result)
    };
    let ((gitlab_took, gitlab), (desk_took, desk)) = tokio::join!(gitlab, desk);
    let at = core.now();
    let reading = |remote, label, took: std::time::Duration, result: Result<(), RemoteError>| Reading {
        remote,
        label,
        at,
        latency_ms: i64::try_from(took.as_millis()).unwrap_or(i64::MAX),
        error: result.err().map(|error| (error.class, told(&error))),
    };
    let readings =
        vec![reading("gitlab", "GitLab", gitlab_took, gitlab), reading("approval", "Approval desk", desk_took, desk)];
    core.health.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone_from(&readings);
    readings
}

fn shown(reading: &Reading, lang: Lang) -> RemoteHealth {
    let credential = match reading.error.as_ref().map(|(class, _)| *class) {
        None => "valid",
        Some(ErrorClass::Auth) => "refused",
        Some(_) => "unknown",
    };
    RemoteHealth {
        remote: reading.remote,
        label: reading.label,
        reachable: matches!(
            reading.error.as_ref().map(|(class, _)| *class),
            None | Some(ErrorClass::Auth | ErrorClass::Terminal)
        ),
        latency_ms: reading.latency_ms,
        read_at: crate::api::time(reading.at),
        credential,
        detail: reading.error.as_ref().map(|(_, sentence)| sentence.render(lang)),
    }
}
