//! What differs between two values, and between two files.

#![allow(clippy::needless_pass_by_value, reason = "tables of values read better")]

use serde_json::{Value, json};
use signalbox_engine::documents::field_diff::diff;
use signalbox_engine::documents::file_diff::{FileAction, FileChange};

/// `op path pointer from to`, as one line for each change.
fn changes(before: Value, after: Value, schema: Option<Value>) -> Vec<String> {
    diff(&before, &after, schema.as_ref())
        .iter()
        .map(|change| {
            let row = serde_json::to_value(change).expect("a change is JSON");
            let word = |key: &str| row[key].as_str().expect("a text").to_owned();
            format!("{} {} {} {} {}", word("op"), word("path"), word("pointer"), row["from"], row["to"])
        })
        .collect()
}

#[test]
fn values_that_are_the_same_differ_in_nothing() {
    for (before, after) in [
        (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1})),
        (json!({"a": 1}), json!({"a": 1.0})),
        (json!({"a": [1.0, {"b": -0.0}]}), json!({"a": [1, {"b": 0}]})),
        (json!({"a": null}), json!({"a": null})),
        (json!({"a": 9007199254740993_u64}), json!({"a": 9007199254740993_u64})),
    ] {
        assert_eq!(changes(before, after, None), Vec::<String>::new());
    }
}

#[test]
fn nested_values_are_named_by_path_and_pointer() {
    let table = [
        (
            json!({"settings": {"limit": 1}}),
            json!({"settings": {"limit": 2}}),
            vec!["replace settings.limit /settings/limit 1 2"],
        ),
        (json!({"a": 1}), json!({}), vec!["remove a /a 1 null"]),
        (json!({}), json!({"a": null}), vec!["add a /a null null"]),
        (json!({"a": null}), json!({"a": 1}), vec!["replace a /a null 1"]),
        (json!({"a": 1}), json!({"a": "1"}), vec!["replace a /a 1 \"1\""]),
        (json!({"a": {"x": 1}}), json!({"a": [1]}), vec!["replace a /a {\"x\":1} [1]"]),
        (json!({"l": [1, 2, 3]}), json!({"l": [1, 3]}), vec!["replace l[1] /l/1 2 3", "remove l[2] /l/2 3 null"]),
        (
            json!({"l": [{"x": 1}]}),
            json!({"l": [{"x": 2}, 5]}),
            vec!["replace l[0].x /l/0/x 1 2", "add l[1] /l/1 null 5"],
        ),
        (
            json!({"id": 9007199254740993_u64}),
            json!({"id": 9007199254740992.0}),
            vec!["replace id /id 9007199254740993 9007199254740992.0"],
        ),
        (json!(1), json!(2), vec!["replace   1 2"]),
    ];
    for (before, after, expected) in table {
        assert_eq!(changes(before, after, None), expected);
    }
}

