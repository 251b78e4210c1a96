//! Everything that a restart must find again, and how it is kept.

mod keep;
mod model;

pub(crate) use keep::{Keeper, load};
pub(crate) use model::{
    Approval, Check, Delivery, Deployed, Job, MergeRequest, MrState, Note, Pipeline, Ports, Rebase, Source, State,
    Ticket, TicketState, Verdict, Work,
};
