//! Reading one kind file; all faults are collected before it is refused.

mod files;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fault::{KindError, line_of};
use super::{Checks, Kind, Titles};
use crate::documents::edit::Segment;
use crate::documents::field_diff::push_key;
use crate::documents::render::{Template, check_branch};

const KEYS: [&str; 12] = [
    "kind",
    "title",
    "workflow",
    "schema",
    "subject",
    "target",
    "repeatable",
    "project",
    "target_branch",
    "branch",
    "title_template",
    "files",
];
const WORKFLOWS: [&str; 2] = ["merge-request", "resource"];
const DEFAULT_BRANCH: &str = "signalbox/{{ operation_id }}";

/// Reads a kind from the text of its file.
pub(super) fn kind(file: &str, text: &str) -> Result<Kind, Vec<KindError>> {
    let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    let root: Value = serde_saphyr::from_str_with_options(text, options).map_err(|fault| {
        let line = fault.location().map(|at| at.line() as usize);
        vec![KindError::new(file, line, "", format!("it is not valid YAML: {fault}"), "")]
    })?;
    let mut reader = Reader { file, text, faults: Vec::new(), fields: None };
    let kind = reader.kind(&root);
    match kind {
        Some(kind) if reader.faults.is_empty() => Ok(kind),
        _ => Err(reader.faults),
    }
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    faults: Vec<KindError>,
    /// The names of all fields, where the schema allows no others.
    fields: Option<Vec<String>>,
}

type Way = Vec<Segment>;

fn down(way: &[Segment], next: impl Into<Segment>) -> Way {
    let mut way = way.to_vec();
    way.push(next.into());
    way
}

fn key_of(way: &[Segment]) -> String {
    let mut key = String::new();
    for segment in way {
        match segment {
            Segment::Key(name) => push_key(&mut key, name),
            Segment::Index(index) => key.push_str(&format!("[{index}]")),
        }
    }
    key
}

