//! Whose credentials these are.

use secrecy::ExposeSecret as _;

use super::{
    GitLabForge,
    wire::{WireToken, WireUser},
};
use crate::{
    adapters::{
        ask::{Ask, Credential},
        classify::Fault,
        http::Answer,
    },
    ports::{
        error::{ErrorClass, RemoteError, RemoteResult},
        forge::{Account, Who},
        journal::Scope,
    },
};

impl GitLabForge {
    /// The credential of a reviewer, under the user name once that is known.
    pub(super) fn reviewer(&self, n: usize) -> Option<Credential> {
        let (key, place) = self.reviewers.get(n)?;
        let name = self.remembered().names.get(&n).map(|(_, name)| name.clone());
        let account = name.unwrap_or_else(|| label(n));
        Some(Credential { account, key: key.clone(), place: place.clone() })
    }

    pub(super) fn no_reviewer(&self, n: usize) -> RemoteError {
        let text = format!("there is no {} in `gitlab.reviewer_tokens`", label(n));
        self.remote.fail(&self.bot, None, Fault::new(ErrorClass::Auth, text))
    }

    pub(super) async fn read_account(&self, scope: &Scope, who: Who) -> RemoteResult<Account> {
        let credential = match who {
            Who::Bot => self.bot.clone(),
            Who::Reviewer(n) => self.reviewer(n).ok_or_else(|| self.no_reviewer(n))?,
        };
        let username = match who {
            Who::Bot => self.user_name(scope, &credential).await?,
            Who::Reviewer(n) => self.fresh_name(scope, n).await?,
        };
        let ask = Ask::get(&credential, "/api/v4/personal_access_tokens/self".into());
        // Old servers and some kinds of token do not tell; the account is known all the same.
        let token = self.remote.call(scope, &ask, |answer: &Answer| answer.json::<WireToken>()).await.ok();
        let (scopes, expires) = token.map_or((None, None), |token| (token.scopes, token.expires_at));
        Ok(Account { username, scopes, expires })
    }

    pub(super) async fn reviewer_names(&self, scope: &Scope) -> RemoteResult<Vec<String>> {
        let mut names = Vec::with_capacity(self.reviewers.len());
        for n in 0..self.reviewers.len() {
            let secret = self.remote.token(&self.reviewer(n).ok_or_else(|| self.no_reviewer(n))?).await?;
            let known = self.remembered().names.get(&n).cloned();
            match known {
                Some((with, name)) if with.expose_secret() == secret.expose_secret() => names.push(name),
                _ => names.push(self.fresh_name(scope, n).await?),
            }
        }
        Ok(names)
    }

    async fn fresh_name(&self, scope: &Scope, n: usize) -> RemoteResult<String> {
        let credential = self.reviewer(n).ok_or_else(|| self.no_reviewer(n))?;
        let name = self.user_name(scope, &credential).await?;
        // The secret may have been replaced during the call; the one in force now is the one that answered.
        let secret = self.remote.token(&credential).await?;
        self.remembered().names.insert(n, (secret, name.clone()));
        Ok(name)
    }

    async fn user_name(&self, scope: &Scope, credential: &Credential) -> RemoteResult<String> {
        let ask = Ask::get(credential, "/api/v4/user".into());
        self.remote.call(scope, &ask, |answer: &Answer| answer.json::<WireUser>().map(|user| user.username)).await
    }
}

/// What a reviewer is called until the user name is known.
fn label(n: usize) -> String {
    format!("reviewer-{}", n + 1)
}
