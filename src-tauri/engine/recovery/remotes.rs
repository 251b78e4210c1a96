//! What the remotes say right now, for the dialog. Read-only, and a remote that is silent is told, not hidden.

use serde::Serialize;

use crate::{
    engine::Core,
    ports::{forge::MergeRequest, journal::Scope},
    stages::{outcome::told, remote::project_of},
    store::operation::Operation,
    words::Lang,
};

/// A reading of all remotes for one request.
#[derive(Debug, Clone, Default, Serialize, ts_rs::TS)]
pub struct RemoteReading {
    /// State of the merge request.
    pub mr_state: Option<String>,
    /// Its head.
    pub head_sha: Option<String>,
    /// GitLab's word about merging it.
    pub mergeability: Option<String>,
    /// Newest pipeline of the head.
    pub pipeline: Option<PipelineReading>,
    /// Who has approved.
    pub approved_by: Vec<String>,
    /// Who should.
    pub reviewers: Vec<String>,
    /// The ticket.
    pub ticket: Option<TicketReading>,
    /// Remotes that gave no answer, in words.
    pub silent: Vec<String>,
}

/// A pipeline.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct PipelineReading {
    /// Number, as text: it may be larger than a JavaScript number holds.
    pub id: String,
    /// GitLab's word.
    pub status: String,
    /// Page for people.
    pub web_url: String,
}

/// A ticket.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct TicketReading {
    /// Its id.
    pub id: String,
    /// Its state, raw.
    pub state: String,
    /// Who decided.
    pub decided_by: Option<String>,
}

/// Reads every remote that knows this request.
pub(crate) async fn read(core: &Core, operation: &Operation, lang: Lang) -> RemoteReading {
    let scope = Scope::unrecorded();
    let (forge, ticket) = tokio::join!(read_forge(core, &scope, operation), async {
        match operation.facts.ticket.as_ref() {
            Some(ticket) => core.desk.ticket(&scope, &ticket.id).await,
            None => core.desk.by_request(&scope, &operation.operation_id).await,
        }
    });
    let mut reading = forge
        .unwrap_or_else(|error| RemoteReading { silent: vec![told(&error).render(lang)], ..RemoteReading::default() });
    match ticket {
        Ok(Some(ticket)) => {
            let state = ticket.state.word().to_owned();
            reading.ticket = Some(TicketReading { id: ticket.id, state, decided_by: ticket.decided_by });
        }
        Ok(None) => {}
        Err(error) => reading.silent.push(told(&error).render(lang)),
    }
    reading
}

async fn read_forge(
    core: &Core,
    scope: &Scope,
    operation: &Operation,
) -> Result<RemoteReading, crate::ports::error::RemoteError> {
    let reviewers = core.forge.reviewers(scope).await?;
    let Some(mr) = &operation.facts.mr else { return Ok(RemoteReading { reviewers, ..RemoteReading::default() }) };
    let project = project_of(&operation.facts);
    let Some(found) = core.forge.merge_request(scope, &project, mr.iid).await? else {
        return Ok(RemoteReading { mr_state: Some("absent".into()), reviewers, ..RemoteReading::default() });
    };
    let (approved, pipelines) =
        tokio::try_join!(core.forge.approvals(scope, &project, mr.iid), core.forge.pipelines(scope, &project, mr.iid))?;
    let head = found.head_sha.clone();
    let pipeline = pipelines
        .into_iter()
        .filter(|pipeline| Some(&pipeline.sha) == head.as_ref())
        .max_by_key(|pipeline| (pipeline.of_merge_request, pipeline.id))
        .map(|pipeline| PipelineReading {
            id: pipeline.id.to_string(),
            status: pipeline.status,
            web_url: pipeline.web_url,
        });
    Ok(RemoteReading {
        mr_state: Some(state(&found)),
        mergeability: Some(found.readiness_word),
        head_sha: head,
        pipeline,
        approved_by: approved,
        reviewers,
        ticket: None,
        silent: Vec::new(),
    })
}

fn state(mr: &MergeRequest) -> String {
    mr.state.word().to_owned()
}
