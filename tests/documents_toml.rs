//! Edits of TOML files: one value changes, every other byte stays.

#![allow(clippy::needless_pass_by_value, reason = "tables of values read better")]

use serde_json::{Value, json};
use signalbox_engine::documents::edit::{Edit, Segment, apply_edits, new_document, read_value};

fn at(way: &str) -> Vec<Segment> {
    way.split('/').map(|part| part.parse::<usize>().map_or_else(|_| Segment::from(part), Segment::from)).collect()
}

fn edit(text: &str, way: &str, value: Value) -> Result<String, String> {
    let edits = [Edit { at: at(way), value }];
    let bytes = apply_edits("conf/app.toml", text.as_bytes(), &edits).map_err(|e| e.to_string())?;
    Ok(String::from_utf8(bytes).expect("an edit of text gives text"))
}

#[track_caller]
fn becomes(before: &str, way: &str, value: Value, after: &str) {
    assert_eq!(edit(before, way, value.clone()).as_deref(), Ok(after), "{way} = {value} in {before:?}");
}

#[track_caller]
fn refused(before: &str, way: &str, value: Value, words: &str) {
    let fault = edit(before, way, value).expect_err("the edit must be refused");
    assert!(fault.contains(words) && fault.starts_with("conf/app.toml"), "{words:?} in {fault}");
}

