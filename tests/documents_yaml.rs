//! Edits of YAML files: one value changes, every other byte stays.

#![allow(clippy::needless_pass_by_value, reason = "tables of values read better")]

use serde_json::{Value, json};
use signalbox_engine::documents::edit::{Edit, Segment, apply_edits, read_value};

/// `regions/eu-west/cpu`, with digits as positions.
fn at(way: &str) -> Vec<Segment> {
    way.split('/').map(|part| part.parse::<usize>().map_or_else(|_| Segment::from(part), Segment::from)).collect()
}

fn edit(text: &str, way: &str, value: Value) -> Result<String, String> {
    let edits = [Edit { at: at(way), value }];
    let bytes = apply_edits("quotas/billing.yaml", text.as_bytes(), &edits).map_err(|e| e.to_string())?;
    Ok(String::from_utf8(bytes).expect("an edit of text gives text"))
}

#[track_caller]
fn becomes(before: &str, way: &str, value: Value, after: &str) {
    match edit(before, way, value.clone()) {
        Ok(text) => assert_eq!(text, after, "{way} = {value} in {before:?}"),
        Err(fault) => panic!("{way} = {value} in {before:?}: {fault}"),
    }
    let read = read_value("f.yaml", after.as_bytes(), &at(way)).expect("the result can be read");
    assert!(read.is_some(), "{way} must be there afterwards");
}

#[track_caller]
fn refused(before: &str, way: &str, value: Value, words: &str) {
    let fault = edit(before, way, value).expect_err("the edit must be refused");
    assert!(fault.contains(words), "the sentence must hold {words:?}: {fault}");
    assert!(fault.starts_with("quotas/billing.yaml"), "the sentence must name the file: {fault}");
}

