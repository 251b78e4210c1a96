//! Change kinds: reading them, checking fields, rendering plans and files.

use std::collections::HashMap;

use serde_json::{Value, json};
use signalbox_engine::documents::kinds::{Catalogue, Checks, Kind};
use signalbox_engine::documents::render::{FileAction, Plan};
use signalbox_engine::words::Lang;

const QUOTA: &str = r#"
kind: seat-limit
title: { en: Seat limit, zh-CN: 席位上限 }
workflow: merge-request
schema:
  type: object
  additionalProperties: false
  required: [team, site, item, limit]
  properties:
    team: { type: string, pattern: "^[a-z][a-z0-9-]*$" }
    site: { type: string }
    item: { type: string }
    limit: { type: integer, minimum: 0, maximum: 100000 }
    note: { type: string }
subject: "{{ fields.team }}"
target: "{{ fields.site }}/{{ fields.item }}"
repeatable: true
project: platform/seats
target_branch: main
branch: "signalbox/{{ operation_id }}"
title_template: "Seats {{ fields.team }} {{ fields.site }}"
files:
  - path: "seats/{{ fields.team }}.yaml"
    set:
      - { at: ["sites", "{{ fields.site }}", "{{ fields.item }}"], value: "{{ fields.limit }}", type: integer }
checks: required
"#;

const SEATS: &str = "# Seats of the blue team.\nteam: blue   # fixed\n\nsites:\n  north:\n    desk: 10        # by the window\n    lamp: 64     # LED\n  south:\n    # small on purpose\n    desk: 8\nremarks: >-\n  Ask before\n  you raise.\n";

fn kinds(texts: &[&str]) -> Result<Catalogue, Vec<String>> {
    let texts: Vec<_> = texts.iter().enumerate().map(|(i, text)| (format!("k{i}.yaml"), (*text).to_owned())).collect();
    Catalogue::from_texts(&texts).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

fn seat_limit() -> std::sync::Arc<Kind> {
    kinds(&[QUOTA]).expect("the kind is in order").get("seat-limit").expect("it is there").clone()
}

/// A kind with one file entry and free fields.
fn with_file(entry: &str) -> Result<std::sync::Arc<Kind>, Vec<String>> {
    let head = "kind: free\ntitle: { en: Free }\nworkflow: merge-request\nschema: { type: object }\nsubject: s\ntarget: t\nproject: 31\ntarget_branch: main\ntitle_template: T\nfiles:\n";
    kinds(&[&format!("{head}  - {entry}\n")]).map(|catalogue| catalogue.get("free").expect("it is there").clone())
}

fn plan(kind: &Kind, fields: &Value) -> Plan {
    kind.plan(fields, "op-1").unwrap_or_else(|fault| panic!("{fault}"))
}

fn files<'f>(list: &'f [(&'f str, &'f str)]) -> impl Fn(&str) -> Option<Vec<u8>> + 'f {
    let files: HashMap<&str, &str> = list.iter().copied().collect();
    move |path| files.get(path).map(|text| text.as_bytes().to_vec())
}

#[test]
fn a_kind_is_read_with_all_it_says() {
    let kind = seat_limit();
    assert_eq!((kind.workflow.as_str(), kind.repeatable, kind.checks), ("merge-request", true, Checks::Required));
    assert_eq!((kind.project.as_str(), kind.target_branch.as_str()), ("platform/seats", "main"));
    for (language, title) in [
        ("en", "Seat limit"),
        ("zh-CN", "席位上限"),
        ("zh-TW", "席位上限"),
        ("fr", "Seat limit"),
        ("EN-gb", "Seat limit"),
    ] {
        assert_eq!(kind.title.in_language(language), title, "{language}");
    }
    assert_eq!(with_file("{ path: a.txt, template: x }").expect("in order").project, "31");
}