#[test]
fn one_value_changes_and_everything_else_stays() {
    let table = [
        ("a = 1    # one\nb=2\n", "a", json!(5), "a = 5    # one\nb=2\n"),
        ("a = 1\r\n[t]\r\nb = 'x' # c\r\n", "t/b", json!("z"), "a = 1\r\n[t]\r\nb = 'z' # c\r\n"),
        ("a = 1", "a", json!(2), "a = 2"),
        ("\u{feff}a = 1\n", "a", json!(2), "\u{feff}a = 2\n"),
        ("[t]\nx = [1, 2, # c\n 3]\n", "t/x/2", json!(9), "[t]\nx = [1, 2, # c\n 9]\n"),
        ("y = { a = 1, b.c = 2 }\n", "y/b/c", json!(3), "y = { a = 1, b.c = 3 }\n"),
        ("a.b.c = 1\n", "a/b/c", json!(2), "a.b.c = 2\n"),
        ("\"a.b\" = 1\n[a]\nb = 2\n", "a.b", json!(5), "\"a.b\" = 5\n[a]\nb = 2\n"),
        ("[[s]]\nn = 1\n[[s]]\nn = 2\n", "s/1/n", json!(3), "[[s]]\nn = 1\n[[s]]\nn = 3\n"),
        ("a = 'x'\n", "a", json!("it's"), "a = \"it's\"\n"),
        ("a = \"x\"\n", "a", json!("q\"\\\n\u{1}"), "a = \"q\\\"\\\\\\n\\u0001\"\n"),
        ("a = \"\"\"\none\n\"\"\"\n", "a", json!("two\nlines\n"), "a = \"\"\"\ntwo\nlines\n\"\"\"\n"),
        ("a = '''\none\n'''\n", "a", json!("t\\wo\n"), "a = '''\nt\\wo\n'''\n"),
        ("a = 2024-01-01\n", "a", json!("2024-01-01"), "a = \"2024-01-01\"\n"),
        ("a = 1\n", "a", json!({"x": [1, "z"], "w": {}}), "a = { x = [1, \"z\"], w = {} }\n"),
        ("a = 1_000 # same\n", "a", json!(1000), "a = 1_000 # same\n"),
        ("a = 1.0\n", "a", json!(1), "a = 1.0\n"),
        ("a = 1\n", "a", json!(1e21), "a = 1e+21\n"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn a_missing_key_goes_to_the_end_of_its_table() {
    let table = [
        ("a = 1\n\n[t]\nb = 2\n", "c", json!(3), "a = 1\nc = 3\n\n[t]\nb = 2\n"),
        ("a = 1\n\n[t]\n  b = 2 # two\n\n[u]\n", "t/c", json!(3), "a = 1\n\n[t]\n  b = 2 # two\n  c = 3\n\n[u]\n"),
        ("[t]\n\n[u]\nx = 1\n", "t/c", json!(3), "[t]\nc = 3\n\n[u]\nx = 1\n"),
        ("[t]\na.b = 1\n[u]\n", "t/a/c", json!(3), "[t]\na.b = 1\na.c = 3\n[u]\n"),
        ("t = { a = 1 }\n", "t/b", json!(2), "t = { a = 1, b = 2 }\n"),
        ("t = {}\n", "t/b/c", json!(2), "t = { b = { c = 2 } }\n"),
        ("t = { a.b = 1 }\n", "t/a/c", json!(2), "t = { a.b = 1, a.c = 2 }\n"),
        (
            "[t]\na = 1\n\n[t.u]\nb = 1\n\n[v]\nc = 1\n",
            "t/w/x",
            json!(2),
            "[t]\na = 1\n\n[t.u]\nb = 1\n\n[t.w]\nx = 2\n\n[v]\nc = 1\n",
        ),
        ("[t.u]\nb = 1\n", "t/c", json!(2), "[t.u]\nb = 1\n\n[t]\nc = 2\n"),
        ("[[s]]\nn = 1\n\n[[s]]\nn = 2\n", "s/0/m/k", json!(3), "[[s]]\nn = 1\n\n[s.m]\nk = 3\n\n[[s]]\nn = 2\n"),
        ("[[s]]\nn = 1\n\n[[s]]\nn = 2\n", "s/0/m", json!(3), "[[s]]\nn = 1\nm = 3\n\n[[s]]\nn = 2\n"),
        ("# head\n\n# about t\n[t]\na = 1\n", "x", json!(1), "# head\n\nx = 1\n\n# about t\n[t]\na = 1\n"),
        ("", "a/b", json!(1), "[a]\nb = 1\n"),
        ("", "a", json!(1), "a = 1\n"),
        ("# c\n", "a", json!(1), "# c\na = 1\n"),
        ("a = 1\n", "b/c", json!(2), "a = 1\n\n[b]\nc = 2\n"),
        ("a = 1\r\n", "x y", json!("z"), "a = 1\r\n\"x y\" = \"z\"\r\n"),
        ("a = 1", "b", json!(2), "a = 1\nb = 2"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn what_cannot_be_edited_is_told_in_a_sentence() {
    refused("a = 1\na = 2\n", "b", json!(1), "line 2");
    refused("a = \n", "a", json!(1), "not valid TOML");
    refused("a = 1\n", "a", json!(null), "no null");
    refused("a = 1\n", "a", json!(u64::MAX), "18446744073709551615");
    refused("a = 1\n", "a/b", json!(1), "`a` is a number");
    refused("a = [1]\n", "a/4", json!(1), "list of 1");
    refused("[t]\na = 1\n", "t", json!({"a": 2}), "is a table");
    refused("[t]\na = 1\n", "t", json!(5), "is a table");
}

#[test]
fn a_new_file_has_a_header_for_each_table() {
    let edits = [("t/u/a", json!(1)), ("t/u/b", json!(["x"])), ("z", json!(true))]
        .map(|(way, value)| Edit { at: at(way), value });
    let text = new_document("f.toml", &edits).expect("a new document");
    assert_eq!(String::from_utf8_lossy(&text), "z = true\n\n[t.u]\na = 1\nb = [\"x\"]\n");
}

#[test]
fn dates_are_read_as_their_text() {
    assert_eq!(read_value("f.toml", b"a = 2024-01-01\n", &at("a")), Ok(Some(json!("2024-01-01"))));
    assert_eq!(read_value("f.toml", b"[t]\na = 1\n", &at("t")), Ok(Some(json!({"a": 1}))));
    assert_eq!(read_value("f.toml", b"[t]\na = 1\n", &at("t/b")), Ok(None));
}
