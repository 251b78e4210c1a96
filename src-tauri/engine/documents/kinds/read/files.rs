//! Reading the `files` of a kind.

use serde_json::{Map, Value};

use super::super::spec::{AtSpec, ChangeSpec, EditSpec, FileSpec};
use super::{Reader, Way, down};
use crate::documents::edit::{Segment, check_format};
use crate::documents::render::{ValueType, check_path};

impl Reader<'_> {
    pub(super) fn files(&mut self, map: &Map<String, Value>, merges: bool) -> Option<Vec<FileSpec>> {
        let way: Way = vec!["files".into()];
        match map.get("files") {
            Some(Value::Array(files)) if !files.is_empty() && merges => {
                let specs: Vec<_> = files.iter().enumerate().map(|(i, file)| self.file(&down(&way, i), file)).collect();
                return specs.into_iter().collect();
            }
            None if !merges => return Some(Vec::new()),
            Some(_) if !merges => self.fault(&way, "a resource kind changes no files", ""),
            Some(_) => self.fault(&way, "it must be a list that is not empty", ""),
            None => self.fault(&way, "the key is missing", ""),
        }
        None
    }

    fn file(&mut self, way: &[Segment], value: &Value) -> Option<FileSpec> {
        let map = self.map(way, value, &["path", "set", "template", "delete", "create"])?;
        let path = self.template(map, way, "path", None);
        let literal = path.as_ref().and_then(|path| path.literal().map(str::to_owned));
        if let Some(literal) = &literal {
            self.check_plain(&down(way, "path"), literal, check_path);
        }
        let ways = ["set", "template", "delete"].into_iter().filter(|key| map.contains_key(*key)).collect::<Vec<_>>();
        if ways.len() != 1 {
            let message = if ways.is_empty() {
                "it does not say what to do".to_owned()
            } else {
                format!("{} exclude each other", ways.join(" and "))
            };
            self.fault(way, message, "one of set, template, delete");
            return None;
        }
        if map.contains_key("create") && ways[0] != "set" {
            self.fault(&down(way, "create"), "it has a meaning beside `set` only", "");
        }
        let change = match ways[0] {
            "set" => {
                if let Some(Err(fault)) = literal.as_deref().map(check_format) {
                    self.fault(&down(way, "path"), fault.message.trim_end_matches('.'), "");
                }
                let create = self.switch(map, way, "create");
                self.edits(&down(way, "set"), map.get("set"))
                    .and_then(|edits| Some(ChangeSpec::Set { edits, create: create? }))
            }
            "template" => self.template(map, way, "template", None).map(ChangeSpec::Whole),
            _ if map.get("delete") == Some(&Value::Bool(true)) => Some(ChangeSpec::Delete),
            _ => {
                self.fault(&down(way, "delete"), "it can only be true", "true");
                None
            }
        };
        Some(FileSpec { path: path?, change: change? })
    }

    fn edits(&mut self, way: &[Segment], value: Option<&Value>) -> Option<Vec<EditSpec>> {
        let Some(Value::Array(list)) = value.filter(|v| v.as_array().is_some_and(|list| !list.is_empty())) else {
            self.fault(
                way,
                "it must be a list that is not empty",
                "entries such as { at: [regions, eu], value: \"{{ fields.limit }}\", type: integer }",
            );
            return None;
        };
        let edits: Vec<_> = list.iter().enumerate().map(|(i, edit)| self.edit(&down(way, i), edit)).collect();
        edits.into_iter().collect()
    }

    fn edit(&mut self, way: &[Segment], value: &Value) -> Option<EditSpec> {
        let map = self.map(way, value, &["at", "value", "type"])?;
        let at = self.at(&down(way, "at"), map.get("at"));
        let source = match map.get("value") {
            Some(Value::String(source)) => Some(source.clone()),
            Some(_) => {
                self.fault(
                    &down(way, "value"),
                    "it must be a text: a template, with `type` for anything but a text",
                    "such as value: \"12\" with type: integer",
                );
                None
            }
            None => {
                self.fault(&down(way, "value"), "the key is missing", "");
                None
            }
        };
        let template = source.and_then(|source| self.compile(&down(way, "value"), &source, true));
        let value_type = match map.get("type") {
            None => Some(ValueType::Text),
            Some(Value::Null) => Some(ValueType::Null),
            Some(word) => word.as_str().and_then(ValueType::from_word),
        };
        if value_type.is_none() {
            self.fault(&down(way, "type"), "the type is not known", ValueType::ALLOWED);
        }
        Some(EditSpec { at: at?, value: template?, value_type: value_type? })
    }

    fn at(&mut self, way: &[Segment], value: Option<&Value>) -> Option<Vec<AtSpec>> {
        let allowed = "a list of keys (text) and positions (integers from 0)";
        let Some(Value::Array(list)) = value.filter(|v| v.as_array().is_some_and(|list| !list.is_empty())) else {
            self.fault(way, "it must be a list that is not empty", allowed);
            return None;
        };
        let mut at = Vec::new();
        for (i, segment) in list.iter().enumerate() {
            let here = down(way, i);
            match segment {
                Value::String(source) if !source.is_empty() => at.push(AtSpec::Key(self.compile(&here, source, true)?)),
                Value::Number(n) if n.is_u64() => at.push(AtSpec::Index(usize::try_from(n.as_u64()?).ok()?)),
                _ => {
                    self.fault(&here, "it is neither a key nor a position", allowed);
                    return None;
                }
            }
        }
        Some(at)
    }
}
