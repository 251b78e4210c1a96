//! Callbacks: verified on their raw bytes, judged, stored, answered; worked on after that (workflow.md, section 5).

use std::sync::Arc;

use serde_json::Value;

use crate::{
    adapters::webhook,
    engine::Core,
    store::inbox::{Delivery, Verdict},
    words::Sentence,
};

mod judge;

use judge::Trouble;

/// What a callback is answered with.
#[derive(Debug)]
pub enum Answer {
    /// 200: it is stored.
    Stored(Verdict, Sentence),
    /// 401: not authentic.
    Forged(String),
    /// 400: authentic, but it cannot be read.
    Unreadable(String),
    /// 503: it could not be stored; the sender tries again.
    NotStored(String),
}

/// Where a callback comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The approval system.
    Approval,
    /// The deploy pipeline.
    Deploy,
    /// GitLab's own hooks.
    Gitlab,
}

impl Source {
    /// Reads the last part of the path.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "approval" => Some(Self::Approval),
            "deploy" => Some(Self::Deploy),
            "gitlab" => Some(Self::Gitlab),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Deploy => "deploy",
            Self::Gitlab => "gitlab",
        }
    }
}

/// Takes a callback in.
pub async fn receive(core: &Arc<Core>, source: Source, headers: &[(String, String)], raw: &[u8]) -> Answer {
    let delivery_id = match verify(core, source, headers, raw) {
        Ok(id) => id,
        Err(why) => {
            if let Err(error) = core.store.refuse_delivery(source.word(), why.clone(), core.now()).await {
                tracing::warn!(%error, "a refused delivery could not be counted");
            }
            return Answer::Forged(why);
        }
    };
    let body: Value = match serde_json::from_slice(raw) {
        Ok(body) => body,
        Err(error) => return Answer::Unreadable(format!("the body is no JSON: {error}")),
    };
    let judged = match source {
        Source::Approval => judge::approval(core, &body).await,
        Source::Deploy => judge::deploy(core, &body).await,
        Source::Gitlab => judge::gitlab(core, &body).await,
    };
    let judged = match judged {
        Ok(judged) => judged,
        Err(Trouble::Body(why)) => return Answer::Unreadable(why),
        Err(Trouble::Store(error)) => return Answer::NotStored(error.to_string()),
    };
    let delivery = Delivery {
        source: source.word(),
        delivery_id,
        operation_id: judged.operation_id,
        says: judged.says,
        body,
        verdict: judged.verdict,
        reason: judged.reason,
        at: core.now(),
        mark: judged.mark,
    };
    match core.store.receive(delivery).await {
        Ok((verdict, reason)) => {
            core.wake();
            Answer::Stored(verdict, reason)
        }
        Err(error) => Answer::NotStored(error.to_string()),
    }
}

fn verify(core: &Core, source: Source, headers: &[(String, String)], raw: &[u8]) -> Result<String, String> {
    let now = core.clock.now();
    let verified = match (source, &core.secrets.gitlab) {
        (Source::Approval, _) => webhook::verify(&core.secrets.approval, headers, raw, now),
        (Source::Deploy, _) => webhook::verify(&core.secrets.deploy, headers, raw, now),
        (Source::Gitlab, Some(secret)) => webhook::verify_gitlab(secret, headers, raw, now),
        (Source::Gitlab, None) => {
            return Err("No secret for GitLab's hooks is configured (gitlab.webhook_secret).".into());
        }
    };
    verified.map(|id| id.0).map_err(|refusal| refusal.to_string())
}
