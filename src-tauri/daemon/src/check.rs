//! `signalboxd check`: looks whether everything that is set can work, and changes nothing.

use std::path::Path;

use chrono::NaiveDate;
use secrecy::{ExposeSecret, SecretString};
use signalbox_engine::{
    adapters::secrets::LocalSecrets,
    ports::secrets::Secrets,
    settings::{ApprovalAdapter, Settings},
};

use crate::secrets::{Place, places};

mod accounts;
mod approval;
mod data_dir;
mod finding;
mod gitlab;
mod projects;
mod reader;

pub use finding::{Finding, Findings, Level};
pub use projects::Aim;

pub(crate) use approval::signing_secret;

/// Looks at the data directory.
pub fn look_at_data_dir(dir: &Path, findings: &mut Findings) {
    data_dir::look(dir, findings);
}

/// Looks at secrets and at every remote. `today` decides which tokens end soon.
pub async fn look_at_remotes(
    settings: &Settings,
    aims: &[Aim],
    secrets: &dyn Secrets,
    today: NaiveDate,
    findings: &mut Findings,
) {
    let mut read = Vec::new();
    for place in places(settings) {
        if let Some(secret) = look_at_secret(&place, secrets, findings).await {
            read.push((place.key, secret));
        }
    }
    let named = |start: &str| -> Vec<(String, String)> {
        let of = read.iter().filter(|(key, _)| key.starts_with(start));
        of.map(|(key, secret)| (key.clone(), secret.expose_secret().to_owned())).collect()
    };
    let forge = gitlab::Forge {
        url: &settings.gitlab.url,
        limit: settings.gitlab.timeout.get(),
        bot: named("gitlab.bot_token").pop(),
        reviewers: named("gitlab.reviewer_tokens["),
    };
    gitlab::look(forge, aims, today, findings).await;
    match (settings.approval.adapter, named("approval.token").pop()) {
        (ApprovalAdapter::Http, Some((_, token))) => {
            approval::look(&settings.approval.url, &token, settings.approval_timeout(), findings).await;
        }
        (ApprovalAdapter::Desk, _) => findings.ok("approval", "The approval desk is built in."),
        _ => {}
    }
}

async fn look_at_secret(place: &Place, secrets: &dyn Secrets, findings: &mut Findings) -> Option<SecretString> {
    let secret = match secrets.read(&place.key, place.place()).await {
        Ok(secret) => secret,
        Err(error) => {
            findings.fault(&place.key, error.to_string());
            return None;
        }
    };
    if place.is_literal() {
        findings.warning(&place.key, place.warning());
    }
    if place.signs_callbacks() {
        approval::look_at_signing_secret(&place.key, secret.expose_secret(), findings);
    }
    Some(secret)
}

/// Checks. Returns the exit code.
pub async fn command(args: crate::args::Check) -> u8 {
    let config = args.config.clone().unwrap_or_else(|| args.data_dir.join("signalbox.toml"));
    let mut findings = Findings::default();
    look_at_data_dir(&args.data_dir, &mut findings);
    let settings = match Settings::load(&config) {
        Ok(settings) => settings,
        Err(error) => {
            findings.fault("settings", error.to_string());
            findings.print();
            return 2;
        }
    };
    findings.ok("settings", format!("{} can be read.", config.display()));
    let beside = config.parent().unwrap_or(&args.data_dir);
    let secrets = LocalSecrets::new(beside);
    let aims = Vec::new();
    look_at_remotes(&settings, &aims, &secrets, chrono::Utc::now().date_naive(), &mut findings).await;
    findings.print();
    u8::from(findings.any_fault())
}
