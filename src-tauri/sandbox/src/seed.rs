//! What a fresh data directory is filled with: repositories with a past, change kinds, settings.

mod history;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{Duration, Utc};

use crate::accounts::{DEFAULT_BRANCH, PLACES, by_name};
use crate::error::SandboxError;
use crate::git::Repo;
use crate::secrets::{APPROVAL_SECRET, DEPLOY_SECRET, DESK_TOKEN, HOOK_SECRET, Secrets};
use crate::world::Urls;
use history::{CONFIG, Change, NETWORK, Step};

const SETTINGS: &str = include_str!("seed/signalbox.toml");

const KINDS: &[(&str, &str)] = &[
    ("service-quota.yaml", include_str!("seed/kinds/service-quota.yaml")),
    ("feature-flag.yaml", include_str!("seed/kinds/feature-flag.yaml")),
    ("firewall-rule.yaml", include_str!("seed/kinds/firewall-rule.yaml")),
];

/// Makes the repositories that are missing and fills them with their past.
pub(crate) async fn repositories(repos: &BTreeMap<u64, Repo>) -> Result<(), SandboxError> {
    for place in PLACES {
        let repo = &repos[&place.id];
        repo.create().await?;
        repo.read_branches().await?;
        // also where an earlier start was interrupted before the import
        if repo.head(DEFAULT_BRANCH).is_none() {
            let steps = if place.key == "config" { CONFIG } else { NETWORK };
            repo.import(&stream(steps)).await?;
            repo.read_branches().await?;
        }
    }
    Ok(())
}

/// The past as a `fast-import` stream.
fn stream(steps: &[Step]) -> Vec<u8> {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    let mut stream = Vec::new();
    for (number, step) in (1_i64..).zip(steps) {
        let author = by_name(step.by);
        let at = Utc::now() - Duration::days(step.days_ago) - Duration::minutes(number * 47 % 360);
        let who = format!("{} <{}> {} +0000", author.name, author.email(), at.timestamp());
        stream.extend(format!("commit refs/heads/{DEFAULT_BRANCH}\nauthor {who}\ncommitter {who}\n").into_bytes());
        stream.extend(data(step.message));
        for change in step.changes {
            let path = match *change {
                Change::Add(path, content) => {
                    files.insert(path, content.to_owned());
                    path
                }
                Change::Edit(path, from, to) => {
                    let file = files.entry(path).or_default();
                    *file = file.replacen(from, to, 1);
                    path
                }
            };
            stream.extend(format!("M 100644 inline {path}\n").into_bytes());
            stream.extend(data(&files[path]));
        }
        stream.push(b'\n');
    }
    stream
}

fn data(text: &str) -> Vec<u8> {
    format!("data {}\n{text}\n", text.len()).into_bytes()
}

/// Writes the change kinds that are missing.
pub(crate) fn kinds(dir: &Path) -> Result<(), SandboxError> {
    let dir = dir.join("kinds");
    let failed = |path: &Path, source| SandboxError::ReadOnly { path: path.to_owned(), source };
    std::fs::create_dir_all(&dir).map_err(|source| failed(&dir, source))?;
    for (name, content) in KINDS {
        let path = dir.join(name);
        if !path.exists() {
            std::fs::write(&path, content).map_err(|source| failed(&path, source))?;
        }
    }
    Ok(())
}

/// Writes the settings unless they are there; in those that are, addresses of the last run become those of this one.
pub(crate) fn settings(dir: &Path, secrets: &Secrets, urls: &Urls, before: &Urls) -> Result<PathBuf, SandboxError> {
    let path = dir.join("signalbox.toml");
    let failed = |source| SandboxError::ReadOnly { path: path.clone(), source };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => {
            let moved = text
                .replace(&quoted(&before.gitlab), &quoted(&urls.gitlab))
                .replace(&quoted(&before.desk), &quoted(&urls.desk));
            if moved == text {
                return Ok(path);
            }
            moved
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => fill(secrets, urls),
        Err(error) => return Err(failed(error)),
    };
    std::fs::write(&path, text).map_err(failed)?;
    Ok(path)
}

fn fill(secrets: &Secrets, urls: &Urls) -> String {
    let file = |name: &str| quoted(&format!("file:{}", secrets.path(name).display()));
    let values = [
        ("gitlab_url", quoted(&urls.gitlab)),
        ("desk_url", quoted(&urls.desk)),
        ("bot_token", file("gitlab-bot")),
        ("reviewer_a", file("gitlab-reviewer-a")),
        ("reviewer_b", file("gitlab-reviewer-b")),
        ("webhook_secret", file(HOOK_SECRET)),
        ("desk_token", file(DESK_TOKEN)),
        ("approval_secret", file(APPROVAL_SECRET)),
        ("deploy_secret", file(DEPLOY_SECRET)),
        ("alice", file("person-alice")),
        ("bob", file("person-bob")),
    ];
    let fill = |text: String, (name, value): &(&str, String)| text.replace(&format!("{{{{{name}}}}}"), value);
    values.iter().fold(SETTINGS.to_owned(), fill)
}

/// A TOML basic string; JSON escapes the same characters in the same way.
fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edit_of_the_past_finds_its_text() {
        for steps in [CONFIG, NETWORK] {
            let mut files: BTreeMap<&str, String> = BTreeMap::new();
            for change in steps.iter().flat_map(|step| step.changes) {
                match *change {
                    Change::Add(path, content) => {
                        files.insert(path, content.to_owned());
                    }
                    Change::Edit(path, from, to) => {
                        let file = files.get_mut(path).expect("an edit of a file that was added");
                        assert!(file.contains(from), "{path} has no {from:?}");
                        *file = file.replacen(from, to, 1);
                    }
                }
            }
            assert!(steps.len() >= 10 && steps.windows(2).all(|pair| pair[0].days_ago > pair[1].days_ago));
        }
    }
}
