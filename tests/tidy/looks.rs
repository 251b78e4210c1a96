//! How the sources look.

use std::{collections::BTreeSet, fs};

use crate::sources::{Source, below, engine, programs};

fn everything() -> Vec<Source> {
    let mut all = below("src-tauri", &[".rs"]);
    for folder in ["tests", "migrations", "ui/src", "ui/tests"] {
        all.extend(below(folder, &[".rs", ".sql", ".ts", ".tsx", ".css"]));
    }
    all
}

#[test]
fn no_file_is_longer_than_five_hundred_lines() {
    let long: Vec<_> = everything()
        .iter()
        // What is made from other sources is read there.
        .filter(|source| !source.path.contains(".gen."))
        .map(|source| (source.path.clone(), source.text.lines().count()))
        .filter(|(_, lines)| *lines > 500)
        .collect();
    assert_eq!(long, [], "a file that long is two files");
}

/// Where the program may say that something cannot be, and why it cannot.
const CANNOT_BE: &[(&str, &str)] =
    &[("src-tauri/engine/adapters/webhook.rs", r#".expect("HMAC takes keys of any length")"#)];

#[test]
fn the_program_does_not_panic() {
    let words =
        [".unwrap()", ".expect(", "panic!(", "unreachable!(", "todo!(", "unimplemented!(", "assert!(", "assert_eq!("];
    let mut found = Vec::new();
    for source in programs() {
        for (n, line) in source.lines().filter(|(_, line)| words.iter().any(|word| line.contains(word))) {
            let is_proven = CANNOT_BE.iter().any(|(path, text)| source.path == *path && line.contains(text));
            if !is_proven {
                found.push(format!("{}:{n}: {}", source.path, line.trim()));
            }
        }
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn every_engine_file_says_what_it_is() {
    let silent: Vec<_> =
        engine().into_iter().filter(|source| !source.text.starts_with("//! ")).map(|source| source.path).collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn every_migration_says_why() {
    for source in below("migrations", &[".sql"]) {
        assert!(source.text.starts_with("-- Why: "), "{}", source.path);
    }
}

#[test]
fn nothing_is_left_for_later() {
    let words = [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["XX", "X"].concat(), ["dbg", "!("].concat()];
    let mut found = Vec::new();
    for source in everything() {
        for (n, line) in source.text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word.as_str())) {
                found.push(format!("{}:{}: {}", source.path, n + 1, line.trim()));
            }
        }
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn no_test_is_switched_off() {
    let words = [["#[ign", "ore"].concat(), [".sk", "ip("].concat(), [".on", "ly("].concat(), ["xi", "t("].concat()];
    let mut found = Vec::new();
    for source in everything() {
        let is_test = source.path.contains("test") || source.path.ends_with(".spec.ts");
        for (n, line) in source.text.lines().enumerate() {
            let off = line.contains(&words[0])
                || (is_test
                    && !source.path.ends_with(".rs")
                    && words[1..].iter().any(|word| line.contains(word.as_str())));
            if off {
                found.push(format!("{}:{}: {}", source.path, n + 1, line.trim()));
            }
        }
    }
    assert_eq!(found, [""; 0]);
}

/// Words that say nothing of what a thing does.
const EMPTY_WORDS: &[&str] = &["Manager", "Helper", "Util", "Utils", "Common", "Service"];

#[test]
fn names_say_what_a_thing_is() {
    let mut found = Vec::new();
    for source in everything() {
        let stem = source.path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
        let mut names: BTreeSet<String> = BTreeSet::from([stem.to_owned()]);
        for line in source.text.lines() {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            for pair in words.windows(2) {
                if ["struct", "enum", "trait", "mod", "type", "interface", "class"].contains(&pair[0]) {
                    names.insert(pair[1].to_owned());
                }
            }
        }
        for name in names {
            let plain = name.to_lowercase();
            let empty = EMPTY_WORDS.iter().any(|word| name.ends_with(word) || plain == word.to_lowercase());
            if empty {
                found.push(format!("{}: {name}", source.path));
            }
        }
    }
    assert_eq!(found, [""; 0]);
}

/// What may lie at the top of the repository, besides files that begin with a dot.
const TOP: &[&str] = &["Cargo.toml", "Cargo.lock", "src-tauri", "ui", "migrations", "tests", "README.md", "Makefile"];
/// Made by cargo, and never committed.
const MADE: &[&str] = &["target"];

#[test]
fn the_top_holds_what_belongs_there() {
    let names: BTreeSet<String> = fs::read_dir(".")
        .expect("the repository")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.') && !MADE.contains(&name.as_str()))
        .collect();
    let belongs: BTreeSet<String> = TOP.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(names, belongs);
    let ignored = fs::read_to_string(".gitignore").expect("what is not committed");
    assert!(MADE.iter().all(|name| ignored.lines().any(|line| line == format!("/{name}"))));
}