impl Reader<'_> {
    fn fault(&mut self, way: &[Segment], message: impl Into<String>, allowed: &str) {
        let line = line_of(self.text, way);
        self.faults.push(KindError::new(self.file, line, &key_of(way), message, allowed));
    }

    fn map<'v>(&mut self, way: &[Segment], value: &'v Value, keys: &[&str]) -> Option<&'v Map<String, Value>> {
        let Value::Object(map) = value else {
            self.fault(way, "it must be a map", &keys.join(", "));
            return None;
        };
        for key in map.keys().filter(|key| !keys.contains(&key.as_str())) {
            self.fault(&down(way, key.as_str()), "the key is not known here", &keys.join(", "));
        }
        Some(map)
    }

    fn text(&mut self, map: &Map<String, Value>, way: &[Segment], key: &str, default: Option<&str>) -> Option<String> {
        match map.get(key) {
            Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
            Some(_) => {
                self.fault(&down(way, key), "it must be a text that is not empty", "");
                None
            }
            None if default.is_some() => default.map(str::to_owned),
            None => {
                self.fault(&down(way, key), "the key is missing", "");
                None
            }
        }
    }

    fn switch(&mut self, map: &Map<String, Value>, way: &[Segment], key: &str) -> Option<bool> {
        match map.get(key) {
            None => Some(false),
            Some(Value::Bool(on)) => Some(*on),
            Some(_) => {
                self.fault(&down(way, key), "it must be a boolean", "true, false");
                None
            }
        }
    }

    fn template(
        &mut self,
        map: &Map<String, Value>,
        way: &[Segment],
        key: &str,
        default: Option<&str>,
    ) -> Option<Template> {
        let source = match map.get(key) {
            Some(Value::String(source)) => source.clone(),
            _ => self.text(map, way, key, default)?,
        };
        self.compile(&down(way, key), &source, true)
    }

    fn compile(&mut self, way: &[Segment], source: &str, with_operation: bool) -> Option<Template> {
        let template = match Template::compile(&key_of(way), source) {
            Ok(template) => template,
            Err(why) => {
                self.fault(way, format!("the template has a fault: {why}"), "");
                return None;
            }
        };
        let allowed = if with_operation { "fields.…, operation_id" } else { "fields.…" };
        for variable in template.variables() {
            let (first, rest) = variable.split_once('.').unwrap_or((&variable, ""));
            if first != "fields" && !(first == "operation_id" && with_operation) {
                self.fault(way, format!("the template reads `{variable}`, which does not exist here"), allowed);
            }
            let field = rest.split('.').next().unwrap_or_default();
            let known = self.fields.as_ref().is_none_or(|fields| fields.iter().any(|name| name == field));
            if first == "fields" && !field.is_empty() && !known {
                let names = self.fields.as_ref().map(|fields| fields.join(", ")).unwrap_or_default();
                self.fault(
                    way,
                    format!("the template reads the field `{field}`, which the schema does not have"),
                    &names,
                );
            }
        }
        Some(template)
    }

    fn kind(&mut self, root: &Value) -> Option<Kind> {
        let keys: Vec<&str> = KEYS.into_iter().chain(["checks"]).collect();
        let map = self.map(&[], root, &keys)?;
        let name = self.name(map);
        let title = self.titles(map);
        let workflow = self.workflow(map);
        let schema = self.schema(map);
        let subject = self.relation_template(map, "subject");
        let target = self.relation_template(map, "target");
        let repeatable = self.switch(map, &[], "repeatable");
        let checks = self.checks(map);
        let merges = workflow.as_deref() != Some("resource");
        let optional = if merges { None } else { Some("") };
        let project = self.project(map, merges);
        let target_branch = self.text(map, &[], "target_branch", optional);
        if let Some(branch) = target_branch.as_deref().filter(|branch| !branch.is_empty()) {
            self.check_plain(&["target_branch".into()], branch, check_branch);
        }
        let branch = self.template(map, &[], "branch", Some(DEFAULT_BRANCH));
        let title_template = self.template(map, &[], "title_template", optional);
        let files = self.files(map, merges);
        let (schema, validator) = schema?;
        Some(Kind {
            kind: name?,
            title: title?,
            workflow: workflow?,
            schema,
            repeatable: repeatable?,
            project: project?,
            target_branch: target_branch?,
            checks: checks?,
            validator,
            subject: subject?,
            target: target?,
            branch: branch?,
            title_template: title_template?,
            files: files?,
        })
    }

    fn name(&mut self, map: &Map<String, Value>) -> Option<String> {
        let name = self.text(map, &[], "kind", None)?;
        if name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')) {
            return Some(name);
        }
        self.fault(&["kind".into()], format!("`{name}` cannot be a name"), "letters, digits, - _ .");
        None
    }

    fn titles(&mut self, map: &Map<String, Value>) -> Option<Titles> {
        let allowed = "a map of language to text, such as { en: Service quota, zh-CN: 服务配额 }";
        let way: Way = vec!["title".into()];
        let Some(Value::Object(titles)) = map.get("title").filter(|t| t.as_object().is_some_and(|t| !t.is_empty()))
        else {
            let message =
                if map.contains_key("title") { "it must be a map that is not empty" } else { "the key is missing" };
            self.fault(&way, message, allowed);
            return None;
        };
        let mut found = BTreeMap::new();
        for language in titles.keys() {
            found.insert(language.clone(), self.text(titles, &way, language, None)?);
        }
        Some(Titles(found))
    }

    fn workflow(&mut self, map: &Map<String, Value>) -> Option<String> {
        let word = self.text(map, &[], "workflow", None)?;
        if WORKFLOWS.contains(&word.as_str()) {
            return Some(word);
        }
        self.fault(&["workflow".into()], format!("`{word}` is no workflow"), &WORKFLOWS.join(", "));
        None
    }

    fn checks(&mut self, map: &Map<String, Value>) -> Option<Checks> {
        match map.get("checks") {
            None => Some(Checks::Required),
            Some(Value::String(word)) if word == "required" => Some(Checks::Required),
            Some(Value::String(word)) if word == "optional" => Some(Checks::Optional),
            Some(other) => {
                self.fault(&["checks".into()], format!("{other} is not known"), "required, optional");
                None
            }
        }
    }

    fn schema(&mut self, map: &Map<String, Value>) -> Option<(Value, jsonschema::Validator)> {
        let way: Way = vec!["schema".into()];
        let Some(schema @ Value::Object(object)) = map.get("schema") else {
            let message = if map.contains_key("schema") { "it must be a map" } else { "the key is missing" };
            self.fault(&way, message, "a JSON Schema (2020-12) of the fields");
            return None;
        };
        let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true);
        let validator = match options.build(schema) {
            Ok(validator) => validator,
            Err(fault) => {
                let steps = fault.instance_path().as_str().split('/').skip(1);
                let inner =
                    steps.fold(way, |way, step| down(&way, step.replace("~1", "/").replace("~0", "~").as_str()));
                self.fault(&inner, format!("it is not a JSON Schema: {fault}"), "");
                return None;
            }
        };
        let open = ["patternProperties", "$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];
        let closed = object.get("additionalProperties") == Some(&Value::Bool(false))
            && !open.iter().any(|k| object.contains_key(*k));
        let properties = object.get("properties").and_then(Value::as_object);
        self.fields = properties.filter(|_| closed).map(|properties| properties.keys().cloned().collect());
        Some((schema.clone(), validator))
    }

    /// Subject and target are known before there is an operation.
    fn relation_template(&mut self, map: &Map<String, Value>, key: &str) -> Option<Template> {
        let source = self.text(map, &[], key, None)?;
        self.compile(&[key.into()], &source, false)
    }

    fn project(&mut self, map: &Map<String, Value>, merges: bool) -> Option<String> {
        if let Some(Value::Number(number)) = map.get("project") {
            return Some(number.to_string());
        }
        let project = self.text(map, &[], "project", if merges { None } else { Some("") })?;
        if project.contains("{{") || project.chars().any(|c| c.is_control() || c.is_whitespace()) {
            self.fault(
                &["project".into()],
                "it is taken as it stands, templates have no meaning here",
                "the path with namespace, or the number",
            );
            return None;
        }
        Some(project)
    }

    fn check_plain(&mut self, way: &[Segment], text: &str, check: fn(&str) -> Result<(), String>) {
        if let Err(sentence) = check(text) {
            self.fault(way, sentence.trim_end_matches('.'), "");
        }
    }
}
