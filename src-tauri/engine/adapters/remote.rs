//! The one function that every call goes through: intent on record, send, verdict, record completed.

use std::{sync::Arc, time::Instant};

use reqwest::{
    Method,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use secrecy::{ExposeSecret as _, SecretString};

use super::{
    ask::{Ask, Credential, TokenHeader},
    classify::{self, Fault, Question, Verdict},
    http::{Answer, Broken, Outgoing, Transport},
    limiter::Limiter,
    texts,
};
use crate::ports::{
    error::{ErrorClass, RemoteError, RemoteResult},
    journal::{CallEnd, CallId, CallIntent, Effect, IntentRefused, Scope},
    secrets::Secrets,
};

/// How many redirects a read follows.
const HOPS: usize = 3;

/// One remote: its connections, its limit, its credentials.
pub(crate) struct Remote {
    name: &'static str,
    token_header: TokenHeader,
    transport: Transport,
    limiter: Limiter,
    secrets: Arc<dyn Secrets>,
}

impl Remote {
    pub(crate) fn new(
        name: &'static str,
        token_header: TokenHeader,
        transport: Transport,
        secrets: Arc<dyn Secrets>,
    ) -> Self {
        Self { name, token_header, transport, limiter: Limiter::default(), secrets }
    }

    /// Makes a call and reads its answer with `read`, which says in words what is wrong with an answer it cannot use.
    ///
    /// A 401 that meets a secret which can change while we run makes it read again; when it has changed, the call is made
    /// once more. That holds for writes too: who is not let in has changed nothing.
    pub(crate) async fn call<T>(
        &self,
        scope: &Scope,
        ask: &Ask<'_>,
        read: impl Fn(&Answer) -> Result<T, String> + Sync,
    ) -> RemoteResult<T>
    where
        T: Send,
    {
        let token = self.token(ask.credential).await?;
        match self.attempt(scope, ask, &token, &read).await {
            Err(error) if error.is(401) && ask.credential.can_change() => {
                self.secrets.forget(&ask.credential.key);
                let renewed = self.token(ask.credential).await?;
                if renewed.expose_secret() == token.expose_secret() {
                    return Err(error);
                }
                self.attempt(scope, ask, &renewed, &read).await
            }
            other => other,
        }
    }

    /// The secret of a credential.
    pub(crate) async fn token(&self, credential: &Credential) -> RemoteResult<SecretString> {
        let read = self.secrets.read(&credential.key, &credential.place).await;
        read.map_err(|e| self.error(credential, None, None, Fault::new(ErrorClass::Auth, e.to_string())))
    }

    /// An error of this remote that no answer stands behind.
    pub(crate) fn fail(&self, credential: &Credential, status: Option<u16>, fault: Fault) -> RemoteError {
        self.error(credential, None, status, fault)
    }

    async fn attempt<T>(
        &self,
        scope: &Scope,
        ask: &Ask<'_>,
        token: &SecretString,
        read: &(impl Fn(&Answer) -> Result<T, String> + Sync),
    ) -> RemoteResult<T>
    where
        T: Send,
    {
        let mut path = format!("{}{}", self.transport.prefix(), ask.path);
        let mut hops = 0;
        loop {
            match self.once(scope, ask, &path, token, read, hops < HOPS).await? {
                Step::Done(value) => return Ok(value),
                Step::Follow(next) => {
                    path = next;
                    hops += 1;
                }
            }
        }
    }

    /// One request and its record. What is recorded is what the caller is told.
    async fn once<T>(
        &self,
        scope: &Scope,
        ask: &Ask<'_>,
        path: &str,
        token: &SecretString,
        read: &(impl Fn(&Answer) -> Result<T, String> + Sync),
        may_follow: bool,
    ) -> RemoteResult<Step<T>>
    where
        T: Send,
    {
        let headers = self.headers(ask, token).map_err(|fault| self.error(ask.credential, Some(token), None, fault))?;
        if let Err(left) = self.limiter.admit().await {
            let text = format!("asked for a pause; the next call may leave in {} s", left.as_secs() + 1);
            let fault = Fault { retry_after: Some(left), ..Fault::new(ErrorClass::Throttled, text) };
            return Err(self.error(ask.credential, Some(token), None, fault));
        }
        let intent = CallIntent {
            remote: self.name,
            account: ask.credential.account.clone(),
            method: ask.method,
            path: path.to_owned(),
            effect: ask.effect,
            attempt: scope.attempt,
            detail: ask.detail.clone(),
        };
        let record = self.intend(scope, ask, &intent).await?;
        let started = Instant::now();
        let sent = self.transport.send(self.outgoing(ask, path, headers)).await;
        let took = started.elapsed();
        let (status, request_id) = match &sent {
            Ok(answer) => (Some(answer.status), answer.request_id()),
            Err(Broken::Lost { status, request_id, .. }) => (*status, request_id.clone()),
            Err(Broken::TooLarge { status, request_id }) => (Some(*status), request_id.clone()),
            Err(Broken::NotSent(_)) => (None, None),
        };
        let outcome = self
            .outcome(ask, path, sent.map(|answer| without_echo(answer, token)), read, may_follow)
            .map_err(|fault| self.error(ask.credential, Some(token), status, fault));
        let error = outcome.as_ref().err().map(|e| (e.class, e.message.clone()));
        let end = CallEnd { status, took, error, request_id };
        match record {
            Some(id) => scope.journal.settle(id, &end).await,
            None => scope.journal.note(&intent, &end).await,
        }
        outcome
    }

    async fn intend(&self, scope: &Scope, ask: &Ask<'_>, intent: &CallIntent) -> RemoteResult<Option<CallId>> {
        if ask.effect == Effect::Read {
            return Ok(None);
        }
        scope.journal.intend(intent).await.map(Some).map_err(|refused| {
            let fault = match refused {
                IntentRefused::Superseded => Fault::new(
                    ErrorClass::Superseded,
                    "the request was moved by somebody else meanwhile, so nothing was sent",
                ),
                IntentRefused::Store(why) => Fault::new(
                    ErrorClass::NotSent,
                    format!("the intent could not be stored, so nothing was sent ({why})"),
                ),
            };
            self.error(ask.credential, None, None, fault)
        })
    }

    fn outcome<T>(
        &self,
        ask: &Ask<'_>,
        path: &str,
        sent: Result<Answer, Broken>,
        read: &impl Fn(&Answer) -> Result<T, String>,
        may_follow: bool,
    ) -> Result<Step<T>, Fault> {
        let answer = sent.map_err(|how| classify::broken(ask.effect, &how))?;
        self.limiter.learn(answer.status, &answer.headers);
        let credential = ask.credential.words();
        let question = Question {
            effect: ask.effect,
            route: ask.route,
            accepts: ask.accepts,
            credential: &credential,
            cure: ask.credential.cure(),
        };
        match classify::judge(&question, &answer) {
            Verdict::Usable => {
                read(&answer).map(Step::Done).map_err(|why| Fault::new(classify::unknown(ask.effect), why))
            }
            Verdict::Redirected(place) => match self.transport.same_origin(path, &place).filter(|_| may_follow) {
                Some(next) => Ok(Step::Follow(next)),
                None => Err(classify::not_followed(ask.effect, answer.status, Some(&place))),
            },
            Verdict::Fault(fault) => Err(fault),
        }
    }

    fn outgoing<'p>(&self, ask: &Ask<'_>, path: &'p str, headers: HeaderMap) -> Outgoing<'p> {
        Outgoing {
            effect: ask.effect,
            method: Method::from_bytes(ask.method.as_bytes()).unwrap_or(Method::GET),
            path,
            headers,
            body: ask.body.as_ref().map(|body| body.to_string().into_bytes()),
        }
    }

    fn headers(&self, ask: &Ask<'_>, token: &SecretString) -> Result<HeaderMap, Fault> {
        let (name, value) = match self.token_header {
            TokenHeader::Private => (HeaderName::from_static("private-token"), token.expose_secret().to_owned()),
            TokenHeader::Bearer => {
                (HeaderName::from_static("authorization"), format!("Bearer {}", token.expose_secret()))
            }
        };
        let mut secret = HeaderValue::from_str(&value).map_err(|_| {
            let text = format!("the token of {} holds characters that no header may carry", ask.credential.words());
            Fault::new(ErrorClass::Auth, text)
        })?;
        secret.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert(name, secret);
        headers.insert("accept", HeaderValue::from_static("application/json"));
        if ask.body.is_some() {
            headers.insert("content-type", HeaderValue::from_static("application/json"));
        }
        if let Some((name, value)) = &ask.header {
            let value = HeaderValue::from_str(value)
                .map_err(|_| Fault::new(ErrorClass::Terminal, format!("the header {name} cannot carry its value")))?;
            headers.insert(*name, value);
        }
        Ok(headers)
    }

    fn error(
        &self,
        credential: &Credential,
        token: Option<&SecretString>,
        status: Option<u16>,
        fault: Fault,
    ) -> RemoteError {
        let secret = token.map_or("", |token| token.expose_secret());
        RemoteError {
            class: fault.class,
            remote: self.name,
            account: credential.account.clone(),
            status,
            message: texts::without_secret(&fault.message, secret),
            retry_after: fault.retry_after,
            body: fault.body,
        }
    }
}

/// A refusal that repeats the token it got loses it before anything else is done with its text.
fn without_echo(mut answer: Answer, token: &SecretString) -> Answer {
    if !(200..300).contains(&answer.status) {
        let text = String::from_utf8_lossy(&answer.body);
        answer.body = texts::without_secret(&text, token.expose_secret()).into_bytes();
    }
    answer
}

enum Step<T> {
    Done(T),
    Follow(String),
}
