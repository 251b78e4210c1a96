//! Every sentence that the engine says is in the catalogue of both languages, and nothing else is.

use std::{collections::BTreeSet, fs, path::Path};

fn sources(dir: &Path, text: &mut String) {
    for entry in fs::read_dir(dir).expect("the engine's folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            text.push_str(&fs::read_to_string(&path).expect("a source file"));
        }
    }
}

#[test]
fn every_sentence_that_is_said_is_in_the_catalogue() {
    let mut text = String::new();
    sources(Path::new("src-tauri/engine"), &mut text);
    let catalogue: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(include_str!("../src-tauri/engine/words/en.json")).expect("the catalogue");
    let said: BTreeSet<String> = text
        .split("say!(")
        .skip(1)
        .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next().map(str::to_owned))
        .filter(|code| code.contains('.') && code != "checks.look")
        .collect();
    assert!(said.len() > 100);
    let missing: Vec<_> = said.iter().filter(|code| !catalogue.contains_key(*code)).collect();
    assert!(missing.is_empty(), "said but not in the catalogue: {missing:?}");
    let unused: Vec<_> = catalogue
        .keys()
        .filter(|key| {
            !said.contains(*key) && !["quoted", "nobody"].contains(&key.as_str()) && !key.ends_with("_because")
        })
        .collect();
    assert!(unused.is_empty(), "in the catalogue but never said: {unused:?}");
}
