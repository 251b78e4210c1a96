//! The panel as a page: every button is a small form that leads back here with a sentence.

use std::sync::Arc;

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{Html, Redirect};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;

use super::parts;
use crate::acts;
use crate::look::{notice, page};
use crate::world::World;

#[derive(Debug, Default, Deserialize)]
pub(super) struct Told {
    #[serde(default)]
    told: String,
}

pub(super) async fn show(State(world): State<Arc<World>>, Query(told): Query<Told>) -> Html<String> {
    let body = [
        notice(Some(&told.told)),
        parts::introduction(&world),
        parts::merge_requests(&world).await,
        parts::pipelines(&world),
        parts::switches(&world),
        parts::counters(&world),
        parts::log(&world),
    ];
    page(&world.urls(), "Panel", "Control panel", &body.concat())
}

fn back(told: &str) -> Redirect {
    Redirect::to(&format!("/?told={}", utf8_percent_encode(told, NON_ALPHANUMERIC)))
}

#[derive(Debug, Deserialize)]
pub(super) struct Given {
    key: String,
    #[serde(default)]
    value: String,
}

pub(super) async fn set(State(world): State<Arc<World>>, Form(given): Form<Given>) -> Redirect {
    match world.set(&given.key, &Value::String(given.value.clone())) {
        Ok(()) => {
            back(&format!("{} is set to {}.", given.key, if given.value.is_empty() { "off" } else { &given.value }))
        }
        Err(error) => back(&format!("Nothing was set: {error}.")),
    }
}

pub(super) async fn reset(State(world): State<Arc<World>>) -> Redirect {
    world.write(|state| world.switches.reset_faults(state));
    back("All faults are off. Settings stay as they are.")
}

fn sentence(outcome: Result<String, String>) -> String {
    outcome.unwrap_or_else(|sentence| sentence)
}

pub(super) async fn merge_request(
    State(world): State<Arc<World>>,
    Path((project, iid, act)): Path<(u64, u64, String)>,
) -> Redirect {
    back(&sentence(acts::on_merge_request(&world, project, iid, &act).await))
}

pub(super) async fn pipelines(
    State(world): State<Arc<World>>,
    Path((which, word)): Path<(String, String)>,
) -> Redirect {
    back(&sentence(acts::on_pipelines(&world, &which, &word)))
}
