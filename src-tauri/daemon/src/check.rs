//! `signalboxd check`: looks whether everything that is set can work, and changes nothing.

use std::{path::Path, sync::Arc};

use chrono::NaiveDate;
use secrecy::{ExposeSecret, SecretString};
use signalbox_engine::{
    adapters::secrets::LocalSecrets, documents::kinds::Catalogue, ports::secrets::Secrets, settings::Settings,
};

use crate::{
    args,
    host::{files::Files, remotes},
    secrets::{Place, places},
};

mod accounts;
mod approval;
mod data_dir;
mod finding;
mod gitlab;
mod projects;
mod reader;

use finding::Findings;
use projects::Aim;

pub(crate) use approval::signing_secret;

/// Checks and prints what was found. Returns the exit code: 1 when there is a fault, 2 when the settings cannot be read.
pub async fn check(args: args::Check) -> u8 {
    let mut findings = Findings::default();
    let readable = look(&args.data_dir, args.config.as_deref(), &mut findings).await;
    findings.print();
    if readable { u8::from(findings.any_fault()) } else { 2 }
}

/// Looks at everything. False when the settings cannot be read, and nothing after them was looked at.
async fn look(data_dir: &Path, config: Option<&Path>, findings: &mut Findings) -> bool {
    data_dir::look(data_dir, findings);
    let files = Files::of(data_dir, config);
    let settings = match Settings::load(&files.settings) {
        Ok(settings) => settings,
        Err(error) => {
            findings.fault("settings", error.to_string());
            return false;
        }
    };
    findings.ok("settings", format!("{} can be read.", files.settings.display()));
    let aims = look_at_kinds(&files, findings);
    let secrets: Arc<dyn Secrets> = Arc::new(LocalSecrets::new(&files.folder));
    let mut read = Vec::new();
    for place in places(&settings) {
        let secret = look_at_secret(&place, &*secrets, findings).await;
        read.extend(secret.map(|secret| (place.key, secret)));
    }
    let forge = gitlab::Forge {
        url: &settings.gitlab.url,
        limit: settings.gitlab.timeout.get(),
        bot: named(&read, "gitlab.bot_token").pop(),
        reviewers: named(&read, "gitlab.reviewer_tokens["),
    };
    gitlab::look(forge, &aims, today(), findings).await;
    match remotes::approval(&settings, &secrets) {
        // A token that cannot be read is told already.
        Ok(_) if named(&read, "approval.token").is_empty() => {}
        Ok(desk) => approval::look(&*desk, &settings.approval.url, findings).await,
        Err(sentence) => findings.fault("approval", sentence),
    }
    true
}

fn look_at_kinds(files: &Files, findings: &mut Findings) -> Vec<Aim> {
    let folder = files.kinds.display();
    match files.catalogue() {
        Ok(catalogue) if catalogue.is_empty() => {
            findings.warning("kinds", format!("There is no change kind in {folder}, so nothing can be asked for."));
            Vec::new()
        }
        Ok(catalogue) => {
            findings.ok("kinds", format!("{} can be read: {}.", folder, names(&catalogue)));
            Aim::all(&catalogue)
        }
        Err(faults) => {
            faults.into_iter().for_each(|fault| findings.fault("kinds", fault));
            Vec::new()
        }
    }
}

fn names(catalogue: &Catalogue) -> String {
    catalogue.iter().map(|kind| kind.kind.as_str()).collect::<Vec<_>>().join(", ")
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

/// The secrets of the settings whose key begins with `start`, each with its key.
fn named(read: &[(String, SecretString)], start: &str) -> Vec<(String, String)> {
    let of = read.iter().filter(|(key, _)| key.starts_with(start));
    of.map(|(key, secret)| (key.clone(), secret.expose_secret().to_owned())).collect()
}

fn today() -> NaiveDate {
    chrono::Utc::now().date_naive()
}
