//! Projects by number. A path is looked up once; the number survives renames, and writes by an old path are refused.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{GitLabForge, wire::WireProject};
use crate::{
    adapters::{
        ask::{Ask, Credential},
        classify::Fault,
        http::Answer,
        path, texts,
    },
    ports::{
        error::{ErrorClass, RemoteError, RemoteResult},
        forge::Project,
        journal::Scope,
    },
};

/// What an answer about something inside a project found.
pub(super) enum Found<T> {
    /// This.
    Yes(T),
    /// The thing is not there.
    No,
    /// The project itself is not there, or this account may not see it.
    NoProject,
}

impl GitLabForge {
    /// A read of something that may be absent.
    pub(super) async fn look<'a, T: Send>(
        &self,
        scope: &Scope,
        project: &str,
        ask: impl Fn(u64) -> Ask<'a> + Sync,
        read: impl Fn(&Answer) -> Result<T, String> + Sync,
    ) -> RemoteResult<Option<T>> {
        let reading = |answer: &Answer| match answer.status {
            404 => absent(answer),
            _ => read(answer).map(Found::Yes),
        };
        self.look_at(scope, project, |id| ask(id).accepting(&[404]), reading).await
    }

    /// A read that tells itself what is absent. A project that seems gone is looked up again once by its path.
    pub(super) async fn look_at<'a, T: Send>(
        &self,
        scope: &Scope,
        project: &str,
        ask: impl Fn(u64) -> Ask<'a> + Sync,
        read: impl Fn(&Answer) -> Result<Found<T>, String> + Sync,
    ) -> RemoteResult<Option<T>> {
        let mut id = self.number(scope, project).await?;
        for last in [false, true] {
            match self.remote.call(scope, &ask(id), &read).await? {
                Found::Yes(value) => return Ok(Some(value)),
                Found::No => return Ok(None),
                Found::NoProject if last => break,
                Found::NoProject => id = self.number_again(scope, project).await?,
            }
        }
        Err(self.not_visible(&self.bot, project))
    }

    /// A call about something that must be there: a write, or a list of a thing that exists.
    pub(super) async fn act<'a, T: Send>(
        &self,
        scope: &Scope,
        project: &str,
        ask: impl Fn(u64) -> Ask<'a> + Sync,
        read: impl Fn(&Answer) -> Result<T, String> + Sync,
    ) -> RemoteResult<T> {
        let id = self.number(scope, project).await?;
        match self.remote.call(scope, &ask(id), &read).await {
            Err(error) if error.is(404) && error.body.as_ref().is_some_and(is_about_project) => {
                let id = self.number_again(scope, project).await?;
                self.remote.call(scope, &ask(id), &read).await
            }
            other => other,
        }
    }

    /// The project as it is now.
    pub(super) async fn read_project(&self, scope: &Scope, project: &str) -> RemoteResult<Option<Project>> {
        let known = self.remembered().projects.get(project).copied();
        if let Some(id) = known {
            if let Some(found) = self.fetch_project(scope, &id.to_string()).await? {
                return Ok(Some(found));
            }
            self.remembered().projects.remove(project);
        }
        let found = self.fetch_project(scope, project).await?;
        if let Some(found) = &found {
            self.remembered().projects.insert(project.to_owned(), found.id);
        }
        Ok(found)
    }

    /// The number of a project, looked up where it is not known yet.
    pub(super) async fn number(&self, scope: &Scope, project: &str) -> RemoteResult<u64> {
        if let Ok(number) = project.parse() {
            return Ok(number);
        }
        let known = self.remembered().projects.get(project).copied();
        match known {
            Some(id) => Ok(id),
            None => self.number_again(scope, project).await,
        }
    }

    async fn number_again(&self, scope: &Scope, project: &str) -> RemoteResult<u64> {
        self.remembered().projects.remove(project);
        match self.read_project(scope, project).await? {
            Some(found) => Ok(found.id),
            None => Err(self.not_visible(&self.bot, project)),
        }
    }

    async fn fetch_project(&self, scope: &Scope, key: &str) -> RemoteResult<Option<Project>> {
        let ask = Ask::get(&self.bot, format!("/api/v4/projects/{}", path::segment(key))).accepting(&[404]);
        let read = |answer: &Answer| match answer.status {
            404 => answer.json::<Value>().map(|_| None),
            _ => answer.json::<WireProject>().map(|wire| Some(wire.into())),
        };
        self.remote.call(scope, &ask, read).await
    }

    fn not_visible(&self, credential: &Credential, project: &str) -> RemoteError {
        let text = format!(
            "the project {project} is not there or not visible to {}; check its path and the membership of the account",
            credential.account
        );
        self.remote.fail(credential, Some(404), Fault::new(ErrorClass::Terminal, text))
    }
}

/// A 404 of the API is JSON; anything else came from something in front of it and proves nothing.
pub(super) fn absent<T>(answer: &Answer) -> Result<Found<T>, String> {
    let body: Value = answer.json()?;
    Ok(if is_about_project(&body) { Found::NoProject } else { Found::No })
}

fn is_about_project(body: &Value) -> bool {
    texts::said(body).is_some_and(|text| text.starts_with("404 Project"))
}

/// Reads the body as wire type `W` and turns it into the fact `T`.
pub(super) fn fact<W: DeserializeOwned + Into<T>, T>(answer: &Answer) -> Result<T, String> {
    answer.json::<W>().map(Into::into)
}

/// Reads a body whose content does not matter: any JSON object proves that the API answered.
pub(super) fn any_object(answer: &Answer) -> Result<(), String> {
    answer.json::<serde_json::Map<String, Value>>().map(|_| ())
}
