//! For any file, an edit changes the value at its place and nothing else.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use signalbox_engine::documents::edit::{Edit, Segment, apply_edits, new_document, read_value, same_value};

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (-1e12..1e12_f64).prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        prop::sample::select(vec![
            "on",
            "null",
            "~",
            "1e3",
            "0123",
            "2024-01-01",
            "a: b",
            "- x",
            "#",
            "a #b",
            "",
            "'",
            "\"",
            "\n",
            "x\ny\n",
            " \n x",
            "é\t中\u{1}"
        ])
        .prop_map(Value::from),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z]{1,4}",
        1 => "[a-z.\\[\\] :#'\"-]{1,5}",
        1 => prop::sample::select(vec!["on".to_owned(), "1".to_owned(), "null".to_owned(), "中.文".to_owned(), " x".to_owned(), "- a".to_owned()]),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            2 => prop::collection::vec((key(), inner.clone()), 0..5).prop_map(|entries| Value::Object(entries.into_iter().collect())),
            1 => prop::collection::vec(inner, 0..4).prop_map(Value::Array),
        ]
    })
}

fn document() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((key(), value()), 1..6).prop_map(|entries| entries.into_iter().collect())
}

/// All places of a document, with a new key in each map.
fn places(value: &Value, way: &[Segment], fresh: &str, out: &mut Vec<Vec<Segment>>) {
    let down = |segment: Segment| [way, &[segment]].concat();
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                out.push(down(Segment::Key(key.clone())));
                places(inner, &down(Segment::Key(key.clone())), fresh, out);
            }
            if !map.contains_key(fresh) {
                out.push(down(Segment::from(fresh)));
                out.push([way, &[Segment::from(fresh), Segment::from("deeper")]].concat());
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                out.push(down(Segment::Index(index)));
                places(inner, &down(Segment::Index(index)), fresh, out);
            }
        }
        _ => {}
    }
}

fn put(root: &mut Value, at: &[Segment], value: &Value) {
    let Some((first, rest)) = at.split_first() else {
        *root = value.clone();
        return;
    };
    match root {
        Value::Array(list) => {
            if let Segment::Index(index) = first {
                put(&mut list[*index], rest, value);
            }
        }
        Value::Object(map) => put(map.entry(first.text()).or_insert_with(|| json!({})), rest, value),
        _ => *root = json!({}),
    }
}

/// Comments and blank lines between the lines of a document that has no texts over several lines.
fn with_comments(text: &str, mark: &str, line_break: &str) -> String {
    let mut out = String::new();
    for (index, line) in text.lines().enumerate() {
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        if index % 3 == 1 {
            out.push_str(&format!("{indent}{mark} note {index}{line_break}"));
        }
        if index % 4 == 3 {
            out.push_str(line_break);
        }
        out.push_str(line);
        let scalar_line = mark == "#" && !line.ends_with(['{', '[', ':', '-']);
        if scalar_line && index % 2 == 0 {
            out.push_str("   # tail");
        }
        out.push_str(line_break);
    }
    out
}

/// Edits the file, then checks the whole value and that every line which is not the edited one is still there, in order.
fn check(path: &str, text: &str, before: &Value, at: &[Segment], new: &Value) -> Result<(), TestCaseError> {
    let edits = [Edit { at: at.to_vec(), value: new.clone() }];
    let result = match apply_edits(path, text.as_bytes(), &edits) {
        Ok(result) => String::from_utf8(result).expect("text"),
        Err(fault) => return Err(TestCaseError::fail(format!("{fault}\n{at:?} = {new}\n{text}"))),
    };
    let mut wanted = before.clone();
    put(&mut wanted, at, new);
    for top in wanted.as_object().expect("a map").keys() {
        let read = read_value(path, result.as_bytes(), &[Segment::Key(top.clone())]).expect("readable");
        let expected = &wanted[top];
        prop_assert!(
            read.as_ref().is_some_and(|read| same_value(read, expected)),
            "{top:?}: {read:?} is not {expected}\n{at:?} = {new}\n--- before\n{text}\n--- after\n{result}"
        );
    }
    let again = apply_edits(path, result.as_bytes(), &edits).expect("the same edit again");
    prop_assert_eq!(String::from_utf8_lossy(&again), result.as_str(), "a second time changes nothing");
    if new.is_object()
        || new.is_array()
        || read_value(path, text.as_bytes(), at)
            .is_ok_and(|old| old.is_some_and(|old| old.is_object() || old.is_array()))
    {
        return Ok(());
    }
    let changed = text.lines().zip(result.lines()).filter(|(a, b)| a != b).count();
    if text.lines().count() == result.lines().count() && !path.ends_with(".toml") {
        prop_assert!(changed <= 2, "{changed} lines changed\n{at:?} = {new}\n--- before\n{text}\n--- after\n{result}");
    }
    Ok(())
}

