//! The sources as text.

use std::{fs, path::Path};

/// A source file.
pub(crate) struct Source {
    /// Path from the top of the repository, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Is it in this folder, or this file?
    pub(crate) fn is_in(&self, place: &str) -> bool {
        self.path == place || self.path.starts_with(&format!("{}/", place.trim_end_matches('/')))
    }

    /// Rust without its tests: what the program is made of.
    pub(crate) fn program(&self) -> &str {
        self.text.split_once("#[cfg(test)]").map_or(&self.text, |(program, _)| program)
    }

    /// Lines of the program, with their numbers, without comments.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.program().lines().enumerate().map(|(n, line)| (n + 1, line.split("//").next().unwrap_or_default()))
    }
}

/// Folders that hold what others wrote or what is made from the sources.
const NOT_OURS: &[&str] = &["node_modules", "target", "dist", "gen", "test-results", "playwright-report", "snapshots"];

/// All files below a folder whose names end so.
pub(crate) fn below(folder: &str, endings: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    collect(Path::new(folder), endings, &mut found);
    assert!(!found.is_empty(), "nothing in {folder}");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !NOT_OURS.contains(&name) && !name.starts_with('.') {
                collect(&path, endings, found);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            let text = fs::read_to_string(&path).expect("a source file");
            found.push(Source { path: path.to_string_lossy().replace('\\', "/"), text });
        }
    }
}

/// The engine's program files; tests beside them are left out.
pub(crate) fn engine() -> Vec<Source> {
    let mut sources = below("src-tauri/engine", &[".rs"]);
    sources.retain(|source| !source.path.contains("/tests/") && !source.path.ends_with("/tests.rs"));
    sources
}

/// Every program file of every crate.
pub(crate) fn programs() -> Vec<Source> {
    let mut sources = engine();
    for folder in ["src-tauri/daemon/src", "src-tauri/sandbox/src", "src-tauri/src"] {
        sources.extend(below(folder, &[".rs"]));
    }
    sources
}

/// Places in which a word stands, outside the places where it may.
pub(crate) fn standing(sources: &[Source], words: &[&str], may: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| !may.iter().any(|place| source.is_in(place))) {
        for (n, line) in source.lines() {
            for word in words.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{}:{n}: {word}", source.path));
            }
        }
    }
    found
}
