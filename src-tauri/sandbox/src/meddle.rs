//! Commits that get in the way on purpose: on the target branch before a merge, or on somebody's source branch.

use chrono::Utc;

use crate::accounts::HANNA;
use crate::forge::{Snapshot, commit_edits, snapshot};
use crate::git::{Edit, EditError, FileDiff, GitError};
use crate::world::World;

/// The file that harmless commits add a line to.
const LOG: &str = "docs/review-log.md";

/// Carries out what was asked for before a merge. The caller holds the repository.
pub(crate) async fn before_merge(world: &World, shot: &Snapshot) -> Result<Option<&'static str>, GitError> {
    if world.take("gitlab.conflict_next") {
        conflict(world, shot).await?;
        return Ok(Some("gitlab.conflict_next"));
    }
    if world.take("gitlab.target_moves") {
        move_target(world, shot).await?;
        return Ok(Some("gitlab.target_moves"));
    }
    Ok(None)
}

/// Carries out what was asked for before a rebase. The caller holds the repository.
pub(crate) async fn before_rebase(world: &World, project: u64, iid: u64) -> Result<(), GitError> {
    match snapshot(world, project, iid) {
        Some(shot) if world.take("gitlab.rebase_conflict") => conflict(world, &shot).await,
        _ => Ok(()),
    }
}

/// Commits elsewhere on the target branch. The caller holds the repository.
pub(crate) async fn move_target(world: &World, shot: &Snapshot) -> Result<(), GitError> {
    let path = if touches(world, shot, LOG).await? { "docs/hand-edits.md" } else { LOG };
    append(world, shot.project, &shot.mr.target, path, "Looked through the open requests.").await
}

/// Commits on the source branch of a merge request, as somebody would who edits what is not theirs. The caller holds the repository.
pub(crate) async fn push_to_source(world: &World, shot: &Snapshot) -> Result<(), GitError> {
    append(world, shot.project, &shot.mr.source, "docs/hand-edits.md", "Added by hand on this branch.").await
}

async fn append(world: &World, project: u64, branch: &str, path: &str, what: &str) -> Result<(), GitError> {
    let repo = world.repo(project);
    let Some(head) = repo.head(branch) else { return Ok(()) };
    let line = format!("- {} Hanna Berg: {what}\n", Utc::now().format("%Y-%m-%d %H:%M:%S"));
    let edit = match repo.file(&head, path).await? {
        Some((mut content, _)) => {
            content.extend(line.into_bytes());
            Edit::Update { path: path.to_owned(), content, seen: None }
        }
        None => Edit::Create { path: path.to_owned(), content: format!("# Edits by hand\n\n{line}").into_bytes() },
    };
    commit_edits(world, project, branch, &[edit], what, HANNA).await.map(drop).map_err(git_error)
}

async fn touches(world: &World, shot: &Snapshot, path: &str) -> Result<bool, GitError> {
    let files = world.repo(shot.project).diff(Some(&shot.mr.base), &shot.mr.head, 0).await?;
    Ok(files.iter().any(|file| file.path == path))
}

/// Commits to the lines that a merge request changes, on its target branch. The caller holds the repository.
pub(crate) async fn conflict(world: &World, shot: &Snapshot) -> Result<(), GitError> {
    let repo = world.repo(shot.project);
    let Some(target) = repo.head(&shot.mr.target) else { return Ok(()) };
    let files = repo.diff(Some(&shot.mr.base), &shot.mr.head, 0).await?;
    let Some(file) = files.first() else { return Ok(()) };
    let path = file.path.clone();
    let edit = match repo.file(&target, &path).await? {
        None => Edit::Create { path, content: b"Reserved by hand.\n".to_vec() },
        Some((content, _)) => {
            let text = String::from_utf8_lossy(&content).into_owned();
            Edit::Update { path, content: disturb(file, &text).into_bytes(), seen: None }
        }
    };
    let message = format!("Adjust {} by hand", file.path);
    commit_edits(world, shot.project, &shot.mr.target, &[edit], &message, HANNA).await.map(drop).map_err(git_error)
}

fn git_error(error: EditError) -> GitError {
    match error {
        EditError::Git(error) => error,
        other => GitError { command: "commit by hand".to_owned(), message: other.to_string() },
    }
}

/// The text with the first lines that the file's diff touches changed in another way; it stays readable for parsers.
fn disturb(file: &FileDiff, text: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut removed = Vec::new();
    let mut added = Vec::new();
    let mut place = 0;
    for line in file.hunks.lines() {
        match line.as_bytes().first() {
            Some(b'@') if place > 0 => break,
            Some(b'@') => place = old_line(line),
            Some(b'-') => removed.push(&line[1..]),
            Some(b'+') => added.push(&line[1..]),
            _ => {}
        }
    }
    let same = |line: &String, old: &str| line.trim_end_matches(['\n', '\r']) == old;
    match removed.first() {
        Some(old) => {
            let at = place.saturating_sub(1);
            let near = lines.get(at).filter(|line| same(line, old)).map(|_| at);
            if let Some(at) = near.or_else(|| lines.iter().position(|line| same(line, old))) {
                lines[at] = format!("{}\n", another(old, added.first().copied().unwrap_or_default()));
            }
        }
        None => lines.insert(place.min(lines.len()), "\n".to_owned()),
    }
    lines.concat()
}

/// The first line of the old side of a hunk head such as `@@ -12,3 +12,4 @@`.
fn old_line(head: &str) -> usize {
    let numbers = head.split('-').nth(1).unwrap_or_default();
    numbers.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// A line that differs from both: its last number counted up, else a blank at its end.
fn another(old: &str, new: &str) -> String {
    let digits: Vec<(usize, char)> = old.char_indices().filter(|(_, c)| c.is_ascii_digit()).collect();
    if let Some((last, _)) = digits.last() {
        let end = last + 1;
        let begin = old[..end].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |before| before + 1);
        for step in 1..3_u64 {
            let number = old[begin..end].parse::<u64>().unwrap_or(0).saturating_add(step);
            let line = format!("{}{number}{}", &old[..begin], &old[end..]);
            if line != new {
                return line;
            }
        }
    }
    format!("{old} ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(hunks: &str) -> FileDiff {
        FileDiff {
            path: "q.yaml".to_owned(),
            old_mode: "100644".to_owned(),
            new_mode: "100644".to_owned(),
            hunks: hunks.to_owned(),
        }
    }

    #[test]
    fn a_number_becomes_a_third_number() {
        let text = "a: 1\ncpu: 10  # cores\nb: 2\n";
        let made = disturb(&file("@@ -2 +2 @@\n-cpu: 10  # cores\n+cpu: 11  # cores\n"), text);
        assert_eq!(made, "a: 1\ncpu: 12  # cores\nb: 2\n");
    }

    #[test]
    fn an_insertion_meets_a_blank_line() {
        let made = disturb(&file("@@ -1,0 +2 @@\n+cpu: 11\n"), "a: 1\nb: 2\n");
        assert_eq!(made, "a: 1\n\nb: 2\n");
    }

    #[test]
    fn a_word_gets_a_blank_at_its_end() {
        let made = disturb(&file("@@ -1 +1 @@\n-  on: false,\n+  on: true,\n"), "  on: false,\n");
        assert_eq!(made, "  on: false, \n");
    }
}
