//! No case is forgotten: each number stands in the name of a test.

use std::{fs, path::Path};

/// The cases of K01 to K17.
const CASES: &[u32] = &[
    1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 18, 19, 20, 24, 25, 26, 27, 28, 33, 34, 35, 36, 37, 42, 43, 44, 45, 49, 50, 51,
    52, 53, 54, 55, 60, 61, 62, 63, 67, 68, 69, 70, 71, 72, 73, 77, 78, 79, 80, 83, 84, 85, 86, 87, 88, 93, 94, 95, 96,
    99, 100, 101, 102, 106, 107, 108, 109, 112, 113, 114, 115, 116, 119, 120, 121, 122, 123, 128, 129, 130, 131,
];

/// Where tests stand: a case is tested where it can be seen.
const PLACES: [&str; 4] = ["tests", "src-tauri/daemon/tests", "src-tauri/tests", "src-tauri/engine/store/tests"];

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_case_has_a_test_that_names_it() {
    let mut texts = Vec::new();
    for folder in PLACES {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut texts);
    }
    let missing: Vec<_> =
        CASES.iter().filter(|n| !texts.iter().any(|text| text.contains(&format!("fn c{n:03}_")))).collect();
    assert!(missing.is_empty(), "no test names the cases {missing:?}");
}