#[test]
fn fields_are_checked_with_a_pointer_each() {
    let kind = seat_limit();
    let good = json!({"team": "blue", "site": "north", "item": "desk", "limit": 12});
    assert!(kind.check_fields(&good).is_empty());
    let paths = |fields: Value| -> Vec<String> { kind.check_fields(&fields).into_iter().map(|e| e.path).collect() };
    assert_eq!(
        paths(json!({"team": "Blue!", "site": "n", "item": "d", "limit": -1, "more": 1, "a/b": 2})),
        ["/team", "/limit", "/more", "/a~1b"]
    );
    assert_eq!(paths(json!({"team": "blue"})), ["/site", "/item", "/limit"]);
    assert_eq!(paths(json!([])), [""]);
    let faults = kind.check_fields(&json!({"team": "blue", "site": "n", "item": "d", "limit": 1.5}));
    assert_eq!(faults.len(), 1);
    let message = faults[0].message.render(Lang::En);
    assert!(message.contains("integer") && message.ends_with('.'), "{message}");
}

#[test]
fn a_plan_renders_names_and_edits() {
    let kind = seat_limit();
    let plan = plan(&kind, &json!({"team": "blue", "site": "north", "item": "desk", "limit": 12}));
    assert_eq!((plan.subject_id.as_str(), plan.target_key.as_str()), ("blue", "north/desk"));
    assert_eq!((plan.branch.as_str(), plan.title.as_str()), ("signalbox/op-1", "Seats blue north"));
    assert_eq!(plan.paths().collect::<Vec<_>>(), ["seats/blue.yaml"]);
    let changes = plan.apply(&files(&[("seats/blue.yaml", SEATS)])).expect("the file can be edited");
    assert_eq!(changes.len(), 1);
    let after = SEATS.replace("desk: 10        #", "desk: 12        #");
    assert_eq!(changes[0].after.as_deref(), Some(after.as_bytes()));
    assert_eq!(
        changes[0].unified(),
        "--- a/seats/blue.yaml\n+++ b/seats/blue.yaml\n@@ -3,7 +3,7 @@\n \n sites:\n   north:\n-    desk: 10        # by the window\n+    desk: 12        # by the window\n     lamp: 64     # LED\n   south:\n     # small on purpose\n"
    );
    let observed = plan.observe(&files(&[("seats/blue.yaml", SEATS)])).expect("the file can be read");
    assert_eq!(json!(observed), json!({"seats/blue.yaml#/sites/north/desk": {"value": 10}}));
}

#[test]
fn an_unchanged_file_is_left_out() {
    let kind = seat_limit();
    let plan = plan(&kind, &json!({"team": "blue", "site": "north", "item": "desk", "limit": 10}));
    assert_eq!(plan.apply(&files(&[("seats/blue.yaml", SEATS)])).expect("no fault"), []);
}

#[test]
fn a_missing_file_is_an_error_unless_it_may_be_created() {
    let kind = seat_limit();
    let fields = json!({"team": "red", "site": "north", "item": "desk", "limit": 10});
    let fault = plan(&kind, &fields).apply(&files(&[])).expect_err("there is no such file");
    assert_eq!(fault.path.as_deref(), Some("seats/red.yaml"));
    assert!(fault.message.contains("seats/red.yaml does not exist on the branch main"), "{fault}");
    let observed = plan(&kind, &fields).observe(&files(&[])).expect("absent is an answer");
    assert_eq!(json!(observed), json!({"seats/red.yaml#/sites/north/desk": {"absent": true}}));
    let kind =
        with_file("{ path: n.yaml, create: true, set: [ { at: [a, b], value: \"{{ fields.v }}\", type: json } ] }")
            .expect("in order");
    let changes = plan(&kind, &json!({"v": {"x": [1]}})).apply(&files(&[])).expect("it is created");
    assert_eq!(changes[0].action, FileAction::Create);
    assert_eq!(changes[0].after.as_deref(), Some(&b"a:\n  b:\n    x:\n      - 1\n"[..]));
}

