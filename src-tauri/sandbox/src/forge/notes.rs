//! Comments on a merge request, and the commands that a comment can carry.

use serde_json::{Value, json};

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::merge_requests::named;
use super::moves::{self, merge_request};
use super::pages::paged;
use super::views;
use crate::clock::{iso, now};
use crate::state::Note;

fn view(call: &Call, note: &Note, mr_id: u64, iid: u64) -> Value {
    json!({
        "id": note.id, "type": null, "body": note.body, "attachment": null, "author": views::user(&call.world, &note.author),
        "created_at": iso(note.at), "updated_at": iso(note.at), "system": note.system, "noteable_id": mr_id,
        "noteable_type": "MergeRequest", "noteable_iid": iid, "resolvable": false, "confidential": false,
    })
}

pub(super) async fn list(call: Call) -> Answer {
    let shot = named(&call)?;
    let mut items: Vec<Value> = shot.mr.notes.iter().map(|note| view(&call, note, shot.mr.id, shot.mr.iid)).collect();
    if call.asked("sort") != Some("asc") {
        items.reverse();
    }
    paged(&call, &items)
}

pub(super) async fn create(call: Call) -> Answer {
    let shot = named(&call)?;
    call.need(&["body"])?;
    let body = call.text("body").unwrap_or_default();
    if body.starts_with('/') {
        let summary = obey(&call, shot.project, shot.mr.iid, &body).await?;
        return ok(202, json!({ "commands_changes": {}, "summary": [summary] }));
    }
    let note = call.world.write(|state| {
        let id = state.next_id();
        let note = Note { id, author: call.user.username.to_owned(), at: now(), body, system: false };
        merge_request(state, shot.project, shot.mr.iid)?.notes.push(note.clone());
        state.count("comments written");
        Some(note)
    });
    let note = note.ok_or_else(Refuse::not_found)?;
    ok(201, view(&call, &note, shot.mr.id, shot.mr.iid))
}

/// Carries out the commands in a text, one a line, as GitLab does with descriptions and comments.
pub(super) async fn obey(call: &Call, project: u64, iid: u64, text: &str) -> Result<String, Refuse> {
    let mut done = Vec::new();
    for line in text.lines().map(str::trim) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "/close" => {
                moves::close(&call.world, project, iid, call.user.username);
                done.push("Closed this merge request.".to_owned());
            }
            "/draft" => call.world.write(|state| {
                if let Some(mr) = merge_request(state, project, iid) {
                    mr.title = format!("Draft: {}", mr.title);
                    done.push("Marked this merge request as a draft.".to_owned());
                }
            }),
            "/target_branch" if call.world.repo(project).head(rest.trim()).is_some() => call.world.write(|state| {
                if let Some(mr) = merge_request(state, project, iid) {
                    rest.trim().clone_into(&mut mr.target);
                    mr.check = None;
                    done.push(format!("Set target branch to {}.", rest.trim()));
                }
            }),
            _ => {}
        }
    }
    Ok(done.join(" "))
}