#[test]
fn keys_with_dots_and_brackets_stay_unambiguous() {
    let before =
        json!({"settings": {"a.b": 1, "a": {"b": 1}, "c[0]": 1, "c": [1], "d/e~f": 1, "": 1, "q\"": 1, "中": 1}});
    let after =
        json!({"settings": {"a.b": 2, "a": {"b": 2}, "c[0]": 2, "c": [2], "d/e~f": 2, "": 2, "q\"": 2, "中": 2}});
    assert_eq!(
        changes(before, after, None),
        [
            r#"replace settings["a.b"] /settings/a.b 1 2"#,
            r#"replace settings.a.b /settings/a/b 1 2"#,
            r#"replace settings["c[0]"] /settings/c[0] 1 2"#,
            r#"replace settings.c[0] /settings/c/0 1 2"#,
            r#"replace settings.d/e~f /settings/d~1e~0f 1 2"#,
            r#"replace settings[""] /settings/ 1 2"#,
            r#"replace settings["q\""] /settings/q" 1 2"#,
            r#"replace settings.中 /settings/中 1 2"#,
        ]
    );
    assert_eq!(changes(json!({"a.b": 1}), json!({}), None), [r#"remove ["a.b"] /a.b 1 null"#]);
}

#[test]
fn lists_are_compared_by_the_key_that_the_schema_names() {
    let schema = json!({
        "properties": {"servers": {"$ref": "#/$defs/servers"}},
        "$defs": {"servers": {"type": "array", "x-key": "name", "items": {"properties": {"ports": {"x-key": "n"}}}}}
    });
    let before = json!({"servers": [{"name": "web", "cpu": 1}, {"name": "db", "cpu": 2, "ports": [{"n": 1}, {"n": 2, "x": 1}]}, {"name": "old"}]});
    let after = json!({"servers": [{"name": "db", "cpu": 3, "ports": [{"n": 2, "x": 2}, {"n": 1}]}, {"name": "web", "cpu": 1}, {"name": "a.b"}]});
    assert_eq!(
        changes(before, after, Some(schema.clone())),
        [
            "replace servers[name=db].cpu /servers/0/cpu 2 3",
            "replace servers[name=db].ports[n=2].x /servers/0/ports/0/x 1 2",
            r#"remove servers[name=old] /servers/2 {"name":"old"} null"#,
            r#"add servers[name="a.b"] /servers/2 null {"name":"a.b"}"#,
        ]
    );
    let twice = json!({"servers": [{"name": "a"}, {"name": "a", "x": 1}]});
    assert_eq!(
        changes(twice, json!({"servers": [{"name": "a"}, {"name": "a", "x": 2}]}), Some(schema.clone())),
        ["replace servers[1].x /servers/1/x 1 2"],
        "where the key names nothing, the position does"
    );
    assert_eq!(
        changes(json!({"servers": [{"name": 1}]}), json!({"servers": [{"name": "1"}]}), Some(schema)),
        [
            r#"remove servers[name=1] /servers/0 {"name":1} null"#,
            r#"add servers[name="1"] /servers/0 null {"name":"1"}"#
        ]
    );
}

fn unified(before: Option<&str>, after: Option<&str>) -> String {
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    FileChange::between("d/f.txt", bytes(before), bytes(after)).expect("they differ").unified()
}

#[test]
fn a_file_difference_is_in_unified_format() {
    assert_eq!(unified(Some("a\nb\n"), Some("a\nc\n")), "--- a/d/f.txt\n+++ b/d/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    assert_eq!(unified(None, Some("a\n")), "--- /dev/null\n+++ b/d/f.txt\n@@ -0,0 +1 @@\n+a\n");
    assert_eq!(
        unified(Some("a\nb"), None),
        "--- a/d/f.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"
    );
    assert_eq!(
        unified(Some("a\nb"), Some("a\nb\n")),
        "--- a/d/f.txt\n+++ b/d/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
    );
    assert_eq!(
        unified(Some("a\r\nb\r\n"), Some("a\r\nc\r\n")),
        "--- a/d/f.txt\n+++ b/d/f.txt\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"
    );
    let long: String = (1..=20).map(|n| format!("{n}\n")).collect();
    assert_eq!(
        unified(Some(&long), Some(&long.replace("\n2\n", "\nx\n").replace("19\n", ""))),
        "--- a/d/f.txt\n+++ b/d/f.txt\n@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n@@ -16,5 +16,4 @@\n 16\n 17\n 18\n-19\n 20\n"
    );
}

#[test]
fn a_binary_file_is_told_in_words() {
    let change = FileChange::between("x.png", Some(vec![0, 1]), Some(vec![0, 255, 3])).expect("they differ");
    assert_eq!(change.unified(), "Binary files a/x.png (2 bytes) and b/x.png (3 bytes) differ\n");
    assert_eq!(serde_json::to_value(change.action).expect("JSON"), json!("update"));
    assert_eq!(
        serde_json::to_value([FileAction::Create, FileAction::Delete]).expect("JSON"),
        json!(["create", "delete"])
    );
    assert_eq!(FileChange::between("x", None, None), None);
    assert_eq!(FileChange::between("x", Some(vec![1]), Some(vec![1])), None);
}

#[test]
fn a_file_that_changes_as_a_whole_is_not_compared_line_by_line() {
    let old: String = (0..20_000).map(|n| format!("old {n}\n")).collect();
    let new: String = (0..20_000).map(|n| format!("new {n}\n")).collect();
    let text = unified(Some(&format!("same\n{old}end\n")), Some(&format!("same\n{new}end\n")));
    assert_eq!(text.lines().filter(|line| line.starts_with("-old")).count(), 20_000);
    assert_eq!(text.lines().filter(|line| line.starts_with("+new")).count(), 20_000);
    assert_eq!(text.matches("@@ -1,20002 +1,20002 @@").count(), 1);
}