#[test]
fn whole_files_and_deletions() {
    let kind = with_file(
        "{ path: \"n/{{ fields.n }}.txt\", template: \"{{ fields.t }}\\n\" }\n  - { path: old.txt, delete: true }",
    )
    .expect("in order");
    let plan = plan(&kind, &json!({"n": "one", "t": "Hello ${x} <b> \"q\" 中文"}));
    let changes = plan.apply(&files(&[("old.txt", "x")])).expect("no fault");
    assert_eq!(changes[0].after.as_deref(), Some("Hello ${x} <b> \"q\" 中文\n".as_bytes()));
    assert_eq!((changes[0].action, changes[1].action), (FileAction::Create, FileAction::Delete));
    assert_eq!(changes[1].after, None);
    assert_eq!(plan.apply(&files(&[])).expect("no fault").len(), 1, "what is gone already stays gone");
    let observed = plan.observe(&files(&[("old.txt", "abc")])).expect("no fault");
    assert_eq!(
        json!(observed),
        json!({"n/one.txt": {"absent": true}, "old.txt": {"sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}})
    );
}

#[test]
fn an_undefined_field_is_an_error_that_names_it() {
    let kind = with_file("{ path: a.txt, template: \"{{ fields.reason }}\" }").expect("in order");
    let fault = kind.plan(&json!({}), "op").expect_err("reason is missing");
    assert_eq!(fault.path.as_deref(), Some("/reason"));
    assert!(fault.message.contains("fields.reason"), "{fault}");
    let kind = with_file("{ path: a.yaml, set: [ { at: [a], value: \"{{ fields.reason }}\", type: json } ] }")
        .expect("in order");
    assert_eq!(kind.plan(&json!({}), "op").expect_err("missing").path.as_deref(), Some("/reason"));
    let kind = with_file("{ path: a.txt, template: \"{{ fields.deep.er }}\" }").expect("in order");
    let fault = kind.plan(&json!({"deep": {}}), "op").expect_err("er is missing");
    assert_eq!(fault.path.as_deref(), Some("/deep/er"));
    let kind = with_file("{ path: a.txt, template: \"{% if fields.reason is defined %}{{ fields.reason }}{% else %}none given{% endif %}\\n\" }").expect("in order");
    let changes = plan(&kind, &json!({})).apply(&files(&[])).expect("no fault");
    assert_eq!(changes[0].after.as_deref(), Some(&b"none given\n"[..]));
    let kind = with_file("{ path: a.txt, template: \"x{{ fields.reason }}\" }").expect("in order");
    let fault = kind.plan(&json!({"reason": null}), "op").expect_err("null has no text");
    assert!(fault.message.contains("null"), "{fault}");
    assert_eq!(fault.path.as_deref(), Some("/reason"));
}

#[test]
fn values_are_converted_strictly() {
    let convert = |kind: &str, template: &str, fields: Value| -> Result<Value, String> {
        let entry = format!("{{ path: a.json, create: true, set: [ {{ at: [v], value: \"{template}\"{kind} }} ] }}");
        let kind = with_file(&entry).map_err(|faults| faults.join("; "))?;
        let plan = kind.plan(&fields, "op").map_err(|fault| fault.message)?;
        let changes = plan.apply(&files(&[])).map_err(|fault| fault.message)?;
        let text = changes[0].after.clone().unwrap_or_default();
        Ok(serde_json::from_slice::<Value>(&text).expect("JSON")["v"].clone())
    };
    let v = "{{ fields.v }}";
    for (kind, template, fields, expected) in [
        (", type: integer", v, json!({"v": 12}), json!(12)),
        (", type: integer", v, json!({"v": 12.0}), json!(12)),
        (", type: integer", v, json!({"v": 9007199254740993_u64}), json!(9007199254740993_u64)),
        (", type: integer", v, json!({"v": u64::MAX}), json!(u64::MAX)),
        (", type: integer", v, json!({"v": "-7"}), json!(-7)),
        (", type: integer", "{{ fields.v }}0", json!({"v": 1}), json!(10)),
        (", type: integer", "{{ fields.v + 1 }}", json!({"v": 9007199254740992_u64}), json!(9007199254740993_u64)),
        (", type: number", v, json!({"v": 0.1}), json!(0.1)),
        (", type: number", v, json!({"v": 3}), json!(3)),
        (", type: boolean", v, json!({"v": true}), json!(true)),
        (", type: boolean", "false", json!({}), json!(false)),
        (", type: \"null\"", "null", json!({}), json!(null)),
        (", type: null", v, json!({"v": null}), json!(null)),
        (
            ", type: json",
            v,
            json!({"v": {"b": [1, null, "x"], "a": 18446744073709551615_u64}}),
            json!({"b": [1, null, "x"], "a": u64::MAX}),
        ),
        (", type: json", "[1, {{ fields.v }}]", json!({"v": 2}), json!([1, 2])),
        ("", v, json!({"v": 12}), json!("12")),
        (", type: string", v, json!({"v": true}), json!("true")),
        ("", "{{ fields.v }} units", json!({"v": 12}), json!("12 units")),
        ("", "of {{ fields.v }}", json!({"v": [1, true, {"a": "b"}]}), json!("of [1,true,{\"a\":\"b\"}]")),
    ] {
        assert_eq!(convert(kind, template, fields.clone()), Ok(expected), "{kind} {template} {fields}");
    }
    for (kind, template, fields) in [
        (", type: integer", v, json!({"v": 1.5})),
        (", type: integer", v, json!({"v": "twelve"})),
        (", type: integer", v, json!({"v": "012"})),
        (", type: integer", v, json!({"v": ""})),
        (", type: integer", v, json!({"v": "99999999999999999999999"})),
        (", type: integer", v, json!({"v": true})),
        (", type: number", v, json!({"v": "1,5"})),
        (", type: boolean", v, json!({"v": "yes"})),
        (", type: boolean", v, json!({"v": 1})),
        (", type: json", v, json!({"v": "{broken"})),
        (", type: string", v, json!({"v": null})),
    ] {
        let fault = convert(kind, template, fields.clone()).expect_err(&format!("{kind} {template} {fields}"));
        assert!(fault.contains("files[0].set[0].value"), "{fault}");
    }
}

#[test]
fn a_path_may_not_leave_the_repository() {
    let kind = with_file("{ path: \"notes/{{ fields.n }}.txt\", template: x }").expect("in order");
    for name in [
        "../../etc/passwd",
        "a/../../b",
        "/etc/passwd",
        "a//b",
        "..\\x",
        ".git/config/x",
        "x/../.git/hooks/pre-commit",
        ".GIT/x",
        ".git /x",
        ".git./x",
        ".git::$INDEX_ALLOCATION/x",
        "git~1/x",
        ".g\u{200c}it/x",
        "./x",
        "a\nb",
        "a\u{0}b",
        "a\u{202e}b",
        "x//",
        &"n".repeat(1024),
    ] {
        let fault = kind.plan(&json!({"n": name}), "op").expect_err(name);
        assert!(fault.message.contains("path"), "{fault}");
        assert!(fault.path.is_some(), "the error must carry the path: {fault}");
    }
    for name in ["a", "a/b", ".github/x", ".gitignore", "conf d/a#b%20", "中文", "a..b", "..."] {
        assert!(kind.plan(&json!({"n": name}), "op").is_ok(), "{name}");
    }
}

#[test]
fn a_branch_must_be_a_name_that_git_takes() {
    let branch = |name: &str| {
        let text = QUOTA.replace("signalbox/{{ operation_id }}", "{{ fields.note }}");
        let catalogue = kinds(&[&text]).expect("in order");
        let fields = json!({"team": "b", "site": "n", "item": "d", "limit": 1, "note": name});
        catalogue
            .get("seat-limit")
            .expect("it is there")
            .plan(&fields, "op")
            .map(|plan| plan.branch)
            .map_err(|f| f.message)
    };
    for name in [
        "a b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "a[b",
        "a\\b",
        "/a",
        "a/",
        "a//b",
        ".a",
        "a/.b",
        "a.lock",
        "a.lock/b",
        "a..b",
        "a@{b",
        "@",
        "a.",
        "-a",
        "a\u{7f}",
        &"x".repeat(245),
    ] {
        assert!(branch(name).expect_err(name).contains("branch name"), "{name}");
    }
    for name in ["a", "a/b-c", "中文/x", "a#1+2", "50%", &"x".repeat(244)] {
        assert_eq!(branch(name).as_deref(), Ok(name));
    }
}

#[test]
fn two_entries_for_one_file_are_refused() {
    let kind = with_file("{ path: \"{{ fields.a }}\", template: x }\n  - { path: \"{{ fields.b }}\", template: z }")
        .expect("in order");
    let fault = kind.plan(&json!({"a": "x.txt", "b": "x.txt"}), "op").expect_err("twice");
    assert!(fault.message.contains("x.txt"), "{fault}");
    let fault = kind.plan(&json!({"a": "x", "b": "x/z"}), "op").expect_err("file and directory");
    assert!(fault.message.contains("directory"), "{fault}");
}

#[test]
fn empty_names_are_refused() {
    let kind = seat_limit();
    let fault = kind.relation(&json!({"team": " ", "site": "n", "item": "d"})).expect_err("empty subject");
    assert!(fault.message.contains("subject"), "{fault}");
    assert!(kind.relation(&json!({"team": "a\nb", "site": "n", "item": "d"})).is_err());
    let fault = kind.relation(&json!({"team": "b", "site": "n"})).expect_err("no item");
    assert_eq!(fault.path.as_deref(), Some("/item"));
}

#[test]
fn a_template_that_never_ends_is_stopped() {
    let kind = with_file(
        "{ path: a.txt, template: \"{% for a in range(9000) %}{% for b in range(9000) %}x{% endfor %}{% endfor %}\" }",
    )
    .expect("in order");
    assert!(kind.plan(&json!({}), "op").expect_err("too long").message.contains("steps"));
}

#[test]
fn every_fault_of_a_kind_is_told_with_line_key_and_what_is_allowed() {
    let text = QUOTA
        .replace("workflow: merge-request", "workflow: merge")
        .replace("checks: required", "checks: maybe\ncolour: red")
        .replace("type: integer }\n", "type: int }\n")
        .replace("{{ fields.site }}\"\n", "{{ fields.sight }}\"\n")
        .replace("subject: \"{{ fields.team }}\"", "subject: \"{{ operation_id }}\"")
        .replace("title_template: \"Seats {{", "title_template: \"Seats {{{");
    let faults = kinds(&[&text]).expect_err("many faults");
    let expected = [
        "k0.yaml, line 27, colour: the key is not known here; allowed: kind, title,",
        "k0.yaml, line 4, workflow: `merge` is no workflow; allowed: merge-request, resource.",
        "k0.yaml, line 15, subject: the template reads `operation_id`, which does not exist here; allowed: fields.….",
        "k0.yaml, line 26, checks: \"maybe\" is not known; allowed: required, optional.",
        "k0.yaml, line 21, title_template: the template has a fault",
        "k0.yaml, line 25, files[0].set[0].type: the type is not known; allowed: integer, number, boolean, string, null, json.",
    ];
    assert_eq!(faults.len(), expected.len(), "{faults:#?}");
    for (fault, expected) in faults.iter().zip(expected) {
        assert!(fault.starts_with(expected), "{fault}\n{expected}");
    }
}

#[test]
fn faults_that_are_found_at_load() {
    for (entry, words) in [
        ("{ path: a.txt }", "one of set, template, delete"),
        ("{ path: a.yaml, set: [], template: x }", "set and template exclude each other"),
        ("{ path: a.yaml, template: x, delete: true }", "template and delete exclude each other"),
        ("{ path: a.yaml, set: [ { at: [], value: x } ] }", "files[0].set[0].at: it must be a list that is not empty"),
        ("{ path: a.yaml, set: [ { at: [a], value: 12 } ] }", "it must be a text"),
        ("{ path: a.yaml, set: [ { at: [a] } ] }", "files[0].set[0].value: the key is missing"),
        ("{ path: a.yaml, set: [ { at: [-1], value: x } ] }", "neither a key nor a position"),
        ("{ path: a.txt, set: [ { at: [a], value: x } ] }", ".toml"),
        ("{ path: ../a.txt, template: x }", "may not leave"),
        ("{ path: a.txt, template: x, create: true }", "beside `set` only"),
        ("{ path: a.txt, delete: false }", "it can only be true"),
        ("{ path: a.txt, template: \"{% include 'x' %}\" }", "template has a fault"),
        ("{ path: a.txt, template: \"{{ other.x }}\" }", "`other.x`, which does not exist"),
        ("{ path: a.txt, template: \"{{ now() }}\" }", "`now`, which does not exist"),
        ("{ path: a.txt, template: \"{{ x | nofilter }}\" }", "template"),
        ("{ path: a.txt, mode: 1, template: x }", "mode: the key is not known"),
    ] {
        let faults = with_file(entry).err().unwrap_or_default().join("\n");
        assert!(faults.contains(words), "{entry}: {words:?} in {faults:?}");
    }
    for (from, to, words) in [
        ("type: object\n", "type: objekt\n", "not a JSON Schema"),
        ("team: { type: string", "team: { $ref: \"http://127.0.0.1:1/x.json\", type: string", "not a JSON Schema"),
        ("\"^[a-z][a-z0-9-]*$\"", "\"^[a-z\"", "not a JSON Schema"),
        ("kind: seat-limit", "kind: seat limit", "cannot be a name"),
        ("title: { en: Seat limit, zh-CN: 席位上限 }", "title: Seat limit", "a map"),
        ("project: platform/seats", "project: \"{{ fields.team }}\"", "templates have no meaning"),
        ("target_branch: main", "target_branch: a..b", "branch name"),
        ("subject: \"{{ fields.team }}\"\n", "", "subject: the key is missing"),
        ("repeatable: true", "repeatable: yes", "true, false"),
        ("{{ fields.limit }}", "{{ fields.limits }}", "the field `limits`, which the schema does not have"),
        ("kind: seat-limit\n", "kind: seat-limit\nkind: twice\n", "k0.yaml, line"),
        ("kind: seat-limit\n", "kind: [\n", "not valid YAML"),
    ] {
        let faults = kinds(&[&QUOTA.replace(from, to)]).err().unwrap_or_default().join("\n");
        assert!(faults.contains(words), "{to}: {words:?} in {faults:?}");
    }
    let faults = kinds(&[QUOTA, QUOTA]).expect_err("twice");
    assert!(
        faults[0].contains("k1.yaml, line 2, kind: the kind `seat-limit` is defined in k0.yaml already"),
        "{faults:?}"
    );
}

#[test]
fn a_resource_kind_needs_no_files() {
    let text = "kind: vm\ntitle: { en: Machine }\nworkflow: resource\nschema: { type: object }\nsubject: \"{{ fields.a }}\"\ntarget: t\n";
    let catalogue = kinds(&[text]).expect("in order");
    let kind = catalogue.get("vm").expect("it is there");
    assert_eq!((kind.project.as_str(), kind.workflow.as_str()), ("", "resource"));
    assert!(kind.plan(&json!({"a": 1}), "op").is_err());
    assert_eq!(kind.relation(&json!({"a": 1})).expect("no fault").subject_id, "1");
}

#[test]
fn a_directory_is_read_as_a_whole() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("a.yaml"), QUOTA).expect("written");
    std::fs::write(dir.path().join("b.yml"), QUOTA.replace("kind: seat-limit", "kind: other")).expect("written");
    std::fs::write(dir.path().join("readme.txt"), "no kind").expect("written");
    let catalogue = Catalogue::load(dir.path()).expect("in order");
    assert_eq!(catalogue.iter().map(|kind| kind.kind.as_str()).collect::<Vec<_>>(), ["other", "seat-limit"]);
    std::fs::write(dir.path().join("c.yaml"), b"\xff").expect("written");
    std::fs::write(dir.path().join("d.yaml"), "kind: x\n").expect("written");
    let faults = Catalogue::load(dir.path()).expect_err("two bad files");
    assert!(faults.iter().any(|f| f.file == "c.yaml") && faults.iter().any(|f| f.file == "d.yaml"), "{faults:?}");
    assert!(Catalogue::load(&dir.path().join("none")).is_err());
    assert!(Catalogue::from_texts(&[]).expect("nothing").is_empty());
}

#[test]
fn a_kind_may_share_parts_by_anchors() {
    let text = QUOTA
        .replace("    site: { type: string }", "    site: &word { type: string, maxLength: 5 }")
        .replace("    item: { type: string }", "    item: *word");
    let catalogue = kinds(&[&text]).expect("in order");
    let faults = catalogue
        .get("seat-limit")
        .expect("it is there")
        .check_fields(&json!({"team": "b", "site": "n", "item": "too long", "limit": 1}));
    assert_eq!(faults.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(), ["/item"]);
}