fn no_null(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(list) => list.iter().all(no_null),
        Value::Object(map) => map.values().all(no_null),
        _ => true,
    }
}

fn whole_document(path: &str, document: &Map<String, Value>) -> String {
    let edits: Vec<Edit> = document
        .iter()
        .map(|(key, value)| Edit { at: vec![Segment::Key(key.clone())], value: value.clone() })
        .collect();
    String::from_utf8(new_document(path, &edits).unwrap_or_else(|fault| panic!("{fault} {document:?}"))).expect("text")
}

fn has_lines(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\n'),
        Value::Array(list) => list.iter().any(has_lines),
        Value::Object(map) => map.values().any(has_lines),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn yaml(document in document(), new in value(), pick in any::<prop::sample::Index>(), crlf in any::<bool>()) {
        let root = Value::Object(document.clone());
        let mut all = Vec::new();
        places(&root, &[], "fresh", &mut all);
        let at = pick.get(&all).clone();
        let mut text = whole_document("f.yaml", &document);
        if !has_lines(&root) {
            text = with_comments(&text, "#", if crlf { "\r\n" } else { "\n" });
        }
        check("f.yaml", &text, &root, &at, &new)?;
    }

    #[test]
    fn yaml_in_braces(document in document(), new in value(), pick in any::<prop::sample::Index>()) {
        let root = Value::Object(document);
        let mut all = Vec::new();
        places(&root, &[], "fresh", &mut all);
        let at = pick.get(&all).clone();
        let text = format!("{}\n", serde_json::to_string_pretty(&root).expect("JSON"));
        check("f.yaml", &text, &root, &at, &new)?;
    }

    #[test]
    fn json(document in document(), new in value(), pick in any::<prop::sample::Index>(), pretty in any::<bool>()) {
        let root = Value::Object(document);
        let mut all = Vec::new();
        places(&root, &[], "fresh", &mut all);
        let at = pick.get(&all).clone();
        let text = if pretty {
            with_comments(&serde_json::to_string_pretty(&root).expect("JSON"), "//", "\n")
        } else {
            root.to_string()
        };
        check("f.json", &text, &root, &at, &new)?;
    }

    #[test]
    fn toml(document in document(), new in scalar(), pick in any::<prop::sample::Index>()) {
        let root = Value::Object(document.clone());
        prop_assume!(no_null(&root) && no_null(&new));
        let mut all = Vec::new();
        places(&root, &[], "fresh", &mut all);
        let is_table = |at: &[Segment]| at.iter().try_fold(&root, |value, segment| match segment {
            Segment::Key(key) => value.get(key),
            Segment::Index(index) => value.get(index),
        }).is_some_and(Value::is_object);
        all.retain(|at| !is_table(at));
        prop_assume!(!all.is_empty());
        let at = pick.get(&all).clone();
        let text = with_comments(&whole_document("f.toml", &document), "#", "\n");
        check("f.toml", &text, &root, &at, &new)?;
    }

    #[test]
    fn any_text_is_edited_rightly_or_refused(text in "([a-c\"'|>&*!{}\\[\\],:#~<-]|: |- |\n|\n  |\n    |\\t|1){0,40}", new in scalar()) {
        for path in ["f.yaml", "f.json", "f.toml"] {
            let edits = [Edit { at: vec![Segment::from("a")], value: new.clone() }];
            if let Ok(result) = apply_edits(path, text.as_bytes(), &edits) {
                let read = read_value(path, &result, &edits[0].at);
                prop_assert!(matches!(&read, Ok(Some(read)) if same_value(read, &new)), "{path} {read:?} {text:?} {:?}", String::from_utf8_lossy(&result));
            }
        }
    }
}