#[test]
fn one_value_changes_and_everything_else_stays() {
    let table = [
        ("cpu: 10        # cores\n", "cpu", json!(12), "cpu: 12        # cores\n"),
        ("# head\n\na: 1\n\nb:   2\n# tail\n", "b", json!(3), "# head\n\na: 1\n\nb:   3\n# tail\n"),
        ("a: 'x'\nb: \"y\"\nc: z\n", "a", json!("new"), "a: 'new'\nb: \"y\"\nc: z\n"),
        ("a: 'x'\nb: \"y\"\nc: z\n", "b", json!("new"), "a: 'x'\nb: \"new\"\nc: z\n"),
        ("a: 'x'\nb: \"y\"\nc: z\n", "c", json!("new"), "a: 'x'\nb: \"y\"\nc: new\n"),
        ("a: 'x'\n", "a", json!("it's"), "a: 'it''s'\n"),
        ("a: 'x'\n", "a", json!("two\nlines"), "a: \"two\\nlines\"\n"),
        (
            "list:\n    - 1\n    - 2   # two\nother:\n- x\n",
            "list/1",
            json!(5),
            "list:\n    - 1\n    - 5   # two\nother:\n- x\n",
        ),
        (
            "list:\n- name: a\n  cpu: 1\n- name: b\n  cpu: 2\n",
            "list/1/cpu",
            json!(9),
            "list:\n- name: a\n  cpu: 1\n- name: b\n  cpu: 9\n",
        ),
        ("m: {a: 1, b: [1, 2,], 'c d': x} # c\n", "m/b/1", json!(7), "m: {a: 1, b: [1, 7,], 'c d': x} # c\n"),
        ("m: {a: 1, b: 2} # c\n", "m/a", json!("x, y"), "m: {a: \"x, y\", b: 2} # c\n"),
        ("{\"a\":1,\"b\":{\"c\":2}}", "b/c", json!(3), "{\"a\":1,\"b\":{\"c\":3}}"),
        ("a:\tx\t# c\n", "a", json!("z"), "a:\tz\t# c\n"),
        ("\"a.b\": 1\na:\n  b: 2\n", "a.b", json!(5), "\"a.b\": 5\na:\n  b: 2\n"),
        ("中文: 10 # 注释\nb: 1\n", "中文", json!("值"), "中文: 值 # 注释\nb: 1\n"),
        ("? a\n: b\nc: d\n", "a", json!("x"), "? a\n: x\nc: d\n"),
        ("8080: web\n9090: db\n", "8080", json!("api"), "8080: api\n9090: db\n"),
        ("a: long text\n  that goes on\nb: 1\n", "a", json!("short"), "a: short\nb: 1\n"),
        ("a: \"long\n  text\" # c\nb: 1\n", "a", json!("short"), "a: \"short\" # c\nb: 1\n"),
        ("a: &x 1\nb: 2\n", "a", json!(3), "a: &x 3\nb: 2\n"),
        ("a: &x 1\nb: *x\n", "b", json!(3), "a: &x 1\nb: 3\n"),
        ("%YAML 1.2\n---\na: 1\n...\n", "a", json!(2), "%YAML 1.2\n---\na: 2\n...\n"),
        ("a: !!int 1\n", "a", json!(2), "a: !!int 2\n"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn line_ends_byte_order_mark_and_missing_last_newline_stay() {
    let table = [
        ("a: 1\r\nb: 2\r\n", "a", json!(3), "a: 3\r\nb: 2\r\n"),
        ("a: 1\r\nb: 2\nc: 3\r\n", "b", json!(3), "a: 1\r\nb: 3\nc: 3\r\n"),
        ("a: 1\r\nm:\r\n  x: 1\r\nb: 2\r\n", "m/z", json!(3), "a: 1\r\nm:\r\n  x: 1\r\n  z: 3\r\nb: 2\r\n"),
        ("\u{feff}a: 1\nb: 2\n", "a", json!(3), "\u{feff}a: 3\nb: 2\n"),
        ("\u{feff}a: 1\n", "b", json!(3), "\u{feff}a: 1\nb: 3\n"),
        ("a: 1\nb: 2", "b", json!(3), "a: 1\nb: 3"),
        ("a: 1\nb: 2", "c", json!(3), "a: 1\nb: 2\nc: 3"),
        ("a: 1\r\nb: 2", "c", json!(3), "a: 1\r\nb: 2\r\nc: 3"),
        ("a: 1   \nb: 2\t\n", "a", json!(3), "a: 3   \nb: 2\t\n"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn an_equal_value_keeps_its_bytes() {
    for (text, way, value) in [
        ("a: 10\n", "a", json!(10)),
        ("a: 10.0 # c\n", "a", json!(10)),
        ("a: 0x1F\n", "a", json!(31)),
        ("a: 'x'\n", "a", json!("x")),
        ("a: {b: 1, c: [x]}\n", "a", json!({"c": ["x"], "b": 1})),
        ("a: ~\n", "a", json!(null)),
        ("a: 1e3\n", "a", json!(1000)),
    ] {
        becomes(text, way, value, text);
    }
    becomes("a: &x 1\nb: *x\n", "a", json!(1), "a: &x 1\nb: *x\n");
}

#[test]
fn a_text_that_looks_like_another_type_is_quoted() {
    for word in [
        "on",
        "Off",
        "yes",
        "NO",
        "y",
        "n",
        "true",
        "False",
        "null",
        "~",
        "1e3",
        "0123",
        "12",
        "-7",
        "0x1f",
        "0o17",
        "1_000",
        "1:30",
        "2024-01-01",
        ".5",
        "1.",
        ".inf",
        "-.INF",
        ".nan",
        "=",
        "<<",
        "0b11",
        "",
        " x",
        "x ",
        "a: b",
        "a #b",
        "- a",
        "[a",
        "@a",
        "%a",
        "!a",
        "&a",
        "*a",
        "#a",
        "'a",
        "\"a",
        "|",
        ">",
        "a:",
        "---",
        "...",
        "?",
        "-",
        "2001-12-14t21:59:43.10-05:00",
        "+1",
        "1e21",
        "685_230.15",
        "190:20:30.15",
        "NULL",
        "`a`",
        "{a}",
        "\t",
        "a\tb",
    ] {
        let after = edit("k: old\nz: 1\n", "k", json!(word)).expect("any text can be written");
        let line = after.lines().next().expect("a first line");
        assert!(line.starts_with("k: \""), "{word:?} must be quoted: {line}");
        assert_eq!(read_value("f.yaml", after.as_bytes(), &at("k")), Ok(Some(json!(word))));
    }
    for word in ["one", "v1.2", "a-b", "10GB", "1.2.3", "a:b", "a#b", "/path", "é中", "nope", "1h", "10.0.0.1/8", "x=1"]
    {
        becomes("k: old\n", "k", json!(word), &format!("k: {word}\n"));
    }
    becomes("k: 10\n", "k", json!("12"), "k: \"12\"\n");
    becomes("k: '10'\n", "k", json!("12"), "k: '12'\n");
    becomes("k: '10'\n", "k", json!(12), "k: 12\n");
    becomes("k: on\n", "k", json!("on"), "k: \"on\"\n");
    becomes("k: x\n", "k", json!("\u{7}\u{85}\u{2028}\u{feff}"), "k: \"\\x07\\x85\\u2028\\uFEFF\"\n");
}

#[test]
fn numbers_are_written_so_that_every_reader_takes_them_for_numbers() {
    becomes("k: 1\n", "k", json!(9007199254740993_u64), "k: 9007199254740993\n");
    becomes("k: 1\n", "k", json!(u64::MAX), "k: 18446744073709551615\n");
    becomes("k: 1\n", "k", json!(1e21), "k: 1.0e+21\n");
    becomes("k: 1\n", "k", json!(1.5e-9), "k: 1.5e-9\n");
    becomes("k: 1\n", "k", json!(0.1), "k: 0.1\n");
    becomes("k: 9007199254740992\n", "k", json!(9007199254740993_u64), "k: 9007199254740993\n");
}

#[test]
fn a_missing_key_goes_to_the_end_of_its_map() {
    let table = [
        ("a: 1\n", "b", json!(2), "a: 1\nb: 2\n"),
        ("m:\n  a: 1 # one\n\n# about n\nn: 2\n", "m/b", json!(2), "m:\n  a: 1 # one\n  b: 2\n\n# about n\nn: 2\n"),
        ("m:\n    a: 1\nn: 2\n", "m/x/w/z", json!(2), "m:\n    a: 1\n    x:\n        w:\n            z: 2\nn: 2\n"),
        ("m:\n  deep:\n    a: 1\nn: 2\n", "m/b", json!("x"), "m:\n  deep:\n    a: 1\n  b: x\nn: 2\n"),
        ("m: {}\nn: 1\n", "m/a", json!(1), "m: {a: 1}\nn: 1\n"),
        ("m: { }\n", "m/a", json!(1), "m: { a: 1 }\n"),
        ("m: {a: 1}\n", "m/b/c", json!("x, y"), "m: {a: 1, b: {c: \"x, y\"}}\n"),
        ("m: {a: 1,}\n", "m/b", json!(2), "m: {a: 1, b: 2,}\n"),
        ("m: {\n  a: 1, # one\n  b: 2 # two\n}\n", "m/c", json!(3), "m: {\n  a: 1, # one\n  b: 2, # two\n  c: 3\n}\n"),
        (
            "m: {\n  a: 1, # one\n  b: 2, # two\n}\n",
            "m/c",
            json!(3),
            "m: {\n  a: 1, # one\n  b: 2, # two\n  c: 3,\n}\n",
        ),
        ("m:\nn: 1\n", "m/a/b", json!(1), "m:\n  a:\n    b: 1\nn: 1\n"),
        ("m: # soon\nn: 1\n", "m/a", json!(1), "m: # soon\n  a: 1\nn: 1\n"),
        ("m: null\nn: 1\n", "m/a", json!(1), "m:\n  a: 1\nn: 1\n"),
        ("m: ~ # none\nn: 1\n", "m/a", json!(1), "m:  # none\n  a: 1\nn: 1\n"),
        ("- a: 1\n  b: 2\n- c: 3\n", "0/d", json!(4), "- a: 1\n  b: 2\n  d: 4\n- c: 3\n"),
        (
            "m:\n  t: |\n    text\n\n  u: >-\n    more\n\nn: 1\n",
            "m/v",
            json!(1),
            "m:\n  t: |\n    text\n\n  u: >-\n    more\n  v: 1\n\nn: 1\n",
        ),
        ("m:\n  t: |+\n    text\n\nn: 1\n", "m/v", json!(1), "m:\n  t: |+\n    text\n\n  v: 1\nn: 1\n"),
        ("m:\n  t: |\nn: 1\n", "m/v", json!(1), "m:\n  t: |\n  v: 1\nn: 1\n"),
        ("m:\n  l:\n  - 1\n  - 2\nn: 1\n", "m/v", json!(1), "m:\n  l:\n  - 1\n  - 2\n  v: 1\nn: 1\n"),
        ("m:\n  e:\nn: 1\n", "m/v", json!(1), "m:\n  e:\n  v: 1\nn: 1\n"),
        ("a: 1\n...\n", "b", json!(2), "a: 1\nb: 2\n...\n"),
        ("", "a/b", json!(1), "a:\n  b: 1\n"),
        ("# only a comment\n", "a", json!(1), "# only a comment\na: 1\n"),
        ("# only a comment", "a", json!(1), "# only a comment\na: 1"),
        ("---\n# c\n", "a", json!(1), "---\na: 1\n# c\n"),
        ("a: 1\n", "on", json!(1), "a: 1\n\"on\": 1\n"),
        ("a: 1\n", "x.y", json!(1), "a: 1\nx.y: 1\n"),
        ("a: 1\n", "b", json!("two\nlines\n"), "a: 1\nb: |\n  two\n  lines\n"),
        (
            "a: 1\n",
            "b",
            json!({"x": [1, {"v": 2, "z": []}], "w": {}}),
            "a: 1\nb:\n  x:\n    - 1\n    - v: 2\n      z: []\n  w: {}\n",
        ),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn a_value_may_change_its_sort() {
    let table = [
        ("a:\nb: 1\n", "a", json!(5), "a: 5\nb: 1\n"),
        ("a:  # c\nb: 1\n", "a", json!("x"), "a: x  # c\nb: 1\n"),
        ("a: &x\nb: 1\n", "a", json!("x"), "a: &x x\nb: 1\n"),
        ("l:\n-\n- 2\n", "l/0", json!(1), "l:\n- 1\n- 2\n"),
        ("m: {a, b: 1}\n", "m/a", json!(1), "m: {a: 1, b: 1}\n"),
        ("a: 5 # five\nb: 1\n", "a", json!([1, 2]), "a:  # five\n  - 1\n  - 2\nb: 1\n"),
        ("a: 5\nb: 1\n", "a", json!({"x": 1}), "a:\n  x: 1\nb: 1\n"),
        ("a: 5\nb: 1\n", "a", json!({}), "a: {}\nb: 1\n"),
        ("a:\n  x: 1\n  y: 2 # two\nb: 1\n", "a", json!(5), "a: 5\nb: 1\n"),
        ("a: # head\n- 1\n- 2\nb: 1\n", "a", json!(5), "a: 5 # head\nb: 1\n"),
        ("a:\n    - 1\n    - 2\nb: 1\n", "a", json!([3]), "a:\n    - 3\nb: 1\n"),
        ("a:\n  x: 1\nb: 1\n", "a", json!({"w": 2, "z": 3}), "a:\n  w: 2\n  z: 3\nb: 1\n"),
        ("a: [1, 2] # c\n", "a", json!(["x", "y"]), "a: [x, \"y\"] # c\n"),
        ("a: [1, 2]\n", "a", json!("x"), "a: x\n"),
        ("l:\n- x: 1\n  y: 2\n- z\n", "l/0", json!("s"), "l:\n- s\n- z\n"),
        ("l:\n- x: 1\n  y: 2\n- z\n", "l/0", json!({"p": 1, "q": 2}), "l:\n- p: 1\n  q: 2\n- z\n"),
        ("l:\n- x\n- z\n", "l/0", json!({"p": 1}), "l:\n- {p: 1}\n- z\n"),
        ("a: |\n  text\nb: 1\n", "a", json!(5), "a: 5\nb: 1\n"),
        ("a: |\n  text\nb: 1\n", "a", json!({"x": 1}), "a:\n  x: 1\nb: 1\n"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn block_texts_keep_their_form() {
    let table = [
        ("a: |\n    one\n    two\nb: 1\n", "a", json!("three\nfour\n"), "a: |\n    three\n    four\nb: 1\n"),
        ("a: | # note\n  one\nb: 1\n", "a", json!("two\n"), "a: | # note\n  two\nb: 1\n"),
        ("a: |\n  one\nb: 1\n", "a", json!("two"), "a: |-\n  two\nb: 1\n"),
        ("a: >-\n  one\n  two\nb: 1\n", "a", json!("three"), "a: >-\n  three\nb: 1\n"),
        ("a: >\n  one\n\n  two\nb: 1\n", "a", json!("x\ny\n"), "a: >\n  x\n\n  y\nb: 1\n"),
        ("a: |\r\n  one\r\nb: 1\r\n", "a", json!("x\ny\n"), "a: |\r\n  x\r\n  y\r\nb: 1\r\n"),
        ("a: |\n  one\nb: 1\n", "a", json!("  indented\n"), "a: \"  indented\\n\"\nb: 1\n"),
        ("a: |\n  one\n\n\nb: 1\n", "a", json!("two\n\n"), "a: \"two\\n\\n\"\n\n\nb: 1\n"),
        ("a: |+\n  one\n\nb: 1\n", "a", json!("two\n\n"), "a: |+\n  two\n\nb: 1\n"),
        ("- |\n  one # no comment | here\n- two\n", "0", json!("x\n"), "- |\n  x\n- two\n"),
        ("- one # a | b > c\n- # x | y\n  |\n  text\n", "1", json!("z\n"), "- one # a | b > c\n- # x | y\n  |\n  z\n"),
        ("a: &x !!str |\n  one\nb: 1\n", "a", json!("z\n"), "a: &x !!str |\n  z\nb: 1\n"),
    ];
    for (before, way, value, after) in table {
        becomes(before, way, value, after);
    }
}

#[test]
fn shared_places_are_never_changed_silently() {
    let merged = "base: &b\n  cpu: 1\neu:\n  <<: *b\n  mem: 2\n";
    refused(merged, "base/cpu", json!(5), "&b");
    refused(merged, "base/new", json!(5), "&b");
    refused(merged, "eu/cpu", json!(5), "merge key");
    refused(merged, "eu/limits/cpu", json!(5), "merge key");
    becomes(merged, "eu/mem", json!(5), &merged.replace("mem: 2", "mem: 5"));
    refused("a: &x {k: 1}\nb: *x\n", "b/k", json!(2), "alias");
    refused("a: &x 1\nb: *x\n", "a", json!(2), "*x");
    refused("a: &x 1\nm: {k: &x 2}\nb: *x\n", "m", json!(5), "&x");
    becomes("a: &x 1\nm: {k: &y 2, l: *y}\nb: *x\n", "m", json!(5), "a: &x 1\nm: 5\nb: *x\n");
    becomes("a: &x {k: 1}\nb: *x\n", "c", json!(2), "a: &x {k: 1}\nb: *x\nc: 2\n");
}

#[test]
fn of_several_documents_the_one_with_the_place_is_edited() {
    let two = "kind: a\nspec:\n  n: 1\n---\nkind: b\nmeta:\n  m: 1 # c\n";
    becomes(two, "meta/m", json!(2), &two.replace("m: 1", "m: 2"));
    becomes(two, "spec/x", json!(2), &two.replace("  n: 1\n", "  n: 1\n  x: 2\n"));
    refused(two, "kind", json!("z"), "more than one document");
    refused(two, "other/x", json!(1), "none of the 2 documents");
    refused("a:\n  x: 1\n---\na:\n  y: 1\n", "a/x", json!(2), "documents 1 and 2");
    becomes("---\na:\n  x: 1\n---\n# nothing\n", "a/x", json!(2), "---\na:\n  x: 2\n---\n# nothing\n");
}

#[test]
fn what_cannot_be_edited_is_told_in_a_sentence() {
    refused("a: 1\nb: 2\na: 3\n", "b", json!(5), "`a` stands twice");
    refused("a: 1\nb: {x: 1, y: {z: 1, z: 2}}\n", "a", json!(5), "line 2");
    refused("a: 1\n", "a/b", json!(5), "`a` is a number, not a map");
    refused("a: [1]\n", "a/3", json!(5), "list of 1");
    refused("a: [1]\n", "a/x", json!(5), "`x` is none");
    refused("a: [1\n", "a", json!(5), "not valid YAML");
    refused("a:\n\t- b\n", "a", json!(5), "line 2");
    refused("a: !secret x\n", "a", json!("y"), "tag");
    refused("a: !!str x\n", "a", json!(5), "tag");
    let fault = apply_edits("f.yaml", b"a: \xff\n", &[Edit { at: at("a"), value: json!(1) }]).expect_err("no UTF-8");
    assert!(fault.to_string().contains("UTF-8"), "{fault}");
    let both = [Edit { at: at("a"), value: json!(1) }, Edit { at: at("a/b"), value: json!(1) }];
    assert!(apply_edits("f.yaml", b"a: 1\n", &both).expect_err("overlap").to_string().contains("two edits"));
    assert!(apply_edits("f.txt", b"a: 1\n", &both[..1]).expect_err("no format").to_string().contains(".toml"));
}

#[test]
fn several_edits_of_one_file_go_together() {
    let before = "a: 1 # one\nm:\n  x: 1\nz: 1\n";
    let edits = [("a", json!(2)), ("m/w/p", json!(1)), ("m/w/q", json!(2)), ("l/o", json!("x"))]
        .map(|(way, value)| Edit { at: at(way), value });
    let after = apply_edits("f.yml", before.as_bytes(), &edits).expect("the edits fit");
    assert_eq!(String::from_utf8_lossy(&after), "a: 2 # one\nm:\n  x: 1\n  w:\n    p: 1\n    q: 2\nz: 1\nl:\n  o: x\n");
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    let deep = format!("a: {}{}\n", "[".repeat(5000), "]".repeat(5000));
    refused(&deep, "a", json!(1), "not valid YAML");
}

#[test]
fn a_text_block_holds_no_character_that_readers_take_for_a_line_break() {
    becomes("a: |\n  one\n", "a", json!("x\u{85}y\n"), "a: \"x\\x85y\\n\"\n");
    becomes("a: |\n  one\n", "a", json!("x\u{2028}y\n"), "a: \"x\\u2028y\\n\"\n");
}

#[test]
fn a_large_file_with_deep_places_is_edited_like_a_small_one() {
    let mut text = String::new();
    for n in 0..20_000 {
        text.push_str(&format!("service-{n}:\n  region: \"eu-{n}\"   # note\n  limits: {{cpu: {n}, memory: 64}}\n"));
    }
    becomes(&text, "service-10000/limits/cpu", json!(-5), &text.replace("{cpu: 10000,", "{cpu: -5,"));
    let deep: String = (0..60).map(|n| format!("{}k:\n", " ".repeat(n))).collect();
    let deep = format!("{deep}{}v: 1\n", " ".repeat(60));
    let way = ["k"; 60].join("/") + "/v";
    becomes(&deep, &way, json!(2), &deep.replace("v: 1", "v: 2"));
}

#[test]
fn an_edit_that_cannot_be_proved_is_not_made() {
    refused("a: !!str x\n", "a", json!(5), "cannot be edited safely");
    refused("--- ~\n", "a", json!(5), "cannot be edited safely");
}
