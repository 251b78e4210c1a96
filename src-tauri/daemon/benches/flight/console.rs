//! What a person's console asks of the program.

use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::place::Program;

/// Submissions under way at once.
const AT_ONCE: usize = 32;

/// A client of the program.
pub(crate) struct Console {
    client: reqwest::Client,
    url: String,
    token: String,
}

impl Console {
    pub(crate) fn of(program: &Program) -> Self {
        Self { client: reqwest::Client::new(), url: program.url.clone(), token: program.token.clone() }
    }

    /// Submits so many changes, each of a file of its own; the status of each answer.
    pub(crate) async fn submit(&self, requests: usize) -> Vec<u16> {
        stream::iter(0..requests).map(|n| self.submit_one(n)).buffer_unordered(AT_ONCE).collect().await
    }

    async fn submit_one(&self, n: usize) -> u16 {
        let name = format!("n{n:05}");
        let body =
            json!({ "kind": "note", "fields": { "name": name, "text": format!("note {n}") }, "idempotency_key": name });
        let url = format!("{}/api/v1/changes", self.url);
        let answer = self.client.post(url).bearer_auth(&self.token).json(&body).send().await.expect("an answer");
        answer.status().as_u16()
    }

    /// Counts over all requests.
    pub(crate) async fn counts(&self) -> Value {
        let url = format!("{}/api/v1/operations?limit=1", self.url);
        let answer = self.client.get(url).bearer_auth(&self.token).send().await.expect("an answer");
        answer.json::<Value>().await.expect("a list")["counts"].take()
    }

    /// Requests with this status.
    pub(crate) async fn with_status(&self, status: &str) -> usize {
        count(&self.counts().await["by_status"][status])
    }

    /// Requests that run or wait.
    pub(crate) async fn in_flight(&self) -> usize {
        let outlooks = self.counts().await["by_outlook"].take();
        count(&outlooks["running"]) + count(&outlooks["waiting"])
    }
}

pub(crate) fn count(number: &Value) -> usize {
    number.as_u64().map_or(0, |n| usize::try_from(n).expect("a count"))
}
