//! Small reads: version, accounts, projects, members, protected branches, the approval checklist.

use std::sync::Arc;

use axum::extract::{Request, State};
use serde_json::{Value, json};

use super::answer::{Answer, Refuse, ok};
use super::call::{Call, account};
use super::pages::paged;
use super::views;
use crate::accounts::{ACCOUNTS, DEFAULT_BRANCH, PLACES, Place};
use crate::clock::{iso, now};
use crate::world::World;

pub(super) async fn version(_call: Call) -> Answer {
    ok(200, json!({ "version": "17.8.1-ee", "revision": "4e963fe", "enterprise": true }))
}

pub(super) async fn current_user(call: Call) -> Answer {
    let mut view = views::user(&call.world, call.user.username);
    view["bot"] = json!(call.user.bot);
    view["email"] = json!(call.user.email());
    view["created_at"] = json!("2024-01-01T00:00:00.000Z");
    ok(200, view)
}

pub(super) async fn users(call: Call) -> Answer {
    let wanted = call.asked("username");
    let found = ACCOUNTS.iter().filter(|account| wanted.is_none_or(|name| name == account.username));
    let items: Vec<Value> = found.map(|account| views::user(&call.world, account.username)).collect();
    paged(&call, &items)
}

pub(super) async fn own_token(call: Call) -> Answer {
    ok(
        200,
        json!({
            "id": 4200 + call.user.id, "name": "practice", "revoked": false, "created_at": "2024-01-01T00:00:00.000Z",
            "scopes": ["api"], "user_id": call.user.id, "active": true, "expires_at": null, "last_used_at": iso(now()),
        }),
    )
}

fn project_view(world: &World, place: &Place, level: u64) -> Value {
    let name = place.path.rsplit('/').next().unwrap_or(place.path);
    let (method, required) = world.read(|state| {
        let key = format!("{}.merge_method", place.key);
        (world.switches.word(state, &key), world.switches.on(state, "gitlab.pipeline_required"))
    });
    json!({
        "id": place.id, "description": place.description, "name": name,
        "name_with_namespace": place.path.replace('/', " / "), "path": name, "path_with_namespace": place.path,
        "created_at": "2024-01-01T00:00:00.000Z", "default_branch": DEFAULT_BRANCH,
        "web_url": format!("{}/{}", world.urls().gitlab, place.path), "archived": false, "visibility": "private",
        "empty_repo": false, "merge_method": method, "merge_requests_enabled": true,
        "only_allow_merge_if_pipeline_succeeds": required, "allow_merge_on_skipped_pipeline": false,
        "only_allow_merge_if_all_discussions_are_resolved": false, "remove_source_branch_after_merge": false,
        "squash_option": "default_off", "jobs_enabled": true, "builds_access_level": "enabled",
        "merge_requests_access_level": "enabled",
        "permissions": { "project_access": { "access_level": level, "notification_level": 3 }, "group_access": null },
    })
}

pub(super) async fn projects(call: Call) -> Answer {
    let items: Vec<Value> = PLACES.iter().map(|place| project_view(&call.world, place, call.user.level)).collect();
    paged(&call, &items)
}

pub(super) async fn project(call: Call) -> Answer {
    ok(200, project_view(&call.world, call.project()?, call.user.level))
}

fn member_view(world: &World, account: &crate::accounts::Account) -> Value {
    let mut view = views::user(world, account.username);
    view["access_level"] = json!(account.level);
    view["created_at"] = json!("2024-01-01T00:00:00.000Z");
    view["expires_at"] = Value::Null;
    view
}

pub(super) async fn members(call: Call) -> Answer {
    call.project()?;
    let items: Vec<Value> = ACCOUNTS.iter().map(|account| member_view(&call.world, account)).collect();
    paged(&call, &items)
}

pub(super) async fn member(call: Call) -> Answer {
    call.project()?;
    let id = call.number("user")?;
    let found = ACCOUNTS.iter().find(|account| account.id == id).ok_or_else(Refuse::not_found)?;
    ok(200, member_view(&call.world, found))
}

fn protection(place: &Place) -> Value {
    let level = json!([{ "id": place.id, "access_level": 40, "access_level_description": "Maintainers" }]);
    json!({
        "id": place.id, "name": DEFAULT_BRANCH, "push_access_levels": level, "merge_access_levels": level,
        "allow_force_push": false, "code_owner_approval_required": false,
    })
}

pub(super) async fn protected_branches(call: Call) -> Answer {
    let place = call.project()?;
    paged(&call, &[protection(place)])
}

pub(super) async fn protected_branch(call: Call) -> Answer {
    let place = call.project()?;
    if call.param("branch") == DEFAULT_BRANCH { ok(200, protection(place)) } else { Err(Refuse::not_found()) }
}

/// The items that an approval must check.
pub(super) fn checklist_items(with_newest: bool) -> Value {
    let mut items = vec![
        json!({ "key": "reviewed", "title": "The change was read line by line" }),
        json!({ "key": "rollback", "title": "There is a way back" }),
    ];
    if with_newest {
        items.push(json!({ "key": "window", "title": "The change fits the maintenance window" }));
    }
    Value::Array(items)
}

pub(super) async fn checklist(call: Call) -> Answer {
    call.project()?;
    let stale = call.world.on("gitlab.checklist_stale");
    if stale {
        call.world.count("gitlab.checklist_stale");
    }
    ok(200, json!({ "items": checklist_items(!stale) }))
}

pub(super) async fn approval_rules(call: Call) -> Answer {
    call.project()?;
    let required = call.world.value("gitlab.approvals_required");
    let reset = call.world.read(|state| call.world.switches.word(state, "gitlab.approvals_reset"));
    ok(
        200,
        json!({
            "approvers": [], "approver_groups": [], "approvals_before_merge": required,
            "reset_approvals_on_push": reset != "none", "selective_code_owner_removals": false,
            "disable_overriding_approvers_per_merge_request": false, "merge_requests_author_approval": false,
            "merge_requests_disable_committers_approval": false, "require_password_to_approve": false,
            "require_reauthentication_to_approve": false,
        }),
    )
}

/// A list that the practice remotes never fill.
pub(super) async fn empty(call: Call) -> Answer {
    call.project()?;
    paged(&call, &[])
}

/// Any route that is not there; GitLab asks for the token first.
pub(super) async fn unknown(State(world): State<Arc<World>>, request: Request) -> Refuse {
    match account(&world.secrets, request.headers(), request.uri().query()) {
        Some(_) => Refuse::error(404, "404 Not Found"),
        None => Refuse::message(401, "401 Unauthorized"),
    }
}
