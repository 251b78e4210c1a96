//! Edits of JSON files: one value changes, every other byte stays.

#![allow(clippy::needless_pass_by_value, reason = "tables of values read better")]

use serde_json::{Value, json};
use signalbox_engine::documents::edit::{Edit, Segment, apply_edits, new_document, read_value};

fn at(way: &str) -> Vec<Segment> {
    way.split('/').map(|part| part.parse::<usize>().map_or_else(|_| Segment::from(part), Segment::from)).collect()
}

fn edit(text: &str, way: &str, value: Value) -> Result<String, String> {
    let edits = [Edit { at: at(way), value }];
    let bytes = apply_edits("conf/app.json", text.as_bytes(), &edits).map_err(|e| e.to_string())?;
    Ok(String::from_utf8(bytes).expect("an edit of text gives text"))
}

#[track_caller]
fn becomes(before: &str, way: &str, value: Value, after: &str) {
    assert_eq!(edit(before, way, value.clone()).as_deref(), Ok(after), "{way} = {value} in {before:?}");
}

#[track_caller]
fn refused(before: &str, way: &str, value: Value, words: &str) {
    let fault = edit(before, way, value).expect_err("the edit must be refused");
    assert!(fault.contains(words) && fault.starts_with("conf/app.json"), "{words:?} in {fault}");
}

