//! The charts are the table.

use std::{collections::BTreeSet, fs};

use serde_json::Value;
use signalbox_engine::flow::{Step, chart, table};

#[test]
fn the_json_chart_is_the_table() {
    let chart: Value = serde_json::to_value(chart::chart()).expect("a chart");
    let steps: Vec<_> = chart["steps"].as_array().expect("steps").iter().map(|step| step["code"].as_u64()).collect();
    assert_eq!(steps, Step::ALL.iter().map(|step| Some(u64::from(step.code()))).collect::<Vec<_>>());
    let drawn: Vec<_> = chart["transitions"]
        .as_array()
        .expect("transitions")
        .iter()
        .map(|edge| (edge["from"].as_u64(), edge["event"].as_str().map(str::to_owned), edge["to"].as_u64()))
        .collect();
    let listed: Vec<_> = table::moves()
        .map(|row| {
            (
                row.from.map(|from| u64::from(from.code())),
                Some(row.event.word().to_owned()),
                Some(u64::from(row.to.code())),
            )
        })
        .collect();
    assert_eq!(drawn, listed);
}

/// Every edge of the table as (from, to, event), in the words of a drawing.
fn edges(start: &str) -> BTreeSet<(String, String, String)> {
    table::moves()
        .map(|row| {
            let from = row.from.map_or_else(|| start.to_owned(), |step| step.code().to_string());
            (from, row.to.code().to_string(), row.event.word().to_owned())
        })
        .collect()
}

/// The events of a label; what stands in brackets is the guard.
fn events(label: &str) -> impl Iterator<Item = String> {
    label.split(" / ").map(|part| part.split(' ').next().unwrap_or_default().to_owned())
}

#[test]
fn the_mermaid_chart_is_the_table() {
    let mut drawn = BTreeSet::new();
    let mut ends = Vec::new();
    for line in chart::mermaid().lines().filter(|line| line.contains("-->")) {
        let (from, rest) = line.trim().split_once(" --> ").expect("an edge");
        match rest.split_once(": ") {
            Some((to, label)) => {
                drawn.extend(events(label).map(|event| (from.to_owned(), to.to_owned(), event)));
            }
            None => ends.push(from.to_owned()),
        }
    }
    assert_eq!(drawn, edges("[*]"));
    assert_eq!(ends, ["10202", "10301", "10404", "10405"]);
}

#[test]
fn the_dot_chart_is_the_table() {
    let mut drawn = BTreeSet::new();
    for line in chart::dot().lines().filter(|line| line.contains("->")) {
        let (from, rest) = line.trim().split_once(" -> ").expect("an edge");
        let (to, label) = rest.split_once(" [label=\"").expect("a label");
        drawn.extend(events(label.trim_end_matches("\"];")).map(|event| (from.to_owned(), to.to_owned(), event)));
    }
    assert_eq!(drawn, edges("start"));
}

#[test]
fn the_chart_of_the_readme_is_the_table() {
    let readme = fs::read_to_string("README.md").unwrap_or_default();
    let blocks: Vec<_> = readme.split("<!-- chart -->").collect();
    assert_eq!(
        blocks.len(),
        3,
        "README.md has no chart: put `<!-- chart -->` before and after a mermaid block; this test says what belongs in it"
    );
    let expected = format!("```mermaid\n{}```", chart::mermaid());
    assert_eq!(
        blocks[1].trim(),
        expected,
        "the chart of the README is not the table; `curl .../api/v1/workflows/merge-request?format=mermaid` prints it"
    );
}
