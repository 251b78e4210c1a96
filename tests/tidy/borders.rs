//! Who may know what.

use crate::sources::{below, engine, programs, standing};

#[test]
fn only_the_store_knows_sql() {
    let words = ["sqlx", "\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE FROM", "PRAGMA "];
    assert_eq!(standing(&engine(), &words, &["src-tauri/engine/store", "src-tauri/engine/store.rs"]), [""; 0]);
    let hosts: Vec<_> = programs().into_iter().filter(|source| !source.is_in("src-tauri/engine")).collect();
    assert_eq!(standing(&hosts, &words, &[]), [""; 0]);
}

#[test]
fn the_engine_knows_no_window_and_no_listener() {
    assert_eq!(
        standing(&engine(), &["tauri::", "axum", "gtk::", "signalboxd", "signalbox_sandbox"], ALLOWED_NAMES),
        [""; 0]
    );
}

/// Sentences and command lines that tell people which program to call.
const ALLOWED_NAMES: &[&str] = &["src-tauri/engine/store/damage.rs", "src-tauri/engine/api/keep.rs"];

#[test]
fn only_adapters_know_http() {
    assert_eq!(
        standing(&engine(), &["reqwest", "rustls"], &["src-tauri/engine/adapters", "src-tauri/engine/adapters.rs"]),
        [""; 0]
    );
}

/// Where the time of the machine may be read, and why.
const CLOCKS: &[&str] = &[
    // They are the clock and the chance of the machine.
    "src-tauri/engine/ports/clock.rs",
    "src-tauri/engine/ports/chance.rs",
    // How long a probe took; nothing is decided by it.
    "src-tauri/engine/health.rs",
    // Limits of single calls, dates in answers of remotes.
    "src-tauri/engine/adapters",
];

#[test]
fn time_and_chance_come_in_as_parameters() {
    let words = [
        "Utc::now",
        "Local::now",
        "SystemTime::now",
        "Instant::now",
        "rand::",
        "Uuid::",
        "thread_rng",
        "tokio::time::sleep",
        "thread::sleep",
    ];
    assert_eq!(standing(&engine(), &words, CLOCKS), [""; 0]);
}

#[test]
fn stages_decide_and_do_nothing_else() {
    let stages = below("src-tauri/engine/stages", &[".rs"]);
    let words = ["Store", "Core", "Transition", "Arc<dyn", "tokio::", "std::fs", "std::env", "spawn("];
    assert_eq!(standing(&stages, &words, STAGES_MAY), [""; 0]);
}

/// What a stage is handed to ask what is on record.
const STAGES_MAY: &[&str] = &["src-tauri/engine/stages/bench.rs"];

#[test]
fn the_table_knows_only_words() {
    let flow = below("src-tauri/engine/flow", &[".rs"]);
    assert_eq!(standing(&flow, &["crate::store", "crate::stages", "crate::engine", "async ", "std::fs"], &[]), [""; 0]);
}

#[test]
fn adapters_decide_nothing() {
    let adapters = below("src-tauri/engine/adapters", &[".rs"]);
    assert_eq!(
        standing(&adapters, &["crate::flow", "crate::store", "crate::stages", "crate::engine", "Event::"], &[]),
        [""; 0]
    );
}

/// A step is written where a move is written, and where a request begins.
#[test]
fn one_place_writes_a_step() {
    let store = below("src-tauri/engine/store", &[".rs"]);
    assert_eq!(standing(&store, &["SET step"], &["src-tauri/engine/store/moves.rs"]), [""; 0]);
    let begins = "src-tauri/engine/store/submission.rs";
    assert_eq!(standing(&store, &["INSERT INTO operation "], &[begins]), [""; 0]);
    assert_eq!(standing(&store, &["DELETE FROM operation ", "DELETE FROM history", "UPDATE history"], &[]), [""; 0]);
}

#[test]
fn the_sandbox_stands_alone() {
    let sandbox = below("src-tauri/sandbox/src", &[".rs"]);
    assert_eq!(standing(&sandbox, &["signalbox_engine", "signalboxd::"], &[]), [""; 0]);
}
