//! The table of routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post, put};

use super::{
    approvals, branches, commits, compare, files, layer, merge_requests, merging, notes, pipelines, projects, rebase,
    web,
};
use crate::world::World;

/// Requests may be this big.
const LIMIT: usize = 8 * 1024 * 1024;

pub(crate) fn router(world: Arc<World>) -> Router {
    let api = Router::new()
        .route("/version", get(projects::version))
        .route("/metadata", get(projects::version))
        .route("/user", get(projects::current_user))
        .route("/users", get(projects::users))
        .route("/personal_access_tokens/self", get(projects::own_token))
        .route("/merge_requests", get(merge_requests::list_all))
        .route("/projects", get(projects::projects))
        .nest("/projects/{id}", project());
    let around = from_fn_with_state(Arc::clone(&world), layer::around);
    let api = api.fallback(projects::unknown).method_not_allowed_fallback(projects::unknown).layer(around);
    Router::new().nest("/api/v4", api).merge(web::routes(&world)).layer(DefaultBodyLimit::max(LIMIT)).with_state(world)
}

fn project() -> Router<Arc<World>> {
    Router::new()
        .route("/", get(projects::project))
        .route("/approvals", get(projects::approval_rules))
        .route("/approval_checklist", get(projects::checklist))
        .route("/members", get(projects::members))
        .route("/members/all", get(projects::members))
        .route("/members/{user}", get(projects::member))
        .route("/members/all/{user}", get(projects::member))
        .route("/protected_branches", get(projects::protected_branches))
        .route("/protected_branches/{branch}", get(projects::protected_branch))
        .nest("/repository", repository())
        .route("/merge_requests", get(merge_requests::list).post(merge_requests::create))
        .nest("/merge_requests/{iid}", merge_request())
        .route("/pipelines", get(pipelines::list))
        .route("/pipelines/latest", get(pipelines::latest))
        .route("/pipelines/{pipeline}", get(pipelines::get))
        .route("/pipelines/{pipeline}/jobs", get(pipelines::jobs))
        .route("/pipelines/{pipeline}/retry", post(pipelines::retry))
        .route("/pipelines/{pipeline}/cancel", post(pipelines::cancel))
}

fn repository() -> Router<Arc<World>> {
    Router::new()
        .route("/branches", get(branches::list).post(branches::create))
        .route("/branches/{branch}", get(branches::get).merge(delete(branches::delete)))
        .route("/commits", get(commits::list).post(commits::create))
        .route("/commits/{sha}", get(commits::get))
        .route("/commits/{sha}/diff", get(commits::diff))
        .route("/commits/{sha}/refs", get(commits::refs))
        .route("/commits/{sha}/statuses", get(projects::empty))
        .route("/commits/{sha}/merge_requests", get(commits::merge_requests))
        .route("/tree", get(files::tree))
        .route("/compare", get(compare::compare))
        .route("/merge_base", get(compare::merge_base))
        .route("/files/{path}", get(files::get).post(files::create).put(files::update).delete(files::delete))
        .route("/files/{path}/raw", get(files::get_raw))
}

fn merge_request() -> Router<Arc<World>> {
    Router::new()
        .route("/", get(merge_requests::get).put(merge_requests::update))
        .route("/approvals", get(approvals::get))
        .route("/approval_state", get(approvals::state))
        .route("/approve", post(approvals::approve))
        .route("/unapprove", post(approvals::unapprove))
        .route("/reset_approvals", put(approvals::reset))
        .route("/rebase", put(rebase::ask))
        .route("/merge", put(merging::merge))
        .route("/cancel_merge_when_pipeline_succeeds", post(merging::cancel_armed))
        .route("/pipelines", get(pipelines::of_merge_request).post(pipelines::create_for_merge_request))
        .route("/commits", get(merge_requests::commits))
        .route("/diffs", get(merge_requests::diffs))
        .route("/changes", get(merge_requests::changes))
        .route("/versions", get(projects::empty))
        .route("/notes", get(notes::list).post(notes::create))
}
