//! Branches: list, read, create, delete.

use axum::http::StatusCode;
use axum::response::IntoResponse as _;

use super::answer::{Answer, Refuse, ok};
use super::call::Call;
use super::moves;
use super::pages::Page;
use super::views;
use crate::accounts::DEFAULT_BRANCH;
use crate::git::Repo;

pub(super) async fn list(call: Call) -> Answer {
    let place = call.project()?;
    let repo = call.world.repo(place.id);
    let wanted = call.asked("search").unwrap_or_default();
    let fits = |name: &str| match (wanted.strip_prefix('^'), wanted.strip_suffix('$')) {
        (Some(_), Some(_)) => wanted.get(1..wanted.len().max(2) - 1) == Some(name),
        (Some(begin), None) => name.starts_with(begin),
        (None, Some(end)) => name.ends_with(end),
        (None, None) => name.contains(wanted),
    };
    let found: Vec<(String, String)> = repo.branches().into_iter().filter(|(name, _)| fits(name)).collect();
    let page = Page::of(&call)?;
    let mut shown = Vec::new();
    for (name, sha) in page.slice(&found) {
        shown.push(views::branch(&call.world, place, name, sha, call.user.level).await?);
    }
    page.answer(&call, shown, found.len())
}

pub(super) async fn get(call: Call) -> Answer {
    let place = call.project()?;
    let name = call.param("branch");
    let head = call.world.repo(place.id).head(name).ok_or_else(|| Refuse::message(404, "404 Branch Not Found"))?;
    ok(200, views::branch(&call.world, place, name, &head, call.user.level).await?)
}

pub(super) async fn create(call: Call) -> Answer {
    let place = call.project()?;
    call.need(&["branch", "ref"])?;
    let (name, reference) = (call.text("branch").unwrap_or_default(), call.text("ref").unwrap_or_default());
    let repo = call.world.repo(place.id);
    let _held = repo.writing.lock().await;
    check_new(repo, &name)?;
    let start = repo.resolve(&reference).await;
    let start = start.ok_or_else(|| Refuse::message(400, format!("Invalid reference name: {reference}")))?;
    repo.move_branch(&name, &start, None).await?;
    call.world.count("branches created");
    ok(201, views::branch(&call.world, place, &name, &start, call.user.level).await?)
}

pub(super) async fn delete(call: Call) -> Answer {
    let place = call.project()?;
    let name = call.param("branch");
    let repo = call.world.repo(place.id);
    let _held = repo.writing.lock().await;
    repo.head(name).ok_or_else(|| Refuse::message(404, "404 Branch Not Found"))?;
    if name == DEFAULT_BRANCH {
        return Err(Refuse::message(400, "Cannot remove protected branch"));
    }
    repo.delete_branch(name).await?;
    call.world.count("branches deleted");
    moves::branch_gone(&call.world, place.id, name, call.user.username);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Refuses a name that git would not take, or that is taken.
pub(super) fn check_new(repo: &Repo, name: &str) -> Result<(), Refuse> {
    if !valid(name) {
        return Err(Refuse::message(400, "Branch name is invalid"));
    }
    for other in repo.branches().keys() {
        if other == name {
            return Err(Refuse::message(400, "Branch already exists"));
        }
        let inside = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
        if inside(name, other) || inside(other, name) {
            let text = format!("cannot lock ref 'refs/heads/{name}': 'refs/heads/{other}' exists");
            return Err(Refuse::message(400, format!("Failed to create branch '{name}': {text}")));
        }
    }
    Ok(())
}

/// The rules of `git check-ref-format`, and GitLab's own.
fn valid(name: &str) -> bool {
    let bad = |c: char| c <= ' ' || c == '\u{7f}' || "~^:?*[\\".contains(c);
    let part_bad = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    !name.is_empty()
        && name.len() <= 244
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(bad)
        && !name.split('/').any(part_bad)
        && !matches!(name, "HEAD" | "@")
        && !name.starts_with("refs/heads/")
}

#[cfg(test)]
mod tests {
    use super::valid;

    #[test]
    fn names_that_git_refuses_are_refused() {
        for good in ["main", "signalbox/01J", "fix-1.2", "a/b/c"] {
            assert!(valid(good), "{good}");
        }
        let bad = ["", "-x", "a..b", "a b", "x.lock", "a/.b", "a//b", "/a", "a/", "HEAD", "refs/heads/a", "a~1", "a."];
        for bad in bad {
            assert!(!valid(bad), "{bad}");
        }
    }
}
