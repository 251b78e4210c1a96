//! A submission: fields checked, relation looked up, the change rendered against the target branch as it is now, then stored.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    documents::{
        file_diff::{FileAction, FileChange},
        kinds::{FieldError, Kind, Relation},
        render::{Plan, RenderError},
        text::neutralise_title,
    },
    engine::Core,
    ports::{error::RemoteError, forge::RepoFile, journal::Scope},
    say,
    stages::{create::read_files, outcome::told},
    store::{
        StoreError,
        operation::{Facts, Operation},
        submission::{RenderedFile, Submission, Submitted},
    },
    words::Sentence,
};

/// What a person or a program asks for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Change kind.
    pub kind: String,
    /// Fields.
    pub fields: Value,
    /// The business action, where the caller names one.
    pub idempotency_key: Option<String>,
    /// Why.
    pub comment: Option<String>,
    /// Who asks.
    pub person: String,
    /// Where this is a reapplication: the operation that still owns the relation.
    pub instead_of: Option<String>,
}

/// Why a submission was refused. Nothing was stored or sent.
#[derive(Debug)]
pub enum Refused {
    /// No such kind.
    UnknownKind(String),
    /// A workflow that cannot be submitted this way.
    OtherWorkflow(String),
    /// Fields, paths or templates that do not hold.
    Fields(Vec<FieldError>),
    /// The target branch has it already.
    NothingToChange,
    /// The key came before with other fields.
    KeyMismatch(String),
    /// The relation is held.
    Busy(String),
    /// The last request was validated and the kind is not repeatable.
    NotReappliable(String),
    /// The store said no.
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A change as it would be written.
pub struct Rendered {
    /// Relation.
    pub relation: Relation,
    /// The files that would change; empty where the target could not be read.
    pub files: Vec<FileChange>,
    /// Values that the change edits, as they are now.
    pub observed: Option<BTreeMap<String, Value>>,
    /// Number of the project, where it was read.
    pub project: Option<(u64, String)>,
    /// What the requester should know.
    pub warning: Option<Sentence>,
    /// The plan behind it.
    pub plan: Plan,
}

/// The kind, or the refusal.
pub fn kind_of(core: &Core, name: &str) -> Result<Arc<Kind>, Refused> {
    let kind = core.catalogue.get(name).cloned().ok_or_else(|| Refused::UnknownKind(name.into()))?;
    if kind.workflow != "merge-request" {
        return Err(Refused::OtherWorkflow(kind.workflow.clone()));
    }
    Ok(kind)
}

/// Checks the fields and renders the change against the target branch as it is now. Writes nothing anywhere.
pub async fn render(core: &Core, kind: &Kind, fields: &Value, operation_id: &str) -> Result<Rendered, Refused> {
    let errors = kind.check_fields(fields);
    if !errors.is_empty() {
        return Err(Refused::Fields(errors));
    }
    let relation = kind.relation(fields).map_err(wrong_field)?;
    let plan = kind.plan(fields, operation_id).map_err(wrong_field)?;
    let (project, before) = match read_target(core, &plan).await {
        Ok(read) => read,
        Err(error) => {
            let warning = Some(say!("submit.target_unread", why = told(&error)));
            return Ok(Rendered { relation, files: Vec::new(), observed: None, project: None, warning, plan });
        }
    };
    let Some(before) = before else {
        let warning =
            Some(say!("submit.no_target", project = plan.project.clone(), branch = plan.target_branch.clone()));
        return Ok(Rendered { relation, files: Vec::new(), observed: None, project, warning, plan });
    };
    let bytes = |path: &str| before.get(path).and_then(|file| file.as_ref().map(|file| file.bytes.clone()));
    let observed = Some(plan.observe(&bytes).map_err(wrong_field)?);
    let files = plan.apply(&bytes).map_err(wrong_field)?;
    if files.is_empty() {
        return Err(Refused::NothingToChange);
    }
    Ok(Rendered { relation, files, observed, project, warning: None, plan })
}

fn wrong_field(error: RenderError) -> Refused {
    let message = error.to_string();
    let path = error.path.filter(|path| path.starts_with('/')).unwrap_or_default();
    Refused::Fields(vec![FieldError { path, message: message.into() }])
}

type Before = BTreeMap<String, Option<RepoFile>>;

async fn read_target(core: &Core, plan: &Plan) -> Result<(Option<(u64, String)>, Option<Before>), RemoteError> {
    let scope = Scope::unrecorded();
    let Some(project) = core.forge.project(&scope, &plan.project).await? else { return Ok((None, None)) };
    let name = project.id.to_string();
    let known = Some((project.id, project.path));
    let Some(head) = core.forge.branch(&scope, &name, &plan.target_branch).await? else { return Ok((known, None)) };
    Ok((known, Some(read_files(core.forge.as_ref(), &scope, &name, plan, &head.sha).await?)))
}

/// What makes two submissions under one key the same: kind and fields, whatever the order of keys. The comment does not count.
#[must_use]
pub fn fingerprint(kind: &str, fields: &Value) -> String {
    let digest = Sha256::digest(format!("{kind}\n{}", canonical(fields)));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let sorted: BTreeMap<_, _> = map.iter().collect();
            let parts: Vec<_> = sorted
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", parts.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// The files as they are kept for people; bytes that are no text are told in words by the diff.
#[must_use]
pub fn rendered_files(files: &[FileChange]) -> Vec<RenderedFile> {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    files
        .iter()
        .map(|file| RenderedFile {
            path: file.path.clone(),
            action: match file.action {
                FileAction::Create => "create",
                FileAction::Update => "update",
                FileAction::Delete => "delete",
            },
            before: text(&file.before),
            after: text(&file.after),
            diff: file.unified(),
        })
        .collect()
}

/// Stores a submission; the id is the earlier one where the same key and fields came before.
pub async fn submit(core: &Arc<Core>, ask: Ask) -> Result<String, Refused> {
    let kind = kind_of(core, &ask.kind)?;
    let fingerprint = fingerprint(&ask.kind, &ask.fields);
    if let Some(key) = &ask.idempotency_key
        && let Some((operation_id, same)) = core.store.by_key(&ask.kind, key, &fingerprint).await?
    {
        return if same { Ok(operation_id) } else { Err(Refused::KeyMismatch(operation_id)) };
    }
    if kind.check_fields(&ask.fields).is_empty()
        && let Ok(relation) = kind.relation(&ask.fields)
    {
        held_by_another(core, &kind, &relation, ask.instead_of.as_deref()).await?;
    }
    let operation_id = core.chance.operation_id();
    let rendered = render(core, &kind, &ask.fields, &operation_id).await?;
    let settings = core.settings();
    let (project_id, project) = rendered.project.clone().unzip();
    let submission = Submission {
        operation_id: operation_id.clone(),
        kind: kind.kind.clone(),
        workflow: kind.workflow.clone(),
        subject_id: rendered.relation.subject_id.clone(),
        target_key: rendered.relation.target_key.clone(),
        repeatable: kind.repeatable,
        flow_order: settings.flow.order,
        fields: ask.fields,
        comment: ask.comment,
        requested_by: ask.person,
        idempotency_key: ask.idempotency_key,
        fingerprint,
        facts: Facts {
            project: project.unwrap_or_else(|| rendered.plan.project.clone()),
            project_id,
            target_branch: rendered.plan.target_branch.clone(),
            branch: rendered.plan.branch.clone(),
            title: neutralise_title(&rendered.plan.title),
            observed: rendered.observed,
            ..Facts::default()
        },
        files: rendered_files(&rendered.files),
        warning: rendered.warning,
        at: core.now(),
        max_active: settings.engine.max_active,
        instead_of: ask.instead_of,
    };
    match core.store.submit(submission).await? {
        Submitted::Accepted(_) => {
            core.wake();
            Ok(operation_id)
        }
        Submitted::Repeated(earlier) => Ok(earlier),
        Submitted::KeyMismatch(earlier) => Err(Refused::KeyMismatch(earlier)),
        Submitted::Busy(owner, _) | Submitted::NotOwner(owner) => Err(Refused::Busy(owner)),
        Submitted::NotReappliable(owner) => Err(Refused::NotReappliable(owner)),
    }
}

/// Refuses early what the store would refuse anyway, before anything is read from the forge.
async fn held_by_another(
    core: &Core,
    kind: &Kind,
    relation: &Relation,
    instead_of: Option<&str>,
) -> Result<Option<Operation>, Refused> {
    let Some(owner) = core.store.owner_of(&relation.subject_id, &relation.target_key).await? else { return Ok(None) };
    if instead_of.is_some_and(|expected| expected != owner.operation_id) {
        return Err(Refused::Busy(owner.operation_id));
    }
    if owner.status.reappliable(kind.repeatable) {
        return Ok(Some(owner));
    }
    Err(match owner.status {
        crate::flow::Status::Validated => Refused::NotReappliable(owner.operation_id),
        _ => Refused::Busy(owner.operation_id),
    })
}
