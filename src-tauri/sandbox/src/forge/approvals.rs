//! Approvals of a merge request.

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use serde_json::{Value, json};

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::merge_requests::named;
use super::mergeable::{Snapshot, settle, shown_facts, snapshot};
use super::moves::merge_request;
use super::projects::checklist_items;
use super::views;
use crate::accounts::Account;
use crate::clock::{iso, now};
use crate::state::{Approval, MrState};
use crate::world::World;

/// GitLab keeps the author of a merge request from approving it.
fn may_approve(shot: &Snapshot, user: &Account) -> bool {
    user.level >= 30 && shot.mr.author != user.username
}

fn has_approved(shot: &Snapshot, username: &str) -> bool {
    shot.mr.approvals.iter().any(|approval| approval.user == username)
}

async fn view(world: &World, shot: &Snapshot, user: &Account) -> Result<Value, Refuse> {
    let mr = &shot.mr;
    let facts = shown_facts(world, shot).await?;
    let by =
        |approval: &Approval| json!({ "user": views::user(world, &approval.user), "approved_at": iso(approval.at) });
    let approved_by: Vec<Value> = mr.approvals.iter().map(by).collect();
    let left = shot.required().saturating_sub(shot.approvals());
    let mine = has_approved(shot, user.username);
    let rules =
        if left == 0 { json!([]) } else { json!([{ "id": 1, "name": "All Members", "rule_type": "any_approver" }]) };
    Ok(json!({
        "id": mr.id, "iid": mr.iid, "project_id": shot.project, "title": mr.title, "description": mr.description,
        "state": mr.state.word(), "created_at": iso(mr.created), "updated_at": iso(mr.updated),
        "merge_status": shot.check_word(&facts), "approved": left == 0, "approvals_required": shot.required(),
        "approvals_left": left, "require_password_to_approve": false, "approved_by": approved_by,
        "suggested_approvers": [], "approvers": [], "approver_groups": [], "user_has_approved": mine,
        "user_can_approve": !mine && mr.state == MrState::Opened && may_approve(shot, user),
        "approval_rules_left": rules, "has_approval_rules": true, "merge_request_approvers_available": true,
        "multiple_approval_rules_available": true, "invalid_approvers_rules": [],
    }))
}

async fn answer(call: &Call, status: u16, project: u64, iid: u64) -> Answer {
    let shot = snapshot(&call.world, project, iid).ok_or_else(Refuse::not_found)?;
    ok(status, view(&call.world, &shot, call.user).await?)
}

pub(super) async fn get(call: Call) -> Answer {
    let shot = named(&call)?;
    answer(&call, 200, shot.project, shot.mr.iid).await
}

pub(super) async fn state(call: Call) -> Answer {
    let shot = named(&call)?;
    let by: Vec<Value> = shot.mr.approvals.iter().map(|approval| views::user(&call.world, &approval.user)).collect();
    ok(
        200,
        json!({
            "approval_rules_overwritten": false,
            "rules": [{
                "id": 1, "name": "All Members", "rule_type": "any_approver", "eligible_approvers": [],
                "approvals_required": shot.required(), "users": [], "groups": [], "contains_hidden_groups": false,
                "section": null, "source_rule": null, "overridden": false, "code_owner": false,
                "approved": shot.approvals() >= shot.required(), "approved_by": by,
            }],
        }),
    )
}

pub(super) async fn approve(call: Call) -> Answer {
    let project = call.project()?.id;
    let _held = call.world.repo(project).writing.lock().await;
    let shot = named(&call)?;
    let mr = &shot.mr;
    if call.text("sha").is_some_and(|sha| !sha.is_empty() && sha != mr.head) {
        return Err(Refuse::message(409, format!("SHA does not match HEAD of source branch: {}", mr.head)));
    }
    let unauthorized = || Refuse::message(401, "401 Unauthorized");
    if has_approved(&shot, call.user.username) {
        if call.world.on("gitlab.repeat_401") {
            call.world.count("gitlab.repeat_401");
            return Err(unauthorized());
        }
        return Err(Refuse::unchanged());
    }
    if mr.state != MrState::Opened || !may_approve(&shot, call.user) {
        return Err(unauthorized());
    }
    check_items(&call)?;
    call.world.write(|state| {
        let mode = call.world.switches.word(state, "gitlab.approvals_reset");
        if let Some(stored) = merge_request(state, project, mr.iid) {
            settle(stored, now(), mode);
            stored.updated = now();
            stored.approvals.push(Approval {
                user: call.user.username.to_owned(),
                at: now(),
                sha: mr.head.clone(),
                patch: mr.patch.clone(),
            });
        }
        state.count("approvals given");
    });
    answer(&call, 201, project, mr.iid).await
}

/// Where approvals need the checklist, every item must be checked, and no unknown one given.
fn check_items(call: &Call) -> Result<(), Refuse> {
    if !call.world.on("gitlab.checklist") {
        return Ok(());
    }
    let wanted = checklist_items(true);
    let keys = |items: &Value, must_check: bool| {
        let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
        let fits = items.iter().filter(|item| !must_check || item["checked"] == json!(true));
        let mut keys: Vec<String> = fits.filter_map(|item| item["key"].as_str()).map(str::to_owned).collect();
        keys.sort();
        keys
    };
    let given = call.given("checklist").unwrap_or(Value::Null);
    if keys(&given, true) == keys(&wanted, false) && keys(&given, false) == keys(&given, true) {
        return Ok(());
    }
    call.world.count("gitlab.checklist");
    Err(Refuse::body(422, json!({ "message": "Approval checklist is not complete", "items": wanted })))
}

pub(super) async fn unapprove(call: Call) -> Answer {
    let shot = named(&call)?;
    if !has_approved(&shot, call.user.username) {
        return Err(if call.world.on("gitlab.repeat_401") {
            Refuse::message(404, "404 Not Found")
        } else {
            Refuse::unchanged()
        });
    }
    withdraw(&call.world, shot.project, shot.mr.iid, Some(call.user.username));
    answer(&call, 201, shot.project, shot.mr.iid).await
}

/// Takes back the approvals of one account, or of all.
pub(crate) fn withdraw(world: &World, project: u64, iid: u64, username: Option<&str>) -> bool {
    world.write(|state| {
        let Some(mr) = merge_request(state, project, iid) else { return false };
        let before = mr.approvals.len();
        mr.approvals.retain(|approval| username.is_some_and(|name| approval.user != name));
        mr.updated = now();
        let changed = mr.approvals.len() != before;
        if changed {
            state.count("approvals withdrawn");
        }
        changed
    })
}

/// Only robots may drop all approvals.
pub(super) async fn reset(call: Call) -> Answer {
    let shot = named(&call)?;
    if !call.user.bot || shot.mr.state == MrState::Merged {
        return Err(Refuse::message(401, "401 Unauthorized"));
    }
    withdraw(&call.world, shot.project, shot.mr.iid, None);
    Ok(StatusCode::ACCEPTED.into_response())
}
