//! A GitLab in memory behind the forge port.

mod life;
pub mod model;
mod people;
mod port;

use std::sync::{Arc, Mutex, MutexGuard};

use signalbox_engine::ports::{
    error::{ErrorClass, RemoteError, RemoteResult},
    journal::Scope,
};

use self::model::Project;
use super::wire::{Ask, Said, Wire};

/// The account that writes.
pub const BOT: &str = "signalbox-bot";
/// The accounts that approve.
pub const REVIEWERS: [&str; 2] = ["rev-a", "rev-b"];

/// The forge. Cheap to clone; every clone is the same forge.
#[derive(Clone)]
pub struct FakeForge {
    pub wire: Wire,
    projects: Arc<Mutex<Vec<Project>>>,
    reviewers: Arc<Mutex<[&'static str; 2]>>,
}

/// A call as its port function describes it.
pub(super) struct Call {
    name: &'static str,
    account: &'static str,
    method: &'static str,
    path: String,
    sha: Option<String>,
    about: String,
}

impl FakeForge {
    pub fn new(wire: Wire, projects: Vec<Project>) -> Self {
        Self { wire, projects: Arc::new(Mutex::new(projects)), reviewers: Arc::new(Mutex::new(REVIEWERS)) }
    }

    /// All projects, with everything done that was due by now.
    pub fn projects(&self) -> MutexGuard<'_, Vec<Project>> {
        self.wire.catch_up();
        let now = self.wire.clock.millis();
        let mut projects = self.projects.lock().unwrap();
        for project in projects.iter_mut() {
            project.work(now);
        }
        projects
    }

    /// Looks at or changes a project, named by path or number.
    pub fn with<T>(&self, name: &str, act: impl FnOnce(&mut Project, i64) -> T) -> T {
        let now = self.wire.clock.millis();
        let mut projects = self.projects();
        let project = projects.iter_mut().find(|project| project.path == name || project.id.to_string() == name);
        act(project.unwrap_or_else(|| panic!("no project {name}")), now)
    }

    /// The accounts behind the reviewers' tokens.
    pub fn reviewers(&self) -> [&'static str; 2] {
        *self.reviewers.lock().unwrap()
    }

    /// Another account takes the place of a reviewer.
    pub fn replace_reviewer(&self, n: usize, name: &'static str) {
        self.reviewers.lock().unwrap()[n] = name;
    }

    /// When something happens by itself: a rebase or a merge ends.
    pub fn next_due(&self) -> Option<i64> {
        let projects = self.projects.lock().unwrap();
        projects
            .iter()
            .flat_map(|p| &p.mrs)
            .flat_map(|mr| mr.unlocks_at.into_iter().chain(mr.rebase_done_at).chain(mr.says_merged_at))
            .min()
    }

    async fn read<T: Send + 'static>(
        &self,
        scope: &Scope,
        name: &'static str,
        project: &str,
        tail: String,
        look: impl FnOnce(&mut Project, i64) -> RemoteResult<T> + Send + 'static,
    ) -> RemoteResult<T> {
        let call = Call { name, account: "bot", method: "GET", path: tail, sha: None, about: String::new() };
        self.run(scope, call, false, project, move |project, now| Said { result: look(project, now), applied: false })
            .await
    }

    async fn write<T: Send + 'static>(
        &self,
        scope: &Scope,
        call: Call,
        project: &str,
        act: impl FnOnce(&mut Project, i64) -> RemoteResult<Said<T>> + Send + 'static,
    ) -> RemoteResult<T> {
        self.run(scope, call, true, project, move |project, now| {
            act(project, now).unwrap_or_else(|error| Said { result: Err(error), applied: false })
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        scope: &Scope,
        call: Call,
        write: bool,
        project: &str,
        act: impl FnOnce(&mut Project, i64) -> Said<T> + Send + 'static,
    ) -> RemoteResult<T> {
        let id = {
            let projects = self.projects();
            projects.iter().find(|p| p.path == project || p.id.to_string() == project).map(|project| project.id)
        };
        let ask = Ask {
            remote: "gitlab",
            name: call.name,
            account: call.account.into(),
            method: call.method,
            path: format!("/api/v4/projects/{}{}", id.unwrap_or(0), call.path),
            write,
            sha: call.sha,
            about: call.about,
        };
        let (forge, account) = (self.clone(), call.account);
        let effect = move || {
            let now = forge.wire.clock.millis();
            let mut projects = forge.projects();
            match projects.iter_mut().find(|project| Some(project.id) == id) {
                Some(project) => act(project, now),
                None => Said { result: Err(refusal(404, account, "404 Project Not Found")), applied: false },
            }
        };
        self.wire.call(scope, ask, effect).await
    }
}

/// A refusal as the adapter would class it.
fn refusal(status: u16, account: &str, message: &str) -> RemoteError {
    classed(ErrorClass::Terminal, status, account, message)
}

fn classed(class: ErrorClass, status: u16, account: &str, message: &str) -> RemoteError {
    RemoteError {
        class,
        remote: "gitlab",
        account: account.into(),
        status: Some(status),
        message: message.into(),
        retry_after: None,
        body: None,
    }
}
