//! What arrived at the remotes: each effect once.

use std::{collections::BTreeMap, process::Command};

use serde_json::Value;

use crate::place::Place;

/// Each of the requests has one ticket, one branch with one commit, and one merge request, which is merged.
pub(crate) async fn each_once(place: &Place, requests: usize) {
    let state: Value = reqwest::get(format!("{}/control/state", place.remotes.panel_url))
        .await
        .expect("an answer")
        .json()
        .await
        .expect("the state");
    let tickets = state["tickets"].as_array().expect("tickets").iter().map(|ticket| word(&ticket["request_id"]));
    once("ticket", tickets, requests);
    let merged = merged(place).await;
    once("merge request", merged.iter().map(|mr| word(&mr["source_branch"])), requests);
    let repository = place.dir.path().join("sandbox/repos/platform/config.git");
    let commits = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(["log", "--no-merges", "--diff-filter=A", "--name-only", "--format=", "main", "--", "notes/n*"])
        .output()
        .expect("git");
    let files = String::from_utf8(commits.stdout).expect("names");
    once("commit", files.lines().filter(|line| !line.is_empty()).map(str::to_owned), requests);
}

async fn merged(place: &Place) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1.. {
        let url = format!(
            "{}/api/v4/projects/platform%2Fconfig/merge_requests?state=all&per_page=100&page={page}",
            place.remotes.gitlab_url
        );
        let client = reqwest::Client::new();
        let answer = client.get(url).header("PRIVATE-TOKEN", &place.remotes.bot_token).send().await.expect("an answer");
        let items: Vec<Value> = answer.json().await.expect("merge requests");
        if items.is_empty() {
            break;
        }
        all.extend(items.into_iter().filter(|mr| word(&mr["source_branch"]).starts_with("signalbox/")));
    }
    assert!(all.iter().all(|mr| mr["state"] == "merged"), "a merge request is not merged");
    all
}

fn once(what: &str, names: impl Iterator<Item = String>, requests: usize) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        *seen.entry(name).or_default() += 1;
    }
    let twice: Vec<_> = seen.iter().filter(|(_, n)| **n > 1).collect();
    assert!(twice.is_empty() && seen.len() == requests, "{} of {requests} have a {what}; twice: {twice:?}", seen.len());
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
