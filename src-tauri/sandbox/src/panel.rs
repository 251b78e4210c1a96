//! The control panel: a page with every switch, and the same things as a JSON API.

mod control;
mod page;
mod parts;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, patch, post};

use crate::guard;
use crate::world::World;

pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/", get(page::show))
        .route("/set", post(page::set))
        .route("/reset", post(page::reset))
        .route("/merge-requests/{project}/{iid}/{act}", post(page::merge_request))
        .route("/pipelines/{which}/{word}", post(page::pipelines))
        .route("/control/state", get(control::state))
        .route("/control/log", get(control::log))
        .route("/control/switches", patch(control::switches))
        .route("/control/reset", post(control::reset))
        .route("/control/merge-requests/{project}/{iid}/{act}", post(control::merge_request))
        .route("/control/pipelines/{which}/{word}", post(control::pipelines))
        .route("/control/tickets/{id}/{decision}", post(control::ticket))
        .layer(from_fn_with_state(Arc::clone(&world), guard::same_site))
        .with_state(world)
}
