//! Metrics in the Prometheus text format, read from the store: they survive a restart and count nothing twice.

use std::fmt::Write as _;

use crate::{engine::Engine, flow::Step, store::StoreResult};

use super::{Problem, Reply};

impl Engine {
    /// The metrics page.
    pub async fn metrics(&self) -> Reply {
        match self.metrics_text().await {
            Ok(text) => Reply::text("text/plain; version=0.0.4; charset=utf-8", text),
            Err(error) => Problem::from(error).into(),
        }
    }

    /// 200 while the store answers.
    pub async fn ready(&self) -> Reply {
        match self.core.store.last_change_seq().await {
            Ok(_) => Reply::json(200, &serde_json::json!({"ready": true})),
            Err(error) => Problem::from(error).into(),
        }
    }

    async fn metrics_text(&self) -> StoreResult<String> {
        let store = &self.core.store;
        let mut text = String::new();
        head(&mut text, "validated_total", "counter", "Requests that became effective, each once.");
        let _ = writeln!(text, "signalbox_validated_total {}", store.validated_total().await?);
        head(&mut text, "operations", "gauge", "Requests by step and outlook.");
        for (status, step, outlook, n) in store.counts().await? {
            let name = Step::from_code(step).map_or("?", Step::name);
            let _ = writeln!(
                text,
                "signalbox_operations{{step=\"{step}\",name=\"{name}\",status=\"{status}\",outlook=\"{outlook}\"}} {n}"
            );
        }
        head(&mut text, "step_entries_total", "counter", "How often each step was entered.");
        for (step, n) in store.entries_by_step().await? {
            let name = Step::from_code(step).map_or("?", Step::name);
            let _ = writeln!(text, "signalbox_step_entries_total{{step=\"{step}\",name=\"{name}\"}} {n}");
        }
        head(&mut text, "remote_calls_total", "counter", "Remote calls by remote, effect and outcome.");
        for (remote, effect, outcome, n) in store.calls_by_outcome().await? {
            let _ = writeln!(
                text,
                "signalbox_remote_calls_total{{remote=\"{remote}\",effect=\"{effect}\",outcome=\"{outcome}\"}} {n}"
            );
        }
        head(&mut text, "events_total", "counter", "Events from outside by source and verdict.");
        for (source, verdict, n) in store.events_by_verdict().await? {
            let _ = writeln!(text, "signalbox_events_total{{source=\"{source}\",verdict=\"{verdict}\"}} {n}");
        }
        Ok(text)
    }
}

fn head(text: &mut String, name: &str, sort: &str, help: &str) {
    let _ = writeln!(text, "# HELP signalbox_{name} {help}\n# TYPE signalbox_{name} {sort}");
}
