//! The table as a graph: JSON for the track plan, Mermaid for the README, DOT for whoever draws it.

use std::fmt::Write as _;

use serde::Serialize;

use super::{
    status::{Outlook, Status, Step},
    table::{self, Move},
};

/// A step of the chart.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct ChartStep {
    /// Public code.
    pub code: u16,
    /// Public name.
    pub name: &'static str,
    /// Outward status it brings; null keeps the one there was.
    pub status: Option<&'static str>,
    /// Outlook.
    pub outlook: Outlook,
    /// Code prefix of its stage.
    pub stage: u16,
    /// Name of its stage.
    pub stage_name: &'static str,
    /// True for the ends.
    pub terminal: bool,
}

/// A move of the chart.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct ChartMove {
    /// Code of the step it leaves; null for the start.
    pub from: Option<u16>,
    /// The event.
    pub event: &'static str,
    /// Code of the step it enters.
    pub to: u16,
    /// Who can cause it.
    #[ts(type = "\"operator\" | \"engine\" | \"approval\" | \"gitlab\" | \"deploy\"")]
    pub by: &'static str,
    /// When it applies, in words; empty for always.
    pub note: &'static str,
}

/// The whole graph of a workflow.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct Chart {
    /// Name of the workflow.
    pub workflow: &'static str,
    /// All steps.
    pub steps: Vec<ChartStep>,
    /// All moves.
    pub transitions: Vec<ChartMove>,
}

/// The graph of the merge-request workflow.
#[must_use]
pub fn chart() -> Chart {
    let step = |step: &Step| ChartStep {
        code: step.code(),
        name: step.name(),
        status: step.status().map(Status::word),
        outlook: step.outlook(),
        stage: step.stage().0,
        stage_name: step.stage().name(),
        terminal: step.is_terminal(),
    };
    let edge = |row: Move| ChartMove {
        from: row.from.map(Step::code),
        event: row.event.word(),
        to: row.to.code(),
        by: row.by.word(),
        note: row.guard.word(),
    };
    Chart {
        workflow: "merge-request",
        steps: Step::ALL.iter().map(step).collect(),
        transitions: table::moves().map(edge).collect(),
    }
}

/// The graph as a Mermaid state diagram.
#[must_use]
pub fn mermaid() -> String {
    let mut text = String::from("stateDiagram-v2\n");
    for step in Step::ALL {
        let _ = writeln!(text, "    {code}: {code} {name}", code = step.code(), name = step.name());
    }
    for (from, to, label) in edges() {
        let from = from.map_or_else(|| "[*]".into(), |code| code.to_string());
        let _ = writeln!(text, "    {from} --> {to}: {label}");
    }
    for step in Step::ALL.iter().filter(|step| step.is_terminal()) {
        let _ = writeln!(text, "    {} --> [*]", step.code());
    }
    text
}

/// The graph for Graphviz.
#[must_use]
pub fn dot() -> String {
    let mut text =
        String::from("digraph \"merge-request\" {\n    rankdir=LR;\n    node [shape=box];\n    start [shape=point];\n");
    for step in Step::ALL {
        let shape = match step.outlook() {
            Outlook::Running | Outlook::Waiting => "box",
            Outlook::Unknown => "diamond",
            Outlook::Failed => "octagon",
            Outlook::Done => "doublecircle",
        };
        let _ = writeln!(
            text,
            "    {code} [label=\"{code}\\n{name}\", shape={shape}];",
            code = step.code(),
            name = step.name()
        );
    }
    for (from, to, label) in edges() {
        let from = from.map_or_else(|| "start".into(), |code| code.to_string());
        let _ = writeln!(text, "    {from} -> {to} [label=\"{label}\"];");
    }
    text.push_str("}\n");
    text
}

/// Edges with the events between the same two steps joined, in the order of the table.
fn edges() -> Vec<(Option<u16>, u16, String)> {
    let mut edges: Vec<(Option<u16>, u16, String)> = Vec::new();
    for row in table::moves() {
        let (from, to) = (row.from.map(Step::code), row.to.code());
        let label = match row.guard.word() {
            "" => row.event.word().to_owned(),
            guard => format!("{} ({guard})", row.event.word()),
        };
        match edges.iter_mut().find(|(f, t, _)| (*f, *t) == (from, to)) {
            Some((_, _, labels)) => {
                labels.push_str(" / ");
                labels.push_str(&label);
            }
            None => edges.push((from, to, label)),
        }
    }
    edges
}