#[test]
fn one_value_changes_and_everything_else_stays() {
    let table = [
        ("{\"a\":1,\"b\" : 2 }\n", "a", json!(5), "{\"a\":5,\"b\" : 2 }\n"),
        ("{\n\t\"a\": 1.50,\n\t\"b\": [1,  2]\n}", "b/1", json!(9), "{\n\t\"a\": 1.50,\n\t\"b\": [1,  9]\n}"),
        ("\u{feff}{\"a\": 1}\r\n", "a", json!(2), "\u{feff}{\"a\": 2}\r\n"),
        ("{\"a\\u0062\": 1, \"x\": \"\\u00e9\\/\"}", "ab", json!(2), "{\"a\\u0062\": 2, \"x\": \"\\u00e9\\/\"}"),
        (
            "// head\n{\"a\": 1, /* one */ \"b\": 2, // two\n}\n",
            "b",
            json!(3),
            "// head\n{\"a\": 1, /* one */ \"b\": 3, // two\n}\n",
        ),
        ("[{\"a.b\": 1}]", "0/a.b", json!("q\"\n"), "[{\"a.b\": \"q\\\"\\n\"}]"),
        ("{\"id\": 9007199254740992}", "id", json!(9007199254740993_u64), "{\"id\": 9007199254740993}"),
        ("{\"a\": 1}", "a", json!({"x": [1, 2]}), "{\"a\": {\"x\": [1, 2]}}"),
        ("{\"a\":1,\"b\":2}", "a", json!({"x": [1, 2]}), "{\"a\":{\"x\":[1,2]},\"b\":2}"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "a", json!([1]), "{\n  \"a\": [\n    1\n  ],\n  \"b\": 2\n}\n"),
        ("{\n  \"a\": [1, 2]\n}\n", "a", json!([3]), "{\n  \"a\": [3]\n}\n"),
        ("{\r\n    \"a\": null\r\n}\r\n", "a/b", json!(1), "{\r\n    \"a\": {\r\n        \"b\": 1\r\n    }\r\n}\r\n"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
    for (text, way, value) in [
        ("{\"a\": 1.0}", "a", json!(1)),
        ("{\"a\": 1e2}", "a", json!(100)),
        ("{\"a\": \"\\u0041\"}", "a", json!("A")),
        ("{\"a\": {\"x\": 1,   \"y\": 2}}", "a", json!({"y": 2, "x": 1})),
    ] {
        becomes(text, way, value, text);
    }
}

#[test]
fn a_missing_key_goes_to_the_end_of_its_map() {
    let table = [
        ("{\"a\": 1}", "b", json!(2), "{\"a\": 1, \"b\": 2}"),
        ("{ \"a\": 1 }\n", "b", json!(2), "{ \"a\": 1, \"b\": 2 }\n"),
        ("{\"a\":1}", "b/c", json!(2), "{\"a\":1,\"b\":{\"c\":2}}"),
        ("{}", "a", json!(1), "{\"a\": 1}"),
        ("{ }\n", "a", json!(1), "{ \"a\": 1 }\n"),
        ("{\n  \"m\": {}\n}\n", "m/a", json!(1), "{\n  \"m\": {\n    \"a\": 1\n  }\n}\n"),
        ("{\n}\n", "a", json!(1), "{\n  \"a\": 1\n}\n"),
        (
            "{\n\t\"m\": {\n\t\t\"a\": 1\n\t}\n}\n",
            "m/x/z",
            json!(2),
            "{\n\t\"m\": {\n\t\t\"a\": 1,\n\t\t\"x\": {\n\t\t\t\"z\": 2\n\t\t}\n\t}\n}\n",
        ),
        ("{\r\n  \"a\": 1\r\n}", "b", json!(2), "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}"),
        ("{\n  \"a\": 1 // one\n}\n", "b", json!(2), "{\n  \"a\": 1, // one\n  \"b\": 2\n}\n"),
        ("{\n  \"a\": 1, // one\n}\n", "b", json!(2), "{\n  \"a\": 1, // one\n  \"b\": 2,\n}\n"),
        ("{\n  \"a\": [\n    1\n  ]\n}\n", "b", json!([2]), "{\n  \"a\": [\n    1\n  ],\n  \"b\": [\n    2\n  ]\n}\n"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn what_cannot_be_edited_is_told_in_a_sentence() {
    refused("{\"a\": 1, \"a\": 2}", "b", json!(1), "`a` stands twice");
    refused("{\"a\": 1,\n \"x\": {\"b\": 1, \"b\": 2}}", "a", json!(2), "line 2");
    refused("{\"a\": 1", "a", json!(1), "not valid JSON");
    refused("{\"a\": 01}", "a", json!(1), "not valid JSON");
    refused("{\"a\": 1}}", "a", json!(1), "not valid JSON");
    refused("{\"a\": 'x'}", "a", json!(1), "not valid JSON");
    refused("{a: 1}", "a", json!(1), "not valid JSON");
    refused("[1,,2]", "0", json!(1), "not valid JSON");
    refused("{\"a\" 1}", "a", json!(1), "not valid JSON");
    refused("{\"a\": \"x\ny\"}", "a", json!(1), "control character");
    refused("", "a", json!(1), "empty");
    refused("{\"a\": [1]}", "a/1", json!(1), "list of 1");
    refused("{\"a\": \"x\"}", "a/b", json!(1), "`a` is a text");
    refused(&format!("{}1{}", "[".repeat(4000), "]".repeat(4000)), "0", json!(1), "levels of nesting");
}

#[test]
fn a_new_file_is_written_over_several_lines() {
    let edits =
        [("a/b", json!(1)), ("a/c", json!([])), ("d", json!("x"))].map(|(way, value)| Edit { at: at(way), value });
    let text = new_document("f.json", &edits).expect("a new document");
    assert_eq!(
        String::from_utf8_lossy(&text),
        "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": []\n  },\n  \"d\": \"x\"\n}\n"
    );
}

#[test]
fn absent_is_not_null() {
    let text = b"{\"a\": null, \"b\": {\"c\": 1}}";
    assert_eq!(read_value("f.json", text, &at("a")), Ok(Some(Value::Null)));
    assert_eq!(read_value("f.json", text, &at("b/x")), Ok(None));
    assert_eq!(read_value("f.json", text, &at("z")), Ok(None));
    assert_eq!(read_value("f.json", text, &at("b")), Ok(Some(json!({"c": 1}))));
}
