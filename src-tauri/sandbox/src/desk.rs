//! The approval desk: tickets by API for programs, and a page for the people who decide.

mod api;
mod page;
mod tickets;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

pub(crate) use tickets::{Decision, approve_by_itself, decide};

use crate::guard;
use crate::world::World;

pub(crate) fn router(world: Arc<World>) -> Router {
    let api = Router::new()
        .route("/approvals", post(api::create))
        .route("/approvals/{id}", get(api::get))
        .route("/approvals/{id}/cancel", post(api::cancel))
        .route("/approvals/by-request/{request}", get(api::by_request))
        .layer(from_fn_with_state(Arc::clone(&world), api::around));
    let people = Router::new()
        .route("/", get(page::list))
        .route("/tickets/{id}", get(page::ticket))
        .route("/tickets/{id}/decide", post(page::decide))
        .layer(from_fn_with_state(Arc::clone(&world), guard::same_site));
    api.merge(people).with_state(world)
}
