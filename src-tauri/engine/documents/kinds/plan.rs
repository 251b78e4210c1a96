//! Rendering a kind with the fields of a request.

use std::collections::BTreeSet;

use serde_json::Value;

use super::spec::{AtSpec, ChangeSpec, EditSpec, FileSpec};
use super::{Kind, Plan, Relation, RenderError};
use crate::documents::edit::check_format;
use crate::documents::render::{Change, Edit, PlannedFile, Segment, Template, check_branch, check_path, context};

impl Kind {
    /// The relation that a request with these fields is about.
    ///
    /// # Errors
    /// A sentence when a field is missing or the result is empty.
    pub fn relation(&self, fields: &Value) -> Result<Relation, RenderError> {
        let context = context(fields, None);
        Ok(Relation {
            subject_id: name(&self.subject, &context, "subject")?,
            target_key: name(&self.target, &context, "target")?,
        })
    }

    /// Everything that these fields and this operation id lead to, but the contents of edited files.
    ///
    /// # Errors
    /// A sentence when a field is missing, a value has the wrong type, or a path or the branch name is not allowed.
    pub fn plan(&self, fields: &Value, operation_id: &str) -> Result<Plan, RenderError> {
        if self.files.is_empty() {
            return Err(RenderError::new(None, format!("The kind {} changes no files.", self.kind)));
        }
        let Relation { subject_id, target_key } = self.relation(fields)?;
        let context = context(fields, Some(operation_id));
        let branch = self.branch.text(&context)?;
        check_branch(&branch).map_err(|sentence| RenderError::new(None, sentence))?;
        let title = line(&self.title_template, &context)?;
        let mut files = Vec::with_capacity(self.files.len());
        for spec in &self.files {
            files.push(file(spec, &context)?);
        }
        check_together(&files)?;
        let (project, target_branch) = (self.project.clone(), self.target_branch.clone());
        Ok(Plan { subject_id, target_key, project, target_branch, branch, title, files })
    }
}

/// A part of the name of a relation: taken to the letter, since two names that differ are two relations.
fn name(template: &Template, context: &minijinja::Value, what: &str) -> Result<String, RenderError> {
    let text = template.text(context)?;
    if text.trim().is_empty() {
        return Err(RenderError::new(None, format!("The {what} of this change is empty with the fields given.")));
    }
    if text.chars().any(char::is_control) {
        return Err(RenderError::new(
            None,
            format!("The {what} of this change holds a line break or another control character."),
        ));
    }
    Ok(text)
}

/// One line of text that is not empty.
fn line(template: &Template, context: &minijinja::Value) -> Result<String, RenderError> {
    let text = template.text(context)?;
    let parts: Vec<&str> = text.split(char::is_control).map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return Err(RenderError::new(None, "The title of this change is empty with the fields given."));
    }
    Ok(parts.join(" "))
}

fn file(spec: &FileSpec, context: &minijinja::Value) -> Result<PlannedFile, RenderError> {
    let path = spec.path.text(context)?;
    let refused = |sentence: String| RenderError::new(Some(&path), sentence);
    check_path(&path).map_err(refused)?;
    let change = match &spec.change {
        ChangeSpec::Delete => Change::Delete,
        ChangeSpec::Whole(template) => Change::Whole(template.text(context)?),
        ChangeSpec::Set { edits, create } => {
            check_format(&path).map_err(|fault| refused(fault.message))?;
            let edits: Result<Vec<Edit>, RenderError> = edits.iter().map(|spec| edit(spec, context)).collect();
            Change::Set { edits: edits?, create: *create }
        }
    };
    Ok(PlannedFile { path, change })
}

fn edit(spec: &EditSpec, context: &minijinja::Value) -> Result<Edit, RenderError> {
    let mut at = Vec::with_capacity(spec.at.len());
    for segment in &spec.at {
        at.push(match segment {
            AtSpec::Index(index) => Segment::Index(*index),
            AtSpec::Key(template) => {
                let key = template.text(context)?;
                if key.is_empty() {
                    return Err(RenderError::new(None, "A key of the place to edit is empty with the fields given."));
                }
                Segment::Key(key)
            }
        });
    }
    Ok(Edit { at, value: spec.value.value(context, spec.value_type)? })
}

/// No path may stand twice, and none may be a directory of another.
fn check_together(files: &[PlannedFile]) -> Result<(), RenderError> {
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    if paths.len() < files.len() {
        let mut seen = BTreeSet::new();
        let twice = files.iter().map(|file| file.path.as_str()).find(|path| !seen.insert(*path)).unwrap_or_default();
        return Err(RenderError::new(Some(twice), format!("Two entries of this kind write to one file, {twice}.")));
    }
    for path in &paths {
        let parent = path.match_indices('/').map(|(at, _)| &path[..at]).find(|parent| paths.contains(parent));
        if let Some(parent) = parent {
            return Err(RenderError::new(
                Some(path),
                format!("{parent} cannot be a file and the directory of {path} at once."),
            ));
        }
    }
    Ok(())
}
