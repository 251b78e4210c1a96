//! What each stage does. A stage looks at the remotes, acts there where something is missing, and says what came of it;
//! the run loop commits that. Running a stage again at any moment causes no second effect.

pub mod approval;
pub mod bench;
pub mod checks;
pub mod close;
pub mod create;
pub mod deploy;
pub mod handle;
pub mod outcome;
pub mod remote;

pub use bench::Bench;
pub use outcome::{Advance, Outcome, Pause};

use crate::{
    flow::{Actor, Event, Step},
    say,
    store::operation::Operation,
};

/// Runs the stage of the step that the request stands at.
pub async fn run(bench: &Bench<'_>, operation: &Operation) -> Outcome {
    match operation.step {
        Step::ApprovalSending => approval::send(bench, operation).await,
        Step::ApprovalWaiting => approval::read(bench, operation).await,
        Step::CreateStarted => create::run(bench, operation).await,
        Step::CreatePipelineRunning | Step::HandlePipelineRunning => checks::run(bench, operation).await,
        Step::CreateSucceeded => hand_on(operation),
        Step::HandleStarted => handle::approve::run(bench, operation).await,
        Step::HandleApproved => handle::merge::run(bench, operation).await,
        Step::HandleRebasing => handle::rebase::run(bench, operation).await,
        Step::HandleMerged | Step::DeployFailed => deploy::run(bench, operation).await,
        Step::CloseStarted => close::run(bench, operation).await,
        _ => Outcome::rest(operation),
    }
}

/// The checks are green: on to the robots, or, mr-first, to the people.
fn hand_on(operation: &Operation) -> Outcome {
    let event = match operation.flow_order {
        crate::settings::FlowOrder::ApprovalFirst => Event::Handle,
        crate::settings::FlowOrder::MrFirst => Event::SendApproval,
    };
    Advance::new(event, Actor::system(), operation).because(say!("checks.hand_on")).into()
}
