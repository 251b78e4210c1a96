//! Every dependency is used, and has its reason beside it.

use std::fs;

use crate::sources::{Source, below};

/// A manifest, and the folders whose sources use its dependencies.
const CRATES: &[(&str, &[&str])] = &[
    ("Cargo.toml", &["src-tauri/engine", "tests"]),
    ("src-tauri/daemon/Cargo.toml", &["src-tauri/daemon"]),
    ("src-tauri/sandbox/Cargo.toml", &["src-tauri/sandbox"]),
    ("src-tauri/Cargo.toml", &["src-tauri/src", "src-tauri/tests", "src-tauri/benches"]),
];

/// The dependencies of a manifest: section, name and the line.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(manifest).expect("a manifest");
    let (mut found, mut section) = (Vec::new(), String::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if section.ends_with("dependencies")
            && section != "workspace.dependencies"
            && let Some((name, rest)) = line.split_once(" = ")
            && !name.starts_with('#')
        {
            found.push((name.to_owned(), rest.to_owned()));
        }
    }
    found
}

#[test]
fn every_crate_in_a_manifest_is_used() {
    let mut idle = Vec::new();
    for (manifest, folders) in CRATES {
        let mut sources: Vec<Source> = folders.iter().flat_map(|folder| below(folder, &[".rs"])).collect();
        let build = manifest.replace("Cargo.toml", "build.rs");
        if let Ok(text) = fs::read_to_string(&build) {
            sources.push(Source { path: build, text });
        }
        for (name, _) in dependencies(manifest) {
            let word = name.replace('-', "_");
            if !sources.iter().any(|source| stands(&source.text, &word)) {
                idle.push(format!("{manifest}: {name}"));
            }
        }
    }
    assert_eq!(idle, [""; 0], "named and not used");
}

/// Is the name in the text, as a word of its own?
fn stands(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

#[test]
fn every_shared_version_is_used() {
    let root = fs::read_to_string("Cargo.toml").expect("the manifest");
    let (_, shared) = root.split_once("[workspace.dependencies]").expect("shared versions");
    let shared = shared.split("\n[").next().unwrap_or_default();
    let all: Vec<String> =
        CRATES.iter().flat_map(|(manifest, _)| dependencies(manifest)).map(|(name, _)| name).collect();
    for name in shared.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name) {
        assert!(all.iter().any(|used| used == name), "{name} is shared by nobody");
    }
}

/// Packages that another package needs beside it, and which.
const NEEDED_BESIDE: &[(&str, &str)] = &[("dayjs", "@mantine/dates")];

#[test]
fn every_package_of_the_ui_is_used() {
    let package: serde_json::Value =
        serde_json::from_str(&fs::read_to_string("ui/package.json").expect("the package")).expect("JSON");
    let mut sources = below("ui/src", &[".ts", ".tsx", ".css"]);
    for name in ["vite.config.ts", "tsconfig.json"] {
        let path = format!("ui/{name}");
        sources.push(Source { text: fs::read_to_string(&path).expect("a file"), path });
    }
    let named = package["dependencies"].as_object().expect("dependencies");
    for name in named.keys() {
        if NEEDED_BESIDE.iter().any(|(package, of)| name == package && named.contains_key(*of)) {
            continue;
        }
        let used = sources.iter().any(|source| {
            [format!("\"{name}\""), format!("\"{name}/"), format!("'{name}")]
                .iter()
                .any(|word| source.text.contains(word.as_str()))
        });
        assert!(used, "ui/package.json names {name}, and nothing uses it");
    }
}
