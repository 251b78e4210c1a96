//! Two commits beside each other.

use serde_json::{Value, json};

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::commits::named;
use super::views;

pub(super) async fn compare(call: Call) -> Answer {
    let place = call.project()?;
    call.need(&["from", "to"])?;
    let repo = call.world.repo(place.id);
    let from = named(&call, place, call.asked("from").unwrap_or_default()).await?;
    let to = named(&call, place, call.asked("to").unwrap_or_default()).await?;
    let straight = call.flag("straight") == Some(true);
    let base = if straight { from.clone() } else { repo.merge_base(&from, &to).await? };
    let mut commits = repo.log(&format!("{from}..{to}"), None).await?;
    commits.reverse();
    let commits: Vec<Value> = commits.iter().map(|commit| views::commit(&call.world, place, commit)).collect();
    let base = (!base.is_empty()).then_some(base.as_str());
    let diffs: Vec<Value> = repo.diff(base, &to, 3).await?.iter().map(views::diff).collect();
    let url = format!("{}/{}/-/compare/{from}...{to}", call.world.urls().gitlab, place.path);
    ok(
        200,
        json!({
            "commit": commits.last(), "commits": commits, "diffs": diffs, "compare_timeout": false,
            "compare_same_ref": from == to, "web_url": url,
        }),
    )
}

pub(super) async fn merge_base(call: Call) -> Answer {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let names: Vec<&str> = call
        .query
        .iter()
        .filter(|(name, _)| name == "refs[]" || name == "refs")
        .map(|(_, value)| value.as_str())
        .collect();
    let [first, rest @ ..] = names.as_slice() else { return Err(Refuse::error(400, "refs is missing")) };
    if rest.is_empty() {
        return Err(Refuse::message(400, "Provide at least 2 refs"));
    }
    let mut base = named(&call, place, first).await?;
    for name in rest {
        base = repo.merge_base(&base, &named(&call, place, name).await?).await?;
    }
    if base.is_empty() {
        return Err(Refuse::message(404, "404 Merge Base Not Found"));
    }
    ok(200, views::commit(&call.world, place, &repo.commit(&base).await?))
}
