//! The catalogue of change kinds: what may be asked for, and how it becomes a change of files.

mod fault;
mod fields;
mod plan;
mod read;
mod spec;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::render::Template;
pub use super::render::{Plan, Relation, RenderError};
pub use fault::KindError;
pub use fields::FieldError;
use spec::FileSpec;

/// A title in several languages.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Titles(BTreeMap<String, String>);

impl Titles {
    /// The title in a language such as `zh-CN`; else in its main language, else in English, else in any.
    pub fn in_language(&self, lang: &str) -> &str {
        let main = lang.split('-').next().unwrap_or(lang);
        let of =
            |wanted: &str| self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, title)| title);
        let related =
            || self.0.iter().find(|(name, _)| name.split('-').next().is_some_and(|n| n.eq_ignore_ascii_case(main)));
        of(lang)
            .or_else(|| related().map(|(_, title)| title))
            .or_else(|| of("en"))
            .or_else(|| self.0.values().next())
            .map_or("", String::as_str)
    }

    /// All languages with their titles.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(language, title)| (language.as_str(), title.as_str()))
    }
}

/// Whether a change waits for a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// A pipeline must pass.
    Required,
    /// No pipeline counts as passed once the ladder of looks ends.
    Optional,
}

impl Checks {
    /// The word in kind files and answers.
    pub fn word(self) -> &'static str {
        match self {
            Checks::Required => "required",
            Checks::Optional => "optional",
        }
    }
}

/// One change kind, checked and compiled.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub kind: String,
    /// Its titles.
    pub title: Titles,
    /// `merge-request` or `resource`.
    pub workflow: String,
    /// JSON Schema 2020-12 of the fields.
    pub schema: Value,
    /// May be applied for again after it was validated.
    pub repeatable: bool,
    /// Path or number of the project; empty for resource kinds.
    pub project: String,
    /// The branch that changes go to; empty for resource kinds.
    pub target_branch: String,
    /// Whether a pipeline must pass.
    pub checks: Checks,
    pub(crate) validator: jsonschema::Validator,
    pub(crate) subject: Template,
    pub(crate) target: Template,
    pub(crate) branch: Template,
    pub(crate) title_template: Template,
    pub(crate) files: Vec<FileSpec>,
}

/// All change kinds by name.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    kinds: BTreeMap<String, Arc<Kind>>,
}

impl Catalogue {
    /// Reads all `*.yaml` and `*.yml` files of a directory.
    ///
    /// # Errors
    /// Every fault of every file, each with file, line where it is known, key and what is allowed.
    pub fn load(dir: &Path) -> Result<Catalogue, Vec<KindError>> {
        let fault = |name: &str, what: String| KindError::new(name, None, "", what, "");
        let unreadable =
            |e: std::io::Error| vec![fault(&dir.display().to_string(), format!("the directory cannot be read: {e}"))];
        let mut texts = Vec::new();
        let mut faults = Vec::new();
        for entry in std::fs::read_dir(dir).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_kind = path.extension().is_some_and(|e| e == "yaml" || e == "yml") && !name.starts_with('.');
            if !is_kind || path.is_dir() {
                continue;
            }
            match std::fs::read_to_string(&path) {
                Ok(text) => texts.push((name, text)),
                Err(e) => faults.push(fault(&name, format!("the file cannot be read: {e}"))),
            }
        }
        texts.sort();
        match Catalogue::from_texts(&texts) {
            Ok(catalogue) if faults.is_empty() => Ok(catalogue),
            Ok(_) => Err(faults),
            Err(more) => Err(faults.into_iter().chain(more).collect()),
        }
    }

    /// Reads kinds from texts, each with the name of its file.
    ///
    /// # Errors
    /// Every fault of every text.
    pub fn from_texts(texts: &[(String, String)]) -> Result<Catalogue, Vec<KindError>> {
        let mut kinds: BTreeMap<String, Arc<Kind>> = BTreeMap::new();
        let mut files: BTreeMap<String, &str> = BTreeMap::new();
        let mut faults = Vec::new();
        for (file, text) in texts {
            match read::kind(file, text) {
                Err(more) => faults.extend(more),
                Ok(kind) => {
                    if let Some(first) = files.get(&kind.kind) {
                        let line = fault::line_of(text, &["kind"]);
                        let what = format!("the kind `{}` is defined in {first} already", kind.kind);
                        faults.push(KindError::new(file, line, "kind", what, "a name that no other file uses"));
                        continue;
                    }
                    files.insert(kind.kind.clone(), file);
                    kinds.insert(kind.kind.clone(), Arc::new(kind));
                }
            }
        }
        if faults.is_empty() { Ok(Catalogue { kinds }) } else { Err(faults) }
    }

    /// The kind of a name.
    pub fn get(&self, kind: &str) -> Option<&Arc<Kind>> {
        self.kinds.get(kind)
    }

    /// All kinds, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Kind>> {
        self.kinds.values()
    }

    /// No kind at all.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}
